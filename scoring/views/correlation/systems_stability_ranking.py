"""Correlation over systems, its stability by amount of data, and the ranking of paraphrases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from paraanno.translated import translated
from scoring.presenters.correlation import PageRequest, heads
from scoring.selectors.correlation.report_figures import MOST_LINES
from scoring.selectors.correlation.tables import OVER_SYSTEMS
from scoring.stats.estimate import EstimateJson
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.json_types import (
    AccuracyJson,
    HumanJson,
    HumanStability,
    RankingJson,
    SystemLevelJson,
)


class LevelRow(TypedDict):
    """A metric over `n` systems: a cell per coefficient, None where it was not computed."""

    label: str
    cells: list[EstimateJson | None]
    n: int


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    """Correlation over systems, by means and by corpus scores; and within each system."""
    asked = PageRequest(request, slug)
    view, found = asked.report("correlation-systems", after_runs=True)
    human = asked.scale(found)
    numbers: HumanJson | None = found["human"].get(human)
    means = numbers.get("systems", {}) if numbers else {}
    corpus = numbers.get("corpus", {}) if numbers else {}
    tables = [
        (_("By the mean score of each system’s texts"), _level(means)),
        (_("By the metric’s corpus score of each system"), _level(corpus)),
    ]
    labels = [run["label"] for run in found["runs"]]
    label = request.GET.get("metric", "")
    metric = label if label in labels else next(iter(labels), "")
    others = [one for one in labels if one != metric]
    beside = request.GET.get("beside", "")
    beside = beside if beside in others else next(iter(others), "")
    kept = [("scale", human), ("metric", metric), ("beside", beside)]
    return asked.page(
        "scoring/correlation_systems.html", view=view, found=found, scales=list(found["human"]),
        scale=human, labels=labels, metric=metric, beside=beside, kept=kept,
        tables=[(title, rows) for title, rows in tables if rows], heads=heads("systems"),
        figures=_system_figures(metric, beside, human) if means else [],
    )  # fmt: skip


def _level(level: Mapping[str, SystemLevelJson]) -> list[LevelRow]:
    """Table rows, one for each metric."""
    return [
        {
            "label": label,
            "cells": [one.get(name) for name in OVER_SYSTEMS],
            "n": len(one["systems"]),
        }
        for label, one in level.items()
    ]


def _system_figures(metric: str, beside: str, human: str) -> list[dict[str, str]]:
    both = {
        "name": "two-metrics",
        "title": _("Systems by %(one)s and %(other)s") % {"one": metric, "other": beside},
        "help": _("Each point is a system with its mean gold value (%(people)s): the larger the "
                  "point, the higher.") % {"people": human},
    }  # fmt: skip
    return [
        {
            "name": "systems",
            "title": _("Systems by %(metric)s and %(people)s")
            % {"metric": metric, "people": human},
            "help": _("Each point is a system: its mean gold value and its score."),
        },
        *([both] if beside else []),
        {
            "name": "per-system",
            "title": _("Pearson with people within each system"),
            "help": _("Over the texts of the system. An empty cell is undefined."),
        },
    ]


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def stability(request: HttpRequest, slug: str) -> HttpResponse:
    """Coefficients by number of items and annotators; items needed to distinguish two metrics."""
    asked = PageRequest(request, slug)
    view, found = asked.report("stability", after_runs=True)
    human = asked.scale(found)
    by = request.GET.get("by", "")
    coefficients = {key: translated(label) for key, label in at("stability").items()}
    by = by if by in coefficients else "pearson"
    none: HumanStability = {"items": [], "annotators": [], "power": []}
    numbers: HumanStability = found["human"].get(human, none)
    return asked.page(
        "scoring/stability.html", view=view, found=found, scales=list(found["human"]),
        scale=human, by=by, coefficients=coefficients.items(), kept=[("scale", human), ("by", by)],
        power=numbers["power"], figures=_stability_figures(numbers, by),
        reasons=sorted({one["reason"] for one in [*numbers["items"], *numbers["annotators"]]
                        if one["reason"]}),
    )  # fmt: skip


def _stability_figures(numbers: HumanStability, by: str) -> list[dict[str, str]]:
    figures = [
        {
            "name": "by-items",
            "title": _("By number of items"),
            # xgettext:no-python-format
            "help": _("Mean and middle 95 % over random subsets of the items. Subsets overlap: the "
                      "band shows what fewer items would have given, not the uncertainty of the "
                      "full value."),
        },
        {
            "name": "by-annotators",
            "title": _("By number of ratings for each text"),
            # xgettext:no-python-format
            "help": _("Mean and middle 95 % over random orders of each text’s ratings."),
        },
    ]  # fmt: skip
    shown = []
    for curves, figure in zip((numbers["items"], numbers["annotators"]), figures, strict=True):
        lines = sum(bool(one["points"]) for one in curves if one["coefficient"] == by)
        if lines > MOST_LINES:
            most = _("Drawn: the %(most)s metrics of %(all)s that are highest with all data.")
            figure["help"] += " " + most % {"most": MOST_LINES, "all": lines}
        if lines:
            shown.append(figure)
    return shown


@require_GET
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """White's ranking: how often each metric orders two paraphrases of an item as people do."""
    asked = PageRequest(request, slug)
    view, found = asked.report("ranking", after_runs=True)
    human = asked.scale(found)
    numbers: RankingJson | None = found["human"].get(human)
    majority: RankingJson | None = found.get("majority", {}).get(human)
    return asked.page(
        "scoring/ranking.html", view=view, found=found, scales=list(found["human"]), scale=human,
        kept=[("scale", human)] if human else [], numbers=numbers, majority=majority,
        accuracies=_percent(numbers), by_majority=_percent(majority),
        table=numbers["table"] if numbers and numbers["tests"] else None,
    )  # fmt: skip


def _percent(numbers: RankingJson | None) -> list[tuple[str, AccuracyJson]]:
    """The accuracies in per cent, the best first."""
    found = numbers["accuracies"].items() if numbers else ()
    return [
        (name, {**one, "strict": 100 * one["strict"], "half": 100 * one["half"]})
        for name, one in sorted(found, key=lambda one: -one[1]["half"])
    ]
