"""Trends: the main numbers of reports, kept for the overview."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeAlias

from django.utils import timezone

from annotation.models import Campaign, Scale
from scoring.models import Report, TrendPoint
from scoring.ratings.choice import Choice
from scoring.stats.agreement.coefficients import AgreementReport, estimates_of
from scoring.stats.agreement.influence import ALPHA
from scoring.stats.evaluation.json_types import CorrelationReport
from scoring.stats.table import EstimateJson

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
