"""Mixes of metrics: two by weight, and the best linear one of all."""

from __future__ import annotations

from typing import Any, TypedDict

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from scoring.presenters.correlation import PageRequest, heads
from scoring.selectors.correlation.columns import columns_get
from scoring.selectors.correlation.mixes import best_mix_get, fit_of, mix_get, mixed, scaling_of
from scoring.selectors.runs import newest_done_runs
from scoring.stats.estimate import Estimate
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.mixes import MARKED, MixCurve

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
    columns = columns_get(campaign=asked.campaign, choice=asked.choice, runs=runs)
    human_names = list(columns.human)
    context: dict[str, Any] = {"figures": []}
    kept: list[tuple[str, str]] = []
    if len(runs) > 1 and human_names:
        human = request.GET.get("scale", "")
        human = human if human in human_names else human_names[0]
        first, second = mixed(runs, request.GET)
        scaling, fit = scaling_of(request.GET), fit_of(request.GET)
        kept = [("first", str(first.key)), ("second", str(second.key)), ("scale", human),
                ("scaling", scaling), ("fit", fit)]  # fmt: skip
        curve = mix_get(columns=columns, runs=(first, second), human=human, scale=scaling)
        best = best_mix_get(columns=columns, human=human, fit=fit)
        context = {
            "first": first, "second": second, "scale": human, "scaling": scaling, "fit": fit,
            "curve": curve, "points": _points(curve), "best": best, "singles": _singles(best),
            "weights": list(zip(best.names, best.weights, strict=False)),
            "runs": [(str(run.key), columns.labels[run.pk]) for run in runs],
            "figures": [
                {
                    "name": "mix",
                    "title": f"{curve.first} + {curve.second}",
                    "help": _("Marked: the mixes 2:8, 5:5 and 8:2. The best weight was fitted on "
                              "these same texts."),
                }
            ],
        }  # fmt: skip
    return asked.page(
        "scoring/mixes.html", kept=kept, scales=human_names,
        scalings=SCALE_NAMES.items(), fits=FIT_NAMES.items(),
        curve_heads=heads("curve"), mix_heads=heads("mixes"), **context,
    )  # fmt: skip


class MixRow(TypedDict):
    """A mix with Pearson and Spearman."""

    ratio: str
    cells: list[Estimate]


def _points(curve: MixCurve) -> list[MixRow]:
    """The marked mixes and both ends."""
    wanted = (0.0, *MARKED, 1.0)
    return [
        {"ratio": f"{round(10 * weight)}:{round(10 * (1 - weight))}", "cells": [r, rho]}
        for weight, r, rho in zip(curve.weights, curve.pearson, curve.spearman, strict=True)
        if any(abs(weight - one) < 1e-9 for one in wanted)
    ]


def _singles(best: Any) -> list[tuple[str, list[Any]]]:
    """The mix and each metric alone on the same texts, best first."""
    names = tuple(at("mixes"))
    rows = [(label, [found[name] for name in names]) for label, found in best.singles.items()]
    rows.sort(key=lambda row: -(row[1][0].value if row[1][0].value is not None else -2))
    return [(_("the mix, on items it was not fitted on"), [best.found[n] for n in names]), *rows]
