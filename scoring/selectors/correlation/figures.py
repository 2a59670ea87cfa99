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
from scoring.selectors.correlation.columns import columns_get
from scoring.selectors.correlation.mixes import mix_figure, mix_get, mixed, scaling_of
from scoring.selectors.correlation.one_metric import Points, points_get, roc, scatter, values
from scoring.selectors.ratings.tables import Choice
from scoring.selectors.runs import newest_done_runs, run_get
from scoring.stats.evaluation.catalogue import at


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """The subject of a figure. `data` holds the query parameters (`run`, `scale` and the like), and
    `report` returns a stored report by its kind."""

    campaign: Campaign
    choice: Choice
    data: Mapping[str, str]
    report: Callable[[str], Any]

    def points(self) -> Points:
        """The texts with one metric and one scale; NotFound if there are none."""
        run = run_get(campaign=self.campaign, key=self.data.get("run", ""))
        found = points_get(
            campaign=self.campaign, run=run, human=self.asked("scale"), choice=self.choice
        )
        if not found.total or found.human != self.asked("scale"):
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
    runs = newest_done_runs(campaign=asked.campaign)
    if len(runs) < 2:
        raise NotFound(_("Two metrics are needed."))
    pair = mixed(runs, asked.data)
    columns = columns_get(campaign=asked.campaign, choice=asked.choice, runs=pair)
    human, scale = asked.asked("scale"), scaling_of(asked.data)
    if human not in columns.human:
        raise NotFound(_("There are no texts with this metric and this scale."))
    return mix_figure(mix_get(columns=columns, runs=pair, human=human, scale=scale))


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
