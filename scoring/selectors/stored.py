"""Reports that are stored already: nothing is computed, and no comparison counts as looked at."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Campaign, Substitution
from scoring.models import Report, Run, TrendPoint
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.fingerprint import fingerprint

DAYS = 60


@dataclass(frozen=True, slots=True)
class StoredReport:
    """The newest report about all judgments; `fresh`: nothing has changed since."""

    report: Report
    fresh: bool


def stored_report(*, campaign: Campaign, kind: str) -> StoredReport | None:
    """Return the newest report of a kind about all judgments, or None."""
    done = Report.objects.filter(
        campaign=campaign, kind=kind, options_hash=Choice().digest(), status=Report.Status.DONE
    )
    found = done.order_by("-pk").first()
    if found is None:
        return None
    mark = fingerprint(campaign=campaign, kind=kind)
    return StoredReport(found, found.fingerprint == mark.text)


def trend_of(*, campaign: Campaign, kind: str) -> list[TrendPoint]:
    """The main numbers of the last days with a report, oldest first; one query."""
    newest = TrendPoint.objects.filter(campaign=campaign, kind=kind).order_by("-day")[:DAYS]
    return list(reversed(newest))


def failed_runs(*, campaign: Campaign) -> int:
    """How many metrics have failed and were not finished since; one query."""
    over = (Run.Status.DONE, Run.Status.FAILED)
    runs = Run.objects.filter(campaign=campaign, status__in=over).order_by("pk")
    newest = dict(runs.values_list("options_hash", "status"))
    return sum(status == Run.Status.FAILED for status in newest.values())


def texts_without_scores(*, campaign: Campaign) -> tuple[int, int]:
    """How many metrics were run, or how many of them are out of date, and how many texts were added
    after the oldest of these; at most two queries."""
    done = Run.objects.filter(campaign=campaign, status=Run.Status.DONE).order_by("pk")
    newest = dict(done.values_list("options_hash", "last_substitution"))
    if not newest:
        return 0, 0
    outputs = Substitution.objects.filter(campaign=campaign, role=Substitution.Role.OUTPUT)
    later = list(
        outputs.filter(pk__gt=min(newest.values())).order_by("pk").values_list("pk", flat=True)
    )
    if not later:
        return len(newest), 0
    return sum(last < later[-1] for last in newest.values()), len(later)
