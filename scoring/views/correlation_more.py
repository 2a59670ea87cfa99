"""Metrics and people over systems, by amount of data, and as a ranking of paraphrases."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from scoring.selectors.correlation_figures import BY_DATA
from scoring.views.correlation_frame import Asked

OVER_SYSTEMS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    "pairwise_accuracy": gettext_lazy("Pairs of systems in order"),
    "soft_pairwise_accuracy": gettext_lazy("Soft pairwise accuracy"),
}
Result = dict[str, Any]


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    """Every metric over systems, by means and by corpus scores; and within each system."""
    asked = Asked(request, slug)
    view, found = asked.report("correlation-systems")
    human = asked.scale(found)
    numbers = found["human"].get(human, {})
    tables = [
        (_("By the mean score of each system’s texts"), _level(numbers.get("systems", {}))),
        (_("By the metric’s corpus score of each system"), _level(numbers.get("corpus", {}))),
    ]
    labels = [run["label"] for run in found["runs"]]
    label = request.GET.get("metric", "")
    metric = label if label in labels else next(iter(labels), "")
    return asked.page(
        "scoring/correlation_systems.html", view=view, found=found, scales=list(found["human"]),
        scale=human, labels=labels, metric=metric, kept=[("scale", human), ("metric", metric)],
        tables=[(title, rows) for title, rows in tables if rows], heads=OVER_SYSTEMS.values(),
        figures=_system_figures(metric, human) if numbers.get("systems") else [],
    )  # fmt: skip


def _level(level: Result) -> list[Result]:
    """A row for each metric."""
    return [
        {
            "label": label,
            "cells": [one.get(name, {"value": None}) for name in OVER_SYSTEMS],
            "n": len(one["systems"]),
        }
        for label, one in level.items()
    ]


def _system_figures(metric: str, human: str) -> list[dict[str, str]]:
    return [
        {
            "name": "systems",
            "title": _("Systems by %(metric)s and %(people)s")
            % {"metric": metric, "people": human},
            "help": _("Each point is a system: its mean gold value and its score."),
        },
        {
            "name": "per-system",
            "title": _("Pearson with people within each system"),
            "help": _("Over the texts that the system made. An empty cell is undefined."),
        },
    ]


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def stability(request: HttpRequest, slug: str) -> HttpResponse:
    """Coefficients by number of items and annotators; how many items tell two metrics apart."""
    asked = Asked(request, slug)
    view, found = asked.report("stability")
    human = asked.scale(found)
    by = request.GET.get("by", "")
    by = by if by in BY_DATA else "pearson"
    numbers = found["human"].get(human, {"items": [], "annotators": [], "power": []})
    return asked.page(
        "scoring/stability.html", view=view, found=found, scales=list(found["human"]),
        scale=human, by=by, coefficients=BY_DATA.items(), kept=[("scale", human), ("by", by)],
        power=numbers["power"], figures=_stability_figures(numbers, by),
        reasons=sorted({one["reason"] for kind in ("items", "annotators")
                        for one in numbers[kind] if one["reason"]}),
    )  # fmt: skip


def _stability_figures(numbers: Result, by: str) -> list[dict[str, str]]:
    figures = [
        {
            "name": "by-items",
            "title": _("By number of items"),
            # xgettext:no-python-format
            "help": _("Mean and middle 95 % over random parts of the items. Parts of the same data "
                      "overlap: the band says what fewer items would have given, not how sure the "
                      "full figure is."),
        },
        {
            "name": "by-annotators",
            "title": _("By number of ratings for each text"),
            # xgettext:no-python-format
            "help": _("Mean and middle 95 % over random orders of each text’s ratings."),
        },
    ]  # fmt: skip
    shown = []
    for kind, figure in zip(("items", "annotators"), figures, strict=True):
        if any(one["points"] for one in numbers[kind] if one["coefficient"] == by):
            shown.append(figure)
    return shown


@require_GET
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """White's ranking: how often each metric orders two paraphrases of an item as people do."""
    asked = Asked(request, slug)
    view, found = asked.report("ranking")
    human = asked.scale(found)
    numbers = found["human"].get(human)
    accuracies = sorted(
        (numbers or {}).get("accuracies", {}).items(), key=lambda one: -one[1]["half"]
    )
    return asked.page(
        "scoring/ranking.html", view=view, found=found, scales=list(found["human"]), scale=human,
        kept=[("scale", human)] if human else [], numbers=numbers,
        accuracies=[(name, {**one, "strict": 100 * one["strict"], "half": 100 * one["half"]})
                    for name, one in accuracies],
        table=numbers["table"] if numbers and numbers["tests"] else None,
    )  # fmt: skip
