"""How far each metric agrees with people."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.services.errors import NotFound
from annotation.views.pages import campaign_page
from scoring.forms import ChoiceForm
from scoring.selectors.points import MOST_POINTS, figure_of, points_get
from scoring.selectors.runs import run_get
from scoring.services.reports import report_get

COEFFICIENTS = ("pearson", "spearman", "kendall", "pairwise_accuracy")
LISTED = 200  # Rows of the table behind the figure; the export of gold has all.


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def correlation(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    form = ChoiceForm(request.GET, campaign=campaign, kind="correlation")
    choice = form.choice()
    view = report_get(campaign=campaign, kind="correlation", actor=request.user, choice=choice)
    found = view.result or {"human": {}, "runs": []}
    kept = form.pairs
    chosen = _chosen(request, found)
    shown = None
    if chosen is not None:
        run = run_get(campaign=campaign, key=chosen["key"])
        query = _query(chosen["key"], chosen["scale"], kept)
        points = points_get(campaign=campaign, run=run, human=chosen["scale"], choice=choice)
        rows = sorted(points.points, key=lambda point: (point.human, point.metric))
        shown = {
            **chosen,
            "total": points.total,
            "sampled": points.total > MOST_POINTS,
            "points": [(point, point.url(slug)) for point in rows[:LISTED]],
            "source": f"{reverse('figure', args=[slug])}?{query}",
        }
    return campaign_page(
        request, "scoring/correlation.html", campaign=campaign, rights=rights, view=view,
        rows=_rows(found, chosen, kept), found=found, shown=shown,
        comparisons=_comparisons(found), choice_form=form, kept=_shown(chosen),
    )  # fmt: skip


def _query(run: str, scale: str, kept: list[tuple[str, str]]) -> str:
    return urlencode([("run", run), ("scale", scale), *kept])


def _shown(chosen: dict[str, Any] | None) -> list[tuple[str, str]]:
    return [("run", chosen["key"]), ("scale", chosen["scale"])] if chosen else []


def _chosen(request: HttpRequest, found: dict[str, Any]) -> dict[str, Any] | None:
    """The run and scale that the address names, or the first of each."""
    if not found["human"] or not found["runs"]:
        return None
    asked = request.GET.get("run", "")
    run = next((run for run in found["runs"] if run["key"] == asked), found["runs"][0])
    scale = request.GET.get("scale", "")
    return {**run, "scale": scale if scale in found["human"] else next(iter(found["human"]))}


def _rows(
    found: dict[str, Any], chosen: dict[str, Any] | None, kept: list[tuple[str, str]]
) -> list[dict[str, Any]]:
    return [
        {
            "human": human,
            "run": run,
            "cells": [numbers["metrics"][run["label"]][name] for name in COEFFICIENTS],
            "query": _query(run["key"], human, kept),
            "current": chosen is not None
            and (run["key"], human) == (chosen["key"], chosen["scale"]),
        }
        for human, numbers in found["human"].items()
        for run in found["runs"]
    ]


def _comparisons(found: dict[str, Any]) -> list[dict[str, Any]]:
    tests = ("permutation_p", "williams_p", "mcnemar_p")
    return [
        {
            "human": human,
            **one,
            "p_values": [
                {"text": _p_text(one[test]), "reason": one["reasons"].get(test, "")}
                for test in tests
            ],
        }
        for human, numbers in found["human"].items()
        for one in numbers["comparisons"]
    ]


def _p_text(value: float | None) -> str:
    """Never 0: a p-value is only smaller than what is shown."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


@require_GET
def figure(request: HttpRequest, slug: str) -> JsonResponse:
    """The figure of one run and one scale, as data."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    run = run_get(campaign=campaign, key=request.GET.get("run", ""))
    human = request.GET.get("scale", "")
    choice = ChoiceForm(request.GET, campaign=campaign, kind="correlation").choice()
    points = points_get(campaign=campaign, run=run, human=human, choice=choice).points
    if not points:
        raise NotFound(_("There are no texts with this metric and this scale."))
    return JsonResponse(figure_of(points, slug=slug, human=human, metric=run.label))
