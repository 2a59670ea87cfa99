"""Keeping the main numbers of reports for the overview's course of time."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from annotation.models import Scale
from scoring.models import Report, TrendPoint
from scoring.selectors.choice import Choice

ALPHA = {
    Scale.Level.NOMINAL: "alpha_nominal",
    Scale.Level.ORDINAL: "alpha_ordinal",
    Scale.Level.NUMERIC: "alpha_interval",
}


def trend_note(*, report: Report, result: dict[str, Any]) -> None:
    """Remember what a report about all judgments says; others leave no trace. Call it in the
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


def _alphas(report: Report, result: dict[str, Any]) -> dict[str, Any]:
    """By scale, the alpha that fits its level."""
    levels = dict(Scale.objects.filter(campaign_id=report.campaign_id).values_list("name", "level"))
    found = {}
    for scale, numbers in result["scales"].items():
        name = ALPHA[Scale.Level(levels.get(scale, Scale.Level.ORDINAL))]
        found[scale] = _row(numbers[name], name)
    return found


def _best(report: Report, result: dict[str, Any]) -> dict[str, Any]:
    """By what people say, the metric with the greatest Pearson."""
    found = {}
    for human, numbers in result["human"].items():
        rows = {
            label: one["pearson"]
            for label, one in numbers["metrics"].items()
            if one["pearson"]["value"] is not None
        }
        if rows:
            label = max(rows, key=lambda name: rows[name]["value"])
            found[human] = _row(rows[label], label)
    return found


def _row(estimate: dict[str, Any], name: str) -> list[Any]:
    return [estimate["value"], estimate.get("ci_low"), estimate.get("ci_high"), name]


MAKERS = {"agreement": _alphas, "correlation": _best}
