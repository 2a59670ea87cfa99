"""Compute and store reports, the results of the statistics, and open the pages that show them.

A report that takes no longer than a page waits is computed within the request (an estimate tells
that). Others are computed by a worker; meanwhile the page shows the newest stored one and notes
that newer judgments exist.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.database import Actor, short_write
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, PageView
from annotation.http.pages import opens_page
from annotation.models import Annotator, Campaign, Scale
from paraanno import clock
from paraanno.common.lazy_import import late
from paraanno.jobs.engine import Claim, again, job_work
from paraanno.jobs.row import OVER
from scoring.jobs import REPORT
from scoring.models import Look, Report, Run, TrendPoint
from scoring.ratings.choice import Choice, fingerprint, judgments_state
from scoring.runs.queries import UnderWay, newest_done_runs, runs_under_way
from scoring.stats.agreement.coefficients import AgreementReport, estimates_of
from scoring.stats.agreement.influence import ALPHA
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.significance.paired import looks_told
from scoring.stats.table import EstimateJson
from scoring.work.workers import is_alive, is_starting

# Trends: the main numbers of reports, kept for the overview.


DAYS = 60
TrendRow: TypeAlias = list[float | str | None]  # Value, the ends of its interval, and its name.


def trend_note(*, report: Report, result: Any) -> None:
    """Store the main numbers of a report about all judgments; ignore other choices. Call it in the
    transaction that stores the report."""
    maker = MAKERS.get(report.kind)
    if maker is None or report.options_hash != Choice().digest():
        return
    TrendPoint.objects.update_or_create(
        campaign_id=report.campaign_id,
        kind=report.kind,
        day=timezone.localdate(),
        defaults={"numbers": maker(report, result)},
    )


def _alphas(report: Report, result: AgreementReport) -> dict[str, TrendRow]:
    """Alpha at the level of measurement of each scale."""
    levels = dict(Scale.objects.filter(campaign_id=report.campaign_id).values_list("name", "level"))
    estimates = {}
    for scale, numbers in result["scales"].items():
        name = ALPHA[levels.get(scale, "ordinal")]
        estimates[scale] = _row(estimates_of(numbers)[name], name)
    return estimates


def _best(report: Report, result: CorrelationReport) -> dict[str, TrendRow]:
    """For each human column, the metric with the highest Pearson correlation."""
    estimates = {}
    for human, numbers in result["human"].items():
        rows = {
            label: value
            for label, one in numbers["metrics"].items()
            if (value := one["pearson"]["value"]) is not None
        }
        if rows:
            label = max(rows, key=lambda name: rows[name])
            estimates[human] = _row(numbers["metrics"][label]["pearson"], label)
    return estimates


def _row(estimate: EstimateJson, name: str) -> TrendRow:
    return [estimate["value"], estimate.get("ci_low"), estimate.get("ci_high"), name]


MAKERS: dict[str, Callable[[Report, Any], dict[str, TrendRow]]] = {
    "agreement": _alphas,
    "correlation": _best,
}


def trend_of(*, campaign: Campaign, kind: str) -> list[TrendPoint]:
    """The main numbers of the last days with a report, oldest first; one query."""
    newest = TrendPoint.objects.filter(campaign=campaign, kind=kind).order_by("-day")[:DAYS]
    return list(reversed(newest))


def trends_of(*, campaigns: Collection[Campaign], kind: str) -> dict[int, list[TrendPoint]]:
    """`trend_of` of each campaign; one query for any number of them."""
    trends: dict[int, list[TrendPoint]] = {one.pk: [] for one in campaigns}
    for point in TrendPoint.objects.filter(campaign__in=campaigns, kind=kind).order_by("day"):
        trends[point.campaign_id].append(point)
    return {pk: points[-DAYS:] for pk, points in trends.items()}


# The kinds of reports, each with the function of its area that makes it.
_AGREEMENT = "scoring.agreement.report"
_GOLD = "scoring.gold.report"
_CORRELATION = "scoring.correlation.report"
_ONE_METRIC = "scoring.correlation.one_metric"

KINDS: dict[str, Callable[..., Mapping[str, object]]] = {
    "agreement": late(f"{_AGREEMENT}:agreement_for"),
    "influence": late(f"{_AGREEMENT}:influence_for"),
    "results": partial(late(f"{_GOLD}:results_for"), unit="judgment"),
    "results-gold": partial(late(f"{_GOLD}:results_for"), unit="gold"),
    "gold": late(f"{_GOLD}:gold_overview_for"),
    "gold-values": late(f"{_GOLD}:gold_values_for"),
    "correlation": late(f"{_CORRELATION}:correlation_for"),
    "correlation-systems": late(f"{_CORRELATION}:systems_for"),
    "stability": late(f"{_CORRELATION}:stability_for"),
    "ranking": late(f"{_CORRELATION}:ranking_for"),
    "annotators": late("scoring.annotators.report:annotators_for"),
    "mixes": late(f"{_CORRELATION}:mixes_for"),
    "one-metric": late(f"{_ONE_METRIC}:points_for"),
}
# Kinds that are about more than a choice of judgments, and what makes equal questions equal.
PARAMETERS_OF: dict[str, Callable[..., dict[str, str]]] = {
    "mixes": late(f"{_CORRELATION}:mixes_asked"),
    "one-metric": late(f"{_ONE_METRIC}:points_asked"),
}
# Kinds about individual annotators: only for researchers.
FOR_RESEARCHERS = {"annotators", "influence"}


# Count the states of the judgments in which comparisons were looked at.


COMPARE = {
    "results": Look.About.RESULTS,
    "results-gold": Look.About.RESULTS,
    "correlation": Look.About.CORRELATION,
}


def look_note(
    *, campaign: Campaign, kind: str, choice: Choice, state: str, result: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Note the look and return the result with `looks`; others and those that compare nothing are
    returned as they are. Call it in the transaction that stores the report.

    A look at chosen judgments is a look at the state that they are of. One as of a past day looks
    at what was there before: it tells the number and adds nothing to it.
    """
    about = COMPARE.get(kind)
    if about is None or not _compares(result):
        return result
    if not choice.as_of:
        Look.objects.get_or_create(campaign=campaign, about=about, state=state)
    states = list(
        Look.objects.filter(campaign=campaign, about=about).values_list("state", flat=True)
    )
    unknown = "" in states
    looks = looks_told(len(states) - unknown, unknown_before=unknown)
    return {**result, "looks": looks}


