"""One metric against human judgments, text by text."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from scoring.forms.choice import RegionForm
from scoring.presenters.correlation import PageRequest
from scoring.presenters.correlation_matrix import scatter_plot
from scoring.selectors.correlation.one_metric import (
    MOST_POINTS,
    Points,
    items_of,
    points_asked,
    points_of,
)
from scoring.selectors.ratings.tables import human_names
from scoring.selectors.runs import newest_done_runs, run_get, run_labels
from scoring.services.reports.compute import ReportView

LISTED, FURTHEST = 100, 2


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def one_metric(request: HttpRequest, slug: str) -> HttpResponse:
    """The page for the run and scale in the query string, else the first of each."""
    asked = PageRequest(request, slug)
    runs = newest_done_runs(campaign=asked.campaign)
    about, view, points = _points(asked)
    labels = run_labels(runs)
    kept, more = [], {}
    if about:
        run = run_get(campaign=asked.campaign, key=about["run"])
        kept = [("run", about["run"]), ("scale", about["scale"])]
        more = {"run": run, "human": about["scale"]}
    if points is not None:
        more |= _listed(request, points, slug) | _disagreeing(points, slug)
    return asked.page(
        "scoring/one_metric.html", kept=kept, view=view, points=points,
        runs=[(str(run.key), labels[run.pk]) for run in runs],
        scales=human_names(campaign=asked.campaign), region=RegionForm(request.GET),
        figures=_figures(points) if points and points.total else [], **more,
    )  # fmt: skip


@require_GET
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """The texts of a region, as a fragment for the open page."""
    asked = PageRequest(request, slug)
    if not request.GET.get("run"):
        raise NotFound(_("There is no such run."))
    _about, _view, points = _points(asked)
    more = _listed(request, points, slug) if points else {}
    context = {"points": points, "campaign": asked.campaign, **more}
    return render(request, "scoring/_region.html", context)


@require_GET
def beside(request: HttpRequest, slug: str) -> HttpResponse:
    """One metric's texts as dots and those furthest off, as a fragment beside the matrix."""
    asked = PageRequest(request, slug)
    about, view, points = _points(asked)
    context: dict[str, Any] = {"campaign": asked.campaign, "view": view, "points": points}
    if points is not None and points.total:
        higher, lower = points.disagreements()
        context |= {
            "plot": scatter_plot(points, items_of(points=points)),
            "furthest": [(row, row.point.url(slug))
                         for row in (*higher[:FURTHEST], *lower[:FURTHEST])],
        }  # fmt: skip
    context["url"] = f"{reverse('one-metric', args=[slug])}?" + urlencode(
        [*about.items(), *asked.form.pairs]
    )
    return render(request, "scoring/_beside.html", context)


def _points(asked: PageRequest) -> tuple[dict[str, str], ReportView | None, Points | None]:
    """What is asked for, the report, and its points; None if there are none yet."""
    about = points_asked(campaign=asked.campaign, data=asked.request.GET.dict())
    if not about:
        return about, None, None
    view, found = asked.report("one-metric", asked=about)
    if view.report is None:
        return about, view, None
    return about, view, points_of(campaign=asked.campaign, found=found)


def _figures(points: Points) -> list[dict[str, str]]:
    about = f"{points.label} · {points.human}"
    figures = [
        {
            "name": "scatter",
            "title": about,
            "help": _("With this many texts, a density is shown.")
            if points.total > MOST_POINTS
            else _("Each point is a text; a click opens its item."),
            "region": "region",
        },
        {
            "name": "values",
            "title": _("%(metric)s at each value of %(people)s")
            % {"metric": points.label, "people": points.human},
            "help": _("If there are many values, neighbours are grouped."),
        },
    ]
    if points.pass_and_fail:
        figures.append(
            {
                "name": "roc",
                "title": _("Predicting what passes by %(metric)s") % {"metric": points.label},
                "help": _("A text passes where its gold reaches every threshold. The dotted line "
                          "is chance."),
            }
        )  # fmt: skip
    return figures


def _disagreeing(points: Points, slug: str) -> dict[str, Any]:
    higher, lower = points.disagreements()
    sides = [
        (_("Rated higher by the metric than by people"), higher),
        (_("Rated higher by people than by the metric"), lower),
    ]
    return {
        "sides": [
            (title, [(row, row.point.url(slug)) for row in rows]) for title, rows in sides if rows
        ]
    }


def _listed(request: HttpRequest, points: Points, slug: str) -> dict[str, Any]:
    """The texts inside the region in the query string, lowest human value first."""
    region = RegionForm(request.GET)
    if not region.asked:
        return {"listed": None}
    inside = points.within(*region.ends())
    order = inside[points.better[1][inside].argsort(kind="stable")][:LISTED]
    found = points.texts(order.tolist())
    return {"listed": [(one, one.url(slug)) for one in found], "inside": int(inside.size)}
