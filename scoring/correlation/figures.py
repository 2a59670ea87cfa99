"""The figures of the correlation pages, by name and query string."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast, get_args

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from paraanno.template_filters import translated
from scoring.correlation.one_metric import Points, points_asked, points_of, roc, scatter, values
from scoring.correlation.report import mix_figure, mixes_asked
from scoring.figures.data import Axis, Figure, Grid, Series
from scoring.metrics.registry import printed, printed_names
from scoring.ratings.choice import Choice
from scoring.stats.evaluation.catalogue import RHO, R, at
from scoring.stats.evaluation.json_types import (
    CorrelationReport,
    CurveJson,
    RankingReport,
    StabilityReport,
    SystemsReport,
)
from scoring.stats.table import EstimateJson

# Figures made from the stored correlation reports.


# More lines than colours cannot be distinguished: only the best at full size are drawn.
MOST_LINES = 6
MOST_NAMED = 30  # Systems with their names beside them.


def coefficients(report: CorrelationReport) -> Figure:
    """The Pearson correlation of every metric with its interval, a series for each human column."""
    labels = [run["label"] for run in report["runs"]]
    series = []
    for human, numbers in report["human"].items():
        points = [
            (float(at), value, numbers["metrics"][label]["pearson"])
            for at, label in enumerate(labels)
            if (value := numbers["metrics"][label]["pearson"]["value"]) is not None
        ]
        series.append(
            Series(
                human,
                tuple(at for at, _, _ in points),
                tuple(value for _, value, _ in points),
                "range",
                tuple(one["ci_low"] for _, _, one in points),
                tuple(one["ci_high"] for _, _, one in points),
            )
        )
    return Figure(
        "",
        Axis("", names=tuple(labels)),
        Axis(translated(R)),
        tuple(series),
        beside=True,
        called=printed_names(labels),
    )


def among(report: CorrelationReport) -> Figure:
    """Correlations between metrics."""
    matrix = report.get("among") or {"names": []}
    names = tuple(matrix["names"])
    if len(names) < 2:
        raise NotFound(_("Two metrics are needed."))
    values = tuple(tuple(row) for row in matrix["value"])
    cells = Grid(translated(RHO), names, names, values, -1, 1, len(names) <= 16, True)
    axis = Axis("", names=names)
    return Figure("", axis, axis, cells=cells, called=printed_names(names))


def systems(report: SystemsReport, human: str, metric: str) -> Figure:
    """A point for each system: by the mean of its texts and, if it has one, by its corpus score."""
    numbers = report["human"].get(human)
    levels = [
        (_("mean of texts"), numbers.get("systems", {}) if numbers else {}),
        (_("corpus score"), numbers.get("corpus", {}) if numbers else {}),
    ]
    series: list[Series] = []
    for name, by_metric in levels:
        level = by_metric.get(metric)
        if level and level["systems"]:
            rows = level["systems"]
            series.append(
                Series(
                    name,
                    tuple(one["metric"] for one in rows),
                    tuple(one["human"] for one in rows),
                    texts=tuple(one["system"] for one in rows),
                    about=tuple((one["system"],) for one in rows),
                    labelled=not series and len(rows) <= MOST_NAMED,
                )
            )
    if not series:
        raise NotFound(_("There are no systems with this metric and this scale."))
    return Figure("", Axis(printed(metric)), Axis(human), tuple(series), about=("system",))


def two_metrics(report: SystemsReport, human: str, across: str, up: str) -> Figure:
    """A point for each system by its mean scores of two metrics, the larger the better people find
    it (the figure of Zhou et al. 2006, with people in it)."""
    numbers = report["human"].get(human)
    level = numbers.get("systems", {}) if numbers else {}
    one, other = (
        {row["system"]: row for row in level[name]["systems"]} if name in level else {}
        for name in (across, up)
    )
    names = [name for name in one if name in other]
    if not names or across == up:
        raise NotFound(_("There are no systems with these two metrics and this scale."))
    people = [one[name]["human"] for name in names]
    least, most = min(people), max(people)
    # All alike: of middle size.
    sizes = tuple((value - least) / (most - least) if most > least else 0.5 for value in people)
    points = Series(
        human,
        tuple(one[name]["metric"] for name in names),
        tuple(other[name]["metric"] for name in names),
        texts=tuple(f"{name}: {value:.2f}" for name, value in zip(names, people, strict=True)),
        about=tuple((name, f"{value:.12g}") for name, value in zip(names, people, strict=True)),
        sizes=sizes,
        labelled=True,
    )
    x, y = Axis(printed(across)), Axis(printed(up))
    return Figure("", x, y, (points,), about=("system", "people"))


def per_system(report: SystemsReport, human: str) -> Figure:
    """The Pearson correlation of every metric within every system."""
    numbers = report["human"].get(human)
    rows = numbers.get("per_system", {}) if numbers else {}
    labels = tuple(run["label"] for run in report["runs"])
    names = tuple(rows)
    if not names or not labels:
        raise NotFound(_("There are no systems with this metric and this scale."))
    values = tuple(
        tuple(rows[name][label]["pearson"]["value"] for label in labels) for name in names
    )
    cells = Grid(translated(R), labels, names, values, -1, 1, len(names) * len(labels) <= 200, True)
    x, y = Axis("", names=labels), Axis("", names=names)
    return Figure("", x, y, cells=cells, called=printed_names(labels))


def by_data(report: StabilityReport, human: str, coefficient: str, kind: str) -> Figure:
    """A line for each metric over the number of phrases, or of ratings per text."""
    numbers = report["human"].get(human)
    every: list[CurveJson] = []
    if numbers:
        every = numbers["items"] if kind == "items" else numbers["annotators"]
    curves = [one for one in every if one["coefficient"] == coefficient and one["points"]]
    curves.sort(key=lambda one: -(one["points"][-1]["mean"] or -2))
    series = []
    for curve in curves[:MOST_LINES]:
        points = [
            (one["size"], one["mean"], one["low"], one["high"])
            for one in curve["points"]
            if one["mean"] is not None
        ]
        series.append(
            Series(
                curve["metric"],
                tuple(size for size, *_ in points),
                tuple(mean for _, mean, *_ in points),
                "line",
                tuple(low for *_, low, _ in points),
                tuple(high for *_, high in points),
            )
        )
    if not series:
        raise NotFound(_("There is nothing to draw: too few phrases or ratings."))
    x = Axis(_("phrases") if kind == "items" else _("ratings for each text"))
    y = Axis(translated(at("stability")[coefficient]))
    return Figure("", x, y, tuple(series), called=printed_names(one.name for one in series))


@dataclass
class FigureRequest:
    """The subject of a figure. `data` holds the query parameters (`run`, `scale` and the like), and
    `report` returns a stored report by its kind and by what is asked of it."""

    campaign: Campaign
    choice: Choice
    data: Mapping[str, str]
    report: Callable[..., Any]

    @cached_property
    def points(self) -> Points:
        """The texts with one metric and one scale; NotFound if there are none."""
        if not self.parameter("run"):
            raise NotFound(_("There is no such run."))
        what = points_asked(campaign=self.campaign, data=self.data)
        report = self.report("one-metric", what)
        plotted = points_of(campaign=self.campaign, report=report) if report.get("run") else None
        if plotted is None or not plotted.total or plotted.human != self.parameter("scale"):
            raise NotFound(_("There are no texts with this metric and this scale."))
        return plotted

    def parameter(self, name: str) -> str:
        """A query parameter; empty if missing."""
        return self.data.get(name, "")


def _roc(request: FigureRequest) -> Figure:
    figure = roc(request.points)
    if figure is None:
        raise NotFound(_("There is nothing to draw: no text passes, or all do."))
    return figure


def _mix(request: FigureRequest) -> Figure:
    what = mixes_asked(campaign=request.campaign, data=request.data)
    if not what:
        raise NotFound(_("Two metrics are needed."))
    curve = request.report("mixes", what).get("curve")
    if curve is None or what["scale"] != request.parameter("scale"):
        raise NotFound(_("There are no texts with this metric and this scale."))
    return mix_figure(curve)


def _by_data(kind: str) -> Callable[[FigureRequest], Figure]:
    def draw(request: FigureRequest) -> Figure:
        by = request.parameter("by")
        coefficient = by if by in at("stability") else "pearson"
        report = request.report("stability")
        return by_data(report, request.parameter("scale"), coefficient, kind)

    return draw


FIGURES: dict[str, Callable[[FigureRequest], Figure]] = {
    "scatter": lambda asked: scatter(asked.points, slug=asked.campaign.slug),
    "values": lambda asked: values(asked.points),
    "roc": _roc,
    "coefficients": lambda asked: coefficients(asked.report("correlation")),
    "among": lambda asked: among(asked.report("correlation")),
    "systems": lambda asked: systems(
        asked.report("correlation-systems"), asked.parameter("scale"), asked.parameter("metric")
    ),
    "two-metrics": lambda asked: two_metrics(
        asked.report("correlation-systems"),
        asked.parameter("scale"),
        asked.parameter("metric"),
        asked.parameter("beside"),
    ),
    "per-system": lambda asked: per_system(
        asked.report("correlation-systems"), asked.parameter("scale")
    ),
    "mix": _mix,
    "by-items": _by_data("items"),
    "by-annotators": _by_data("annotators"),
}


def figure_get(*, name: str, request: FigureRequest) -> Figure:
    """Return the figure called `name`; NotFound if it does not exist or has nothing to draw."""
    if name not in FIGURES:
        raise NotFound(_("There is no such figure."))
    return FIGURES[name](request)


# The tables of the correlation pages as rows, made from the stored reports.


TestName = Literal[
    "permutation_p",
    "holm_p",
    "permutation_spearman_p",
    "holm_spearman_p",
    "permutation_accuracy_p",
    "holm_accuracy_p",
    "williams_p",
    "steiger_p",
    "meng_p",
    "mcnemar_clustered_p",
    "mcnemar_p",
]
OverSystems = Literal[
    "pearson",
    "spearman",
    "kendall",
    "pairwise_accuracy",
    "pearson_corrected",
    "soft_pairwise_accuracy",
]
# The catalogue says which, and in what order.
OVER_SYSTEMS = cast("tuple[OverSystems, ...]", tuple(at("systems")))
GapName = Literal["difference", "difference_spearman", "difference_accuracy"]
GAPS: tuple[GapName, ...] = get_args(GapName)
# What a cell holds is a number, a text or None; a report is read by the rows of its own kind.
Row = dict[str, float | str | None]
TESTS: tuple[TestName, ...] = get_args(TestName)
# They take texts for independent, and their columns are called so.
INDEPENDENT = {"williams_p", "steiger_p", "meng_p", "mcnemar_p"}


@dataclass(frozen=True, slots=True)
class CorrelationTable:
    """Rows of texts, numbers or None (missing), with the column names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def _estimate(name: str, one: EstimateJson | None) -> Row:
    if one is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    ends = {f"{name}_low": one.get("ci_low"), f"{name}_high": one.get("ci_high")}
    return {name: one["value"], **ends}