def _compares(result: Mapping[str, Any]) -> bool:
    """Whether there are two systems, or two metrics, that could be called different."""
    if "pairs" in result:
        return bool(result["pairs"])
    return any(part["comparisons"] for part in result.get("human", {}).values())


# How long a report would take, before it is made.


# What a page waits for.
SECONDS = 2.0
# Seconds of one core per judgment, and what else they are multiplied by. Measured on the demo
# (one second of agreement for a thousand judgments); a busy machine is known by the times of the
# reports that it made.
PER_JUDGMENT = {
    "agreement": 1e-3,
    "influence": 2e-4,
    "annotators": 2e-4,
    "correlation": 1e-3,
    "correlation-systems": 2e-4,
    "stability": 1e-3,
    "ranking": 2e-4,
    "mixes": 5e-5,
}
OTHERS = 2e-4
BY_ANNOTATORS = {"influence"}
BY_RUNS = {"correlation", "correlation-systems", "stability", "ranking", "mixes"}
# Of 48 runs they take half a second to read (17 MB), or to show, the page of one metric too.
LARGE, MANY_RUNS = {"correlation", "stability", "one-metric"}, 20


def estimated_seconds(*, campaign: Campaign, kind: str, judgments: int) -> float:
    """The time that a report of this kind takes: at least that of the slowest one that is kept.

    Two queries. `judgments` are those of the campaign.
    """
    return max(_by_size(campaign, kind, judgments), _slowest(campaign, kind))


def _by_size(campaign: Campaign, kind: str, judgments: int) -> float:
    seconds = judgments * PER_JUDGMENT.get(kind, OTHERS)
    if kind in BY_ANNOTATORS:
        seconds *= Annotator.objects.filter(campaign=campaign).count()
    if kind in BY_RUNS:
        seconds *= len(newest_done_runs(campaign=campaign))
    return seconds


def _slowest(campaign: Campaign, kind: str) -> float:
    made = Report.objects.filter(campaign=campaign, kind=kind, status=Report.Status.DONE)
    times = made.order_by().values_list("started_at", "finished_at")
    return max(((end - start).total_seconds() for start, end in times if start and end), default=0)


TRY_AGAIN = timedelta(hours=1)
RUNS_WAITED_FOR = timedelta(minutes=2)  # From their start: most runs are over by then.
SOON = timedelta(seconds=10)
STORED = 5  # Finished reports kept per kind and options; older ones are recomputed on request.
KEPT_CHOSEN = 50  # Kept per kind over all choices other than the default.
KEPT_LARGE = {"one-metric": 20}  # The same of kinds with a line for every text.


@dataclass(frozen=True, slots=True)
class ReportView:
    """The newest stored report. `fresh`: it matches the current data; otherwise `waiting` is the
    report in progress (or failed, with its error), or `under_way` the runs that the first report
    waits for. `reading`: it is stored, and takes longer to read than a frame."""

    report: Report | None
    fresh: bool
    waiting: Report | None = None
    under_way: UnderWay | None = None
    reading: bool = False

    @property
    def soon(self) -> bool:
        """Whether the report was asked for a moment ago, so that most are there in another."""
        waiting = self.waiting
        return waiting is not None and waiting.created_at > clock.now() - SOON

    @property
    def result(self) -> Any:
        """What JSON holds, or None; the reader says which kind of report it is."""
        return self.report.result if self.report is not None else None


