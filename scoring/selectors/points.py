"""The points of a scatter of metric against people, and the figure as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.urls import reverse

from annotation.models import Campaign, Item, Substitution
from scoring.models import Run
from scoring.selectors.choice import Choice
from scoring.selectors.outcomes import gold_columns
from scoring.selectors.ratings import ratings_get
from scoring.selectors.runs import run_columns

MOST_POINTS = 5000
SHORT = 80


@dataclass(frozen=True, slots=True)
class Point:
    """One text: the metric's value, the gold, and where to read about it."""

    metric: float
    human: float
    phrase: str
    text: str
    item: UUID

    def url(self, slug: str) -> str:
        return reverse("item", args=[slug, self.item])


@dataclass(frozen=True, slots=True)
class Points:
    """`total` counts the texts with both values; more than MOST_POINTS are drawn by lot."""

    points: list[Point]
    total: int


def points_get(
    *,
    campaign: Campaign,
    run: Run,
    human: str,
    choice: Choice = Choice(),  # noqa: B008 frozen
) -> Points:
    """The texts with a score of the run and gold on `human`; eight queries. None for a column
    that does not exist: no points."""
    ratings = ratings_get(campaign=campaign, choice=choice)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    if human not in columns:
        return Points([], 0)
    x = run_columns(runs=[run], substitutions=ratings.units)[run.pk]
    y = columns[human].mean
    both = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    drawn = both
    if both.size > MOST_POINTS:
        # Always the same lot: a page that is loaded again shows the same points.
        drawn = np.sort(np.random.default_rng(0).choice(both, MOST_POINTS, replace=False))
    ids = ratings.units[drawn].tolist()
    texts = _texts(ids)
    points = []
    for unit, pk in zip(drawn.tolist(), ids, strict=True):
        text, phrase, key = texts[pk]
        points.append(Point(float(x[unit]), float(y[unit]), phrase, text, key))
    return Points(points, int(both.size))


def _texts(ids: list[int]) -> dict[int, tuple[str, str, UUID]]:
    rows = Substitution.objects.filter(pk__in=ids).values_list("pk", "text", "item_id")
    found = list(rows)
    items = {
        pk: (phrase, key)
        for pk, phrase, key in Item.objects.filter(
            pk__in={item for _, _, item in found}
        ).values_list("pk", "phrase__text", "key")
    }
    return {pk: (text, *items[item]) for pk, text, item in found}


def figure_of(points: list[Point], *, slug: str, human: str, metric: str) -> dict[str, Any]:
    """A Plotly figure as plain data: one marker per text, whose customdata is the address of its
    item. Texts are escaped: Plotly reads some HTML in labels."""
    axis = {"zeroline": False, "gridcolor": "#dddddd"}
    return {
        "data": [
            {
                "type": "scattergl" if len(points) > 1000 else "scatter",
                "mode": "markers",
                "x": [point.metric for point in points],
                "y": [point.human for point in points],
                "text": [f"{_plain(point.phrase)} → {_plain(point.text)}" for point in points],
                "customdata": [point.url(slug) for point in points],
                "hovertemplate": f"%{{text}}<br>{_plain(metric)}: %{{x:.3f}}<br>"
                f"{_plain(human)}: %{{y:.2f}}<extra></extra>",
                "marker": {"size": 8, "opacity": 0.55, "color": "#1f5f8b"},
            }
        ],
        "layout": {
            "xaxis": {**axis, "title": {"text": _plain(metric)}},
            "yaxis": {**axis, "title": {"text": _plain(human)}},
            "margin": {"l": 60, "r": 20, "t": 20, "b": 55},
            "hovermode": "closest",
            "paper_bgcolor": "#ffffff",
            "plot_bgcolor": "#ffffff",
            "font": {"color": "#1d1e20"},
        },
    }


def _plain(text: str) -> str:
    """Shortened, and without what Plotly would take for markup or for a place in a template."""
    short = text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("%{", "% {")):
        short = short.replace(mark, safe)
    return " ".join(short.split())
