"""The figures of the correlation pages, by name and query string."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from scoring.figures import Figure
from scoring.selectors.correlation import report_figures as drawn
from scoring.selectors.correlation.mixes import mix_figure, mixes_asked
from scoring.selectors.correlation.one_metric import (
    Points,
    points_asked,
    points_of,
    roc,
    scatter,
    values,
)
from scoring.selectors.ratings.tables import Choice
from scoring.stats.evaluation.catalogue import at


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """The subject of a figure. `data` holds the query parameters (`run`, `scale` and the like), and
    `report` returns a stored report by its kind and by what is asked of it."""

    campaign: Campaign
    choice: Choice
    data: Mapping[str, str]
    report: Callable[..., Any]

    def points(self) -> Points:
        """The texts with one metric and one scale; NotFound if there are none."""
        if not self.asked("run"):
            raise NotFound(_("There is no such run."))
        what = points_asked(campaign=self.campaign, data=self.data)
        report = self.report("one-metric", what)
        found = points_of(campaign=self.campaign, found=report) if report.get("run") else None
        if found is None or not found.total or found.human != self.asked("scale"):
            raise NotFound(_("There are no texts with this metric and this scale."))
        return found

    def asked(self, name: str) -> str:
        """A query parameter; empty if missing."""
        return self.data.get(name, "")


def _roc(asked: FigureRequest) -> Figure:
    found = roc(asked.points())
    if found is None:
        raise NotFound(_("There is nothing to draw: no text passes, or all do."))
    return found


def _mix(asked: FigureRequest) -> Figure:
    what = mixes_asked(campaign=asked.campaign, data=asked.data)
    if not what:
        raise NotFound(_("Two metrics are needed."))
    curve = asked.report("mixes", what).get("curve")
    if curve is None or what["scale"] != asked.asked("scale"):
        raise NotFound(_("There are no texts with this metric and this scale."))
    return mix_figure(curve)


def _by_data(kind: str) -> Callable[[FigureRequest], Figure]:
    def draw(asked: FigureRequest) -> Figure:
        by = asked.asked("by")
        coefficient = by if by in at("stability") else "pearson"
        report = asked.report("stability")
        return drawn.by_data(report, asked.asked("scale"), coefficient, kind)

    return draw


FIGURES: dict[str, Callable[[FigureRequest], Figure]] = {
    "scatter": lambda asked: scatter(asked.points(), slug=asked.campaign.slug),
    "values": lambda asked: values(asked.points()),
    "roc": _roc,
    "coefficients": lambda asked: drawn.coefficients(asked.report("correlation")),
    "among": lambda asked: drawn.among(asked.report("correlation")),
    "systems": lambda asked: drawn.systems(
        asked.report("correlation-systems"), asked.asked("scale"), asked.asked("metric")
    ),
    "two-metrics": lambda asked: drawn.two_metrics(
        asked.report("correlation-systems"),
        asked.asked("scale"),
        asked.asked("metric"),
        asked.asked("beside"),
    ),
    "per-system": lambda asked: drawn.per_system(
        asked.report("correlation-systems"), asked.asked("scale")
    ),
    "mix": _mix,
    "by-items": _by_data("items"),
    "by-annotators": _by_data("annotators"),
}


def figure_get(*, name: str, asked: FigureRequest) -> Figure:
    """Return the figure called `name`; NotFound if it does not exist or has nothing to draw."""
    if name not in FIGURES:
        raise NotFound(_("There is no such figure."))
    return FIGURES[name](asked)