def report_get(
    *,
    campaign: Campaign,
    kind: str,
    actor: Actor,
    choice: Choice = Choice(),
    after_runs: bool = False,
    parameters: Mapping[str, str] | None = None,
    frame: bool = False,
) -> ReportView:
    """Return the report for the current data; compute or queue it if it does not exist yet.

    `frame`: what is not there yet is queued, however short, and a large report is not read: the
    page is shown at once and asks again. With `after_runs` the first report waits for runs that
    were started a moment ago: else each of them would ask for another one as it ends. A long run
    keeps nobody waiting. `parameters` are what reports of some kinds (PARAMETERS_OF) are about
    beside the choice: a metric, a scale.
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
    about = (
        PARAMETERS_OF[kind](campaign=campaign, data=parameters or {})
        if kind in PARAMETERS_OF
        else {}
    )
    digest = choice.digest(about)
    reports = Report.objects.filter(campaign=campaign, kind=kind, options_hash=digest)
    done = reports.filter(status=Report.Status.DONE)
    if frame and kind in LARGE and _has_many_runs(campaign) and done.exists():
        return ReportView(None, False, reading=True)
    current = done.filter(fingerprint=mark.text).first()
    if current is not None:
        return ReportView(current, True)
    # Whoever only asks whether the new one is there does not read the old one, which may be large.
    newest = done.defer("result").order_by("-pk").first()
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
    if not frame and _on_the_spot(campaign, kind, mark.judgments):
        report_make(report=report)
        if report.status == Report.Status.DONE:
            return ReportView(report, True)
    else:
        _queue(report, made)
    return ReportView(newest, False, report)


def _has_many_runs(campaign: Campaign) -> bool:
    return campaign.runs.filter(status=Run.Status.DONE).count() > MANY_RUNS


def _just_started(campaign: Campaign) -> UnderWay | None:
    return runs_under_way(campaign=campaign, begun_within=RUNS_WAITED_FOR)


def _on_the_spot(campaign: Campaign, kind: str, judgments: int) -> bool:
    """Whether the request that asks for a report makes it: if that takes no longer than a page
    waits, or if there is no worker who could and the campaign is small."""
    if judgments > settings.REPORT_ON_THE_SPOT:
        return False
    if estimated_seconds(campaign=campaign, kind=kind, judgments=judgments) <= SECONDS:
        return True
    return not is_alive() and not is_starting()


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
    about = {"parameters": report.options["asked"]} if "asked" in report.options else {}
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
    old = list(same.order_by("-pk").values_list("pk", flat=True)[STORED:])
    old += chosen.order_by("-pk").values_list("pk", flat=True)[most:]
    if old:
        with short_write():
            Report.objects.filter(pk__in=old).delete()


# Reports that are stored already: nothing is computed, and no comparison counts as looked at.


@dataclass(frozen=True, slots=True)
class StoredReport:
    """The newest report about all judgments; `fresh`: nothing has changed since."""

    report: Report
    fresh: bool


def newest_report(*, campaign: Campaign, kind: str) -> Report | None:
    """Return the newest report of a kind about all judgments, fresh or not; one query."""
    done = Report.objects.filter(
        campaign=campaign, kind=kind, options_hash=Choice().digest(), status=Report.Status.DONE
    )
    return done.order_by("-pk").first()


def stored_report(*, campaign: Campaign, kind: str) -> StoredReport | None:
    """Return the newest report of a kind about all judgments, or None."""
    report = newest_report(campaign=campaign, kind=kind)
    if report is None:
        return None
    mark = fingerprint(campaign=campaign, kind=kind)
    return StoredReport(report, report.fingerprint == mark.text)


class ReportPage(CampaignPage):
    """A campaign's page that shows a report and its age, and asks again where none is there."""

    frame = True  # A file waits for its report instead.

    def report(
        self,
        kind: str,
        choice: Choice = Choice(),
        *,
        after_runs: bool = False,
        parameters: Mapping[str, str] | None = None,
    ) -> ReportView:
        """Return the report for the current data; see `report_get`."""
        return report_get(
            campaign=self.campaign,
            kind=kind,
            actor=self.user,
            choice=choice,
            after_runs=after_runs,
            parameters=parameters,
            frame=self.frame and opens_page(self.request) and "now" not in self.request.GET,
        )


def report_view(right: str = "read") -> PageView[ReportPage]:
    """A page of a report for members with this right."""
    return PageView(lambda request, slug: ReportPage(request, slug, right))