def _coefficients(report: CorrelationReport) -> Iterator[Row]:
    roc = report.get("roc", {})
    for human, numbers in report["human"].items():
        for run in report["runs"]:
            label = run["label"]
            row: Row = {"human": human, "metric": label}
            every = {**numbers["metrics"][label], **numbers.get("further", {}).get(label, {})}
            for name, one in every.items():
                row |= _estimate(name, one)
            for name, one in numbers.get("within_originals", {}).get(label, {}).items():
                row |= _estimate(f"within_{name}", one)
            free = numbers.get("against_ceiling", {}).get(label, {}).get("pearson")
            row |= _estimate("pearson_without_noise", free and free["disattenuated"])
            curve = roc.get(label)
            row |= _estimate("roc_area", curve and curve["area"])
            yield {**row, "n": numbers["metrics"][label]["pearson"]["n"]}


def _differences(report: CorrelationReport) -> Iterator[Row]:
    for human, numbers in report["human"].items():
        for one in numbers["comparisons"]:
            row: Row = {"human": human, "a": one["a"], "b": one["b"]}
            for name in GAPS:
                row |= _estimate(name, one.get(name))
            zou, clustering = one.get("zou"), one.get("clustering")
            yield {
                **row,
                **{
                    f"{name}_independent" if name in INDEPENDENT else name: one.get(name)
                    for name in TESTS
                },
                "zou_low_independent": zou and zou["low"],
                "zou_high_independent": zou and zou["high"],
                "clustering": clustering and clustering["icc"],
                "level_at_05": clustering and clustering["level"],
                "n": one["n"],
            }


