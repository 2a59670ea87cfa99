"""How long a report would take, before it is made."""

from __future__ import annotations

from annotation.models import Annotator, Campaign
from scoring.models import Report
from scoring.selectors.runs import newest_done_runs

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
