"""Compute and store reports, the results of the statistics.

A report that takes no longer than a page waits is computed within the request (cost.py estimates
that). Others are computed by a worker; meanwhile the page shows the newest stored one and notes
that newer judgments exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.jobs.engine import Claim, again, job_work
from paraanno.jobs.row import OVER
from scoring.jobs import REPORT
from scoring.models import Report
from scoring.selectors.agreement import agreement_for, influence_for
from scoring.selectors.annotators import annotators_for
from scoring.selectors.correlation.mixes import mixes_asked, mixes_for
from scoring.selectors.correlation.one_metric import points_asked, points_for
from scoring.selectors.correlation.reports import (
    correlation_for,
    ranking_for,
    stability_for,
    systems_for,
)
from scoring.selectors.cost import SECONDS, estimated_seconds
from scoring.selectors.gold.outcomes import results_for
from scoring.selectors.gold.reports import gold_overview_for, gold_values_for
from scoring.selectors.ratings.fingerprint import fingerprint, judgments_state
from scoring.selectors.ratings.tables import Choice
from scoring.selectors.runs import UnderWay, runs_under_way
from scoring.selectors.workers import is_alive
from scoring.services.reports.looks import COMPARE, look_note
from scoring.services.reports.trends import trend_note
from scoring.stats.systems.json_types import ResultsReport

TRY_AGAIN = timedelta(hours=1)
RUNS_WAITED_FOR = timedelta(minutes=2)  # From their start: most runs are over by then.
KEPT = 5  # Finished reports kept per kind and options; older ones are recomputed on request.
KEPT_CHOSEN = 50  # Kept per kind over all choices other than the default.
KEPT_LARGE = {"one-metric": 20}  # The same of kinds with a line for every text.


@dataclass(frozen=True, slots=True)
class ReportView:
    """The newest stored report. `fresh`: it matches the current data; otherwise `waiting` is the
    report in progress (or failed, with its error), or `under_way` the runs that the first report
    waits for."""

    report: Report | None
    fresh: bool
    waiting: Report | None = None
    under_way: UnderWay | None = None

    @property
    def result(self) -> Any:
        """What JSON holds, or None; the reader says which kind of report it is."""
        return self.report.result if self.report is not None else None


def report_get(
    *,
    campaign: Campaign,
    kind: str,
    actor: Actor,
    choice: Choice = Choice(),  # noqa: B008 frozen
    after_runs: bool = False,
    asked: Mapping[str, str] | None = None,
) -> ReportView:
    """Return the report for the current data; compute or queue it if it does not exist yet.

    With `after_runs` the first report waits for runs that were started a moment ago: else each of
    them would ask for another one as it ends. A long run keeps nobody waiting. `asked` is what
    reports of some kinds (ASKED) are about beside the choice: a metric, a scale.
    """
    if kind not in KINDS:
        raise Invalid(
            _("There is no report %(kind)s: use one of %(kinds)s.")
            % {"kind": f"{kind!r}", "kinds": ", ".join(KINDS)}
        )
    if choice.controls and kind != "agreement":
        raise Invalid(
            _("Controls do not enter results: only the agreement report can be about them.")
        )
    if choice.as_of and kind not in ("agreement", "results"):
        raise Invalid(_("Only the reports agreement and results can be made as of a date."))
    mark = fingerprint(campaign=campaign, kind=kind)
    if choice.shared_with:
        other = Campaign.objects.get(slug=choice.shared_with)
        mark = mark.beside(fingerprint(campaign=other, kind=kind))
    about = ASKED[kind](campaign=campaign, data=asked or {}) if kind in ASKED else {}
    digest = choice.digest(about)
    reports = Report.objects.filter(campaign=campaign, kind=kind, options_hash=digest)
    found = reports.filter(fingerprint=mark.text, status=Report.Status.DONE).first()
    if found is not None:
        return ReportView(found, True)
    newest = reports.filter(status=Report.Status.DONE).order_by("-pk").first()
    if after_runs and newest is None and (under_way := _just_started(campaign)):
        return ReportView(None, False, under_way=under_way)
    report, made = Report.objects.get_or_create(
        campaign=campaign,
        kind=kind,
        options_hash=digest,
        fingerprint=mark.text,
        defaults={
            "options": {**choice.as_json(), **({"asked": about} if about else {})},
            "created_by_id": actor.pk if actor else None,
        },
    )
    if _on_the_spot(campaign, kind, mark.judgments):
        report_make(report=report)
        if report.status == Report.Status.DONE:
            return ReportView(report, True)
    else:
        _queue(report, made)
    return ReportView(newest, False, report)


def _just_started(campaign: Campaign) -> UnderWay | None:
    return runs_under_way(campaign=campaign, begun_within=RUNS_WAITED_FOR)


def _on_the_spot(campaign: Campaign, kind: str, judgments: int) -> bool:
    """Whether the request that asks for a report makes it: if that takes no longer than a page
    waits, or if there is no worker who could and the campaign is small."""
    if judgments > settings.REPORT_ON_THE_SPOT:
        return False
    if estimated_seconds(campaign=campaign, kind=kind, judgments=judgments) <= SECONDS:
        return True
    return not is_alive()


def _queue(report: Report, made: bool) -> None:
    """Wake a worker for a new report, and for one that failed or was cancelled and is asked for
    again after TRY_AGAIN: the cause may be gone."""
    ended = report.finished_at
    if made:
        REPORT.notify(report.pk)
    elif ended is not None and ended < clock.now() - TRY_AGAIN and again(REPORT, report):
        report.refresh_from_db()


def report_make(*, report: Report) -> None:
    """Compute a report here and now, also one that failed; unless another process does it."""
    if not report.active:
        again(REPORT, report)
    job_work(REPORT.name, report.pk)
    report.refresh_from_db()


def report_work(claim: Claim) -> dict[str, Any]:
    """Compute a report, and forget those that it replaces."""
    report: Report = claim.row
    # Read before the report is made: what comes in between is the next state.
    state = judgments_state(campaign=report.campaign) if report.kind in COMPARE else ""
    choice = Choice.from_json(report.options)
    about = {"asked": report.options["asked"]} if "asked" in report.options else {}
    result = KINDS[report.kind](campaign=report.campaign, choice=choice, **about)
    with short_write():
        claim.check()
        result = look_note(
            campaign=report.campaign, kind=report.kind, choice=choice, state=state, result=result
        )
        claim.close(result=result)
        trend_note(report=report, result=result)
    return {}


def reports_forget(report: Report) -> None:
    """Delete the oldest of a kind: they are computed again if somebody asks."""
    done = Report.objects.filter(campaign=report.campaign_id, kind=report.kind, status__in=OVER)
    same = done.filter(options_hash=report.options_hash, status=Report.Status.DONE)
    chosen = done.exclude(options_hash=Choice().digest())
    most = KEPT_LARGE.get(report.kind, KEPT_CHOSEN)
    old = list(same.order_by("-pk").values_list("pk", flat=True)[KEPT:])
    old += chosen.order_by("-pk").values_list("pk", flat=True)[most:]
    if old:
        with short_write():
            Report.objects.filter(pk__in=old).delete()


# --- contents of the reports ---------------------------------------------------------------


def _results(*, campaign: Campaign, choice: Choice, unit: Any) -> ResultsReport:
    return results_for(campaign=campaign, choice=choice, unit=unit)


KINDS: dict[str, Callable[..., Mapping[str, object]]] = {
    "agreement": agreement_for,
    "influence": influence_for,
    "results": partial(_results, unit="judgment"),
    "results-gold": partial(_results, unit="gold"),
    "gold": gold_overview_for,
    "gold-values": gold_values_for,
    "correlation": correlation_for,
    "correlation-systems": systems_for,
    "stability": stability_for,
    "ranking": ranking_for,
    "annotators": annotators_for,
    "mixes": mixes_for,
    "one-metric": points_for,
}
# Kinds that are about more than a choice of judgments, and what makes equal questions equal.
ASKED: dict[str, Callable[..., dict[str, str]]] = {
    "mixes": mixes_asked,
    "one-metric": points_asked,
}
# Kinds about individual annotators: only for researchers.
FOR_RESEARCHERS = {"annotators", "influence"}