def _systems(report: SystemsReport) -> Iterator[Row]:
    for human, numbers in report["human"].items():
        levels = (("mean", numbers.get("systems", {})), ("corpus", numbers.get("corpus", {})))
        for kind, level in levels:
            for label, one in level.items():
                row: Row = {"human": human, "metric": label, "scores": kind}
                for name in OVER_SYSTEMS:
                    row |= _estimate(name, one.get(name))
                yield {**row, "systems": len(one["systems"])}


def _power(report: StabilityReport) -> Iterator[Row]:
    for human, numbers in report["human"].items():
        for one in numbers["power"]:
            yield {
                "human": human,
                "a": one["a"],
                "b": one["b"],
                **_estimate("difference", one["difference"]),
                "phrases": one["originals"],
                "power": one["power"],
                "phrases_needed": one["needed"],
                "texts_needed": one["units_needed"],
            }


def _ranking(report: RankingReport) -> Iterator[Row]:
    by_majority = report.get("majority", {})
    for gold, columns in (("mean", report["human"]), ("majority", by_majority)):
        for human, numbers in columns.items():
            for label, one in numbers["accuracies"].items() if numbers else ():
                yield {
                    "human": human,
                    "gold": gold,
                    "metric": label,
                    "accuracy_strict": one["strict"],
                    "accuracy_half": one["half"],
                    "ties": one["ties"],
                    "pairs": one["pairs"],
                    "pairs_that_differ": numbers.get("differ") if numbers else None,
                }


# By name: the kind of report, the title, and the function that makes the rows.
TABLES: dict[str, tuple[str, str, Callable[[Any], Iterator[Row]]]] = {
    "coefficients": ("correlation", "Metrics and people", _coefficients),
    "differences": ("correlation", "Differences between metrics", _differences),
    "systems": ("correlation-systems", "Metrics and people over systems", _systems),
    "power": ("stability", "Phrases that would tell two metrics apart", _power),
    "ranking": ("ranking", "Pairs of paraphrases in order", _ranking),
}


def table_get(*, name: str, report: Callable[[str], Any]) -> CorrelationTable:
    """Return the table called `name`; NotFound if it does not exist or has no rows."""
    if name not in TABLES:
        raise NotFound(_("There is no such table."))
    kind, title, rows = TABLES[name]
    records = list(rows(report(kind)))
    if not records:
        raise NotFound(_("There is nothing in this table yet."))
    # A metric without a value may lack keys that others have.
    columns = tuple(dict.fromkeys(key for row in records for key in row))
    return CorrelationTable(title, columns, tuple(dict.fromkeys(columns) | row for row in records))
