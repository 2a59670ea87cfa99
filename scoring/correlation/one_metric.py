"""One metric against human judgments, text by text: the points, and their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import Campaign, Item, Substitution
from paraanno.common.cells import known_tag
from scoring.correlation.report import columns_get
from scoring.figures.data import Axis, Figure, Grid, Mark, Series
from scoring.metrics.registry import printed, printed_names
from scoring.models import Run, Score, TrendPoint
from scoring.ratings.choice import Choice
from scoring.ratings.tables import FloatArray, IntArray, human_names
from scoring.runs.queries import TEXT_NAMES, newest_done_runs, run_get, run_labels, texts_named
from scoring.stats.evaluation.json_types import PointsReport
from scoring.stats.evaluation.one_metric import by_human_value, disagreement, roc_curves

MOST_DISAGREEING = 10
MOST_POINTS = 5000  # More points are drawn as a density plot, which shows all of them.
GRID = (60, 40)


@dataclass(frozen=True, slots=True)
class Point:
    """One text: its score, its gold value, and its item."""

    metric: float
    human: float
    phrase: str
    text: str
    item: UUID
    language: str
    substitution: int

    def url(self, slug: str) -> str:
        return reverse("item", args=[slug, self.item])


@dataclass(frozen=True, slots=True)
class Disagreeing:
    """A text with its percentile by the metric and by people, 0 (worst) to 100 (best), and the
    detail of its score."""

    point: Point
    by_metric: int
    by_people: int
    detail: Any


@dataclass(frozen=True, eq=False, slots=True)
class Points:
    """The units with both values, (n,) each; `passed` is 1, 0, or NaN where a scale has no gold.

    `turned`: lower is better on the human column."""

    run: Run
    label: str
    human: str
    turned: bool
    units: IntArray
    metric: FloatArray
    people: FloatArray
    passed: FloatArray

    @property
    def total(self) -> int:
        return int(self.units.size)

    @property
    def better(self) -> tuple[FloatArray, FloatArray]:
        """Scores and gold with the sign reversed if lower is better."""
        return (
            self.metric if self.run.higher_is_better else -self.metric,
            -self.people if self.turned else self.people,
        )

    @property
    def pass_and_fail(self) -> bool:
        """Whether some of the texts pass and some fail, so that a ROC curve exists."""
        return bool((self.passed == 1).any() and (self.passed == 0).any())

    def texts(self, places: Sequence[int] | IntArray) -> list[Point]:
        """The texts at some indices of this table, in that order; two queries."""
        ids = self.units[np.asarray(places, dtype=np.int64)].tolist()
        details = _texts(ids)
        return [
            Point(float(self.metric[at]), float(self.people[at]), *details[pk], pk)
            for at, pk in zip(places, ids, strict=True)
        ]

    def disagreements(self) -> tuple[list[Disagreeing], list[Disagreeing]]:
        """The texts that the metric ranks furthest above and furthest below people; three
        queries."""
        people, metric = self.better[1], self.better[0]
        comparison = disagreement(people, metric, MOST_DISAGREEING)
        places = [*comparison.metric_higher.tolist(), *comparison.people_higher.tolist()]
        texts = self.texts(places)
        details = dict(
            Score.objects.filter(
                run=self.run, substitution__in=[one.substitution for one in texts]
            ).values_list("substitution", "detail")
        )
        rows = [
            Disagreeing(
                one,
                round(100 * comparison.metric_percentile[at]),
                round(100 * comparison.human_percentile[at]),
                details.get(one.substitution),
            )
            for at, one in zip(places, texts, strict=True)
        ]
        split = comparison.metric_higher.size
        return rows[:split], rows[split:]

    def within(
        self, x: tuple[float | None, float | None], y: tuple[float | None, float | None]
    ) -> IntArray:
        """Indices of texts with score and gold within the ends (inclusive; None: open)."""
        inside = np.ones(self.total, dtype=bool)
        for column, (low, high) in ((self.metric, x), (self.people, y)):
            if low is not None:
                inside &= column >= low
            if high is not None:
                inside &= column <= high
        return np.flatnonzero(inside)


def points_asked(*, campaign: Campaign, data: Mapping[str, str]) -> dict[str, str]:
    """What a query asks of `points_for`, with what it leaves open filled in: the first ordered
    scale, and the metric that agreed best with people on it; empty if there is none. NotFound for a
    run of another campaign."""
    names, human = human_names(campaign=campaign), data.get("scale", "")
    human = human if human in names else next(iter(names), "")
    if data.get("run"):
        run = run_get(campaign=campaign, key=data["run"])
    elif not (runs := newest_done_runs(campaign=campaign)):
        return {}
    else:
        labels = {label: pk for pk, label in run_labels(runs).items()}
        best = labels.get(best_label(campaign=campaign, human=human))
        run = next((one for one in runs if one.pk == best), runs[0])
    return {"run": str(run.key), "scale": human}


def best_label(*, campaign: Campaign, human: str) -> str:
    """The metric of the highest Pearson correlation in the newest report; "" before there is one.
    One query, which does not read the report."""
    noted = TrendPoint.objects.filter(campaign=campaign, kind="correlation").order_by("-day")
    numbers = noted.values_list("numbers", flat=True).first() or {}
    return str(numbers[human][3]) if human in numbers else ""


def points_for(
    *, campaign: Campaign, choice: Choice, parameters: Mapping[str, str] | None = None
) -> PointsReport:
    """The texts with a score of the run and gold on the scale, both with their original sign; a
    constant number of queries. `run` is None if no run is finished."""
    parameters = parameters or points_asked(campaign=campaign, data={})
    if not parameters:
        return {
            "run": None,
            "human": "",
            "turned": False,
            "units": [],
            "metric": [],
            "people": [],
            "passed": [],
        }
    run = run_get(campaign=campaign, key=parameters["run"])
    columns = columns_get(campaign=campaign, choice=choice, runs=[run])
    human = parameters["scale"]
    x = columns.scored[columns.labels[run.pk]]
    y = columns.gold.get(human, np.full(x.shape, np.nan))
    both = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    return {
        "run": str(run.key),
        "human": human,
        "turned": human in columns.turned_human,
        "units": columns.ratings.units[both].tolist(),
        "metric": x[both].tolist(),
        "people": y[both].tolist(),
        "passed": [None if np.isnan(one) else int(one) for one in columns.passed[both].tolist()],
    }


def points_of(*, campaign: Campaign, report: PointsReport) -> Points:
    """The points of a stored report, which names a run; one query."""
    run = run_get(campaign=campaign, key=report["run"] or "")
    return Points(
        run,
        run.label,
        report["human"],
        report["turned"],
        np.array(report["units"], dtype=np.int64),
        np.array(report["metric"], dtype=np.float64),
        np.array(report["people"], dtype=np.float64),
        np.array(report["passed"], dtype=np.float64),
    )


def phrases_of(*, points: Points) -> IntArray:
    """The phrase of each text, in the order of the points; one query."""
    texts = Substitution.objects.filter(campaign=points.run.campaign_id)
    phrase_ids = dict(texts.values_list("pk", "item__phrase_id"))
    return np.array([phrase_ids[pk] for pk in points.units.tolist()], dtype=np.int64)


def _texts(ids: list[int]) -> dict[int, tuple[str, str, UUID, str]]:
    rows = list(Substitution.objects.filter(pk__in=ids).values_list("pk", "text", "item_id"))
    items = {
        pk: (phrase, key, known_tag(own or of_all))
        for pk, phrase, key, own, of_all in Item.objects.filter(
            pk__in={item for _, _, item in rows}
        ).values_list("pk", "phrase__text", "key", "language", "campaign__language")
    }
    return {pk: (items[item][0], text, *items[item][1:]) for pk, text, item in rows}


def scatter(points: Points, *, slug: str) -> Figure:
    """A scatter plot with a point for each text, linked to its item; above MOST_POINTS a density
    plot."""
    called = printed_names([points.label])
    title = f"{called[points.label]} · {points.human}"
    x, y = Axis(called[points.label]), Axis(points.human)
    if points.total > MOST_POINTS:
        return Figure(title, x, y, cells=_density(points))
    texts = points.texts(range(points.total))
    named = texts_named(points.units.tolist())
    series = Series(
        points.label,
        tuple(points.metric.tolist()),
        tuple(points.people.tolist()),
        texts=tuple(f"{one.phrase} → {one.text}" for one in texts),
        links=tuple(one.url(slug) for one in texts),
        about=tuple(one.names for one in named),
    )
    return Figure(title, x, y, (series,), about=TEXT_NAMES, called=called)


def _density(points: Points) -> Grid:
    counts, x, y = np.histogram2d(points.metric, points.people, bins=GRID)
    middles = [tuple(((ends[1:] + ends[:-1]) / 2).tolist()) for ends in (x, y)]
    values = tuple(tuple(None if n == 0 else float(n) for n in line) for line in counts.T.tolist())
    return Grid(_("texts"), middles[0], middles[1], values, counts=True)


def values(points: Points) -> Figure:
    """The median, middle 50 % and middle 90 % of the metric at each human value."""
    summary = by_human_value(points.people, points.metric)
    names = tuple(
        f"{low:.3g}" if low == high else f"{low:.3g}–{high:.3g}"
        for low, high in zip(summary.low.tolist(), summary.high.tolist(), strict=True)
    )
    low, quarter, middle, three, high = (tuple(one) for one in summary.quantiles.T.tolist())
    places = tuple(float(at) for at in range(len(names)))
    metric = printed(points.label)
    return Figure(
        f"{metric} · {points.human}",
        Axis(points.human, names=names),
        Axis(metric),
        (
            # xgettext:no-python-format
            Series(_("median and 90 % of the texts"), places, middle, "range", low, high),
            Series(_("median and half of the texts"), places, middle, "range", quarter, three),
        ),
    )


def roc(points: Points) -> Figure | None:
    """The ROC curve of the metric for pass or fail; None unless texts both pass and fail."""
    if not points.pass_and_fail:
        return None
    result = roc_curves(points.passed, {points.label: points.better[0]})[points.label]
    x, y = tuple(one[0] for one in result.curve), tuple(one[1] for one in result.curve)
    area = _("area %(value)s") % {"value": f"{result.area.value:.3f}"}
    return Figure(
        f"{printed(points.label)}: {area}",
        Axis(_("failing texts that the metric would pass"), 0, 1),
        Axis(_("passing texts that it would pass"), 0, 1),
        (Series(points.label, x, y, "line"),),
        marks=(Mark(diagonal=True),),
        called=printed_names([points.label]),
    )
