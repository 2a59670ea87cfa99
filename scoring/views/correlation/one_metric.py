"""One metric against human judgments, text by text."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.models import Campaign
from annotation.selectors.access import campaign_get
from scoring.forms.choice import ChoiceForm, RegionForm
from scoring.presenters.correlation import correlation_page
from scoring.selectors.correlation.one_metric import MOST_POINTS, Points, points_get
from scoring.selectors.ratings.tables import Choice
from scoring.selectors.runs import newest_done_runs, run_get, run_labels

LISTED = 100


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Plotly writes style elements.
def one_metric(request: HttpRequest, slug: str) -> HttpResponse:
    """The page for the run and scale in the query string, else the first of each."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    form = ChoiceForm(request.GET, campaign=campaign, kind="correlation")
    runs = newest_done_runs(campaign=campaign)
    labels = run_labels(runs)
    points = _points(request, campaign, form.choice(), runs[0].key if runs else None)
    kept, more = [], {}
    if points is not None:
        kept = [("run", str(points.run.key)), ("scale", points.human)]
        more = _listed(request, points, slug) | _disagreeing(points, slug)
    return correlation_page(
        request, "scoring/one_metric.html", campaign=campaign, rights=rights, form=form,
        kept=kept, points=points, runs=[(str(run.key), labels[run.pk]) for run in runs],
        scales=list(points.columns.said) if points else [], region=RegionForm(request.GET),
        figures=_figures(points) if points and points.total else [], **more,
    )  # fmt: skip


@require_GET
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """The texts of a region, as a fragment for the open page."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="read")
    choice = ChoiceForm(request.GET, campaign=campaign, kind="correlation").choice()
    points = _points(request, campaign, choice, "")
    more = _listed(request, points, slug) if points else {}
    return render(request, "scoring/_region.html", {"points": points, "campaign": campaign, **more})


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


def _points(request: HttpRequest, campaign: Campaign, choice: Choice, usual: Any) -> Points | None:
    """The points; None if no run is given and none exists."""
    key = request.GET.get("run") or usual
    if key is None:
        return None
    run = run_get(campaign=campaign, key=key)
    human = request.GET.get("scale", "")
    return points_get(campaign=campaign, run=run, human=human, choice=choice)


def _listed(request: HttpRequest, points: Points, slug: str) -> dict[str, Any]:
    """The texts inside the region in the query string, lowest human value first."""
    region = RegionForm(request.GET)
    if not region.asked:
        return {"listed": None}
    inside = points.within(*region.ends())
    order = inside[points.better[1][inside].argsort(kind="stable")][:LISTED]
    found = points.texts(order.tolist())
    return {"listed": [(one, one.url(slug)) for one in found], "inside": int(inside.size)}
