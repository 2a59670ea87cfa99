"""Mixes of metrics: two by weight, and the best linear one of all."""

from __future__ import annotations

from typing import Any, TypedDict

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from scoring.presenters.correlation import PageRequest, heads
from scoring.selectors.correlation.mixes import mixes_asked
from scoring.selectors.ratings.tables import human_names
from scoring.selectors.runs import newest_done_runs, run_labels
from scoring.stats.estimate import EstimateJson
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.json_types import MixesReport
from scoring.stats.evaluation.mixes import MARKED, BestMixJson, MixCurveJson

SCALE_NAMES = {
    "minmax": gettext_lazy("each from 0 to 1 over these texts"),
    "raw": gettext_lazy("as they are"),
    "z": gettext_lazy("standardised"),
}
FIT_NAMES = {
    "nnls": gettext_lazy("no weight below 0"),
    "ols": gettext_lazy("any weight"),
}


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def mixes(request: HttpRequest, slug: str) -> HttpResponse:
    """The page for the metrics, scale and scaling in the query string, else the first ones."""
    asked = PageRequest(request, slug)
    runs = newest_done_runs(campaign=asked.campaign)
    labels = run_labels(runs)
    about = mixes_asked(campaign=asked.campaign, data=request.GET.dict())
    view, context = None, {}
    if about:
        view, found = asked.report("mixes", after_runs=True, asked=about)
        context = _shown(found)
    return asked.page(
        "scoring/mixes.html", view=view, about=about, kept=list(about.items()),
        runs=[(str(run.key), labels[run.pk]) for run in runs],
        scales=human_names(campaign=asked.campaign), scalings=SCALE_NAMES.items(),
        fits=FIT_NAMES.items(), curve_heads=heads("curve"), mix_heads=heads("mixes"), **context,
    )  # fmt: skip


def _shown(found: MixesReport) -> dict[str, Any]:
    """Tables and the figure of a report; none while it is made."""
    curve, best = found.get("curve"), found.get("best")
    if curve is None or best is None:
        return {"figures": []}
    return {
        "curve": curve, "points": _points(curve), "best": best, "singles": _singles(best),
        "weights": list(zip(best["names"], best["weights"], strict=False)),
        "figures": [
            {
                "name": "mix",
                "title": f"{curve['first']} + {curve['second']}",
                "help": _("Marked: the mixes 2:8, 5:5 and 8:2. The best weight was fitted on "
                          "these same texts."),
            }
        ],
    }  # fmt: skip


class MixRow(TypedDict):
    """A mix with Pearson and Spearman."""

    ratio: str
    cells: list[EstimateJson]


def _points(curve: MixCurveJson) -> list[MixRow]:
    """The marked mixes and both ends."""
    wanted = (0.0, *MARKED, 1.0)
    return [
        {
            "ratio": f"{round(10 * point['weight'])}:{round(10 * (1 - point['weight']))}",
            "cells": [point["pearson"], point["spearman"]],
        }
        for point in curve["points"]
        if any(abs(point["weight"] - one) < 1e-9 for one in wanted)
    ]


def _singles(best: BestMixJson) -> list[tuple[str, list[EstimateJson]]]:
    """The mix and each metric alone on the same texts, best first."""
    names = tuple(at("mixes"))
    rows = [(label, [found[name] for name in names]) for label, found in best["singles"].items()]
    rows.sort(key=lambda row: -(row[1][0]["value"] if row[1][0]["value"] is not None else -2))
    mixed = [best["out_of_fold"][name] for name in names]
    return [(_("the mix, on items it was not fitted on"), mixed), *rows]
