"""Figures made from the stored correlation reports."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from paraanno.translated import translated
from scoring.figures import Axis, Figure, Grid, Series
from scoring.stats.evaluation.catalogue import RHO, R, at
from scoring.stats.evaluation.json_types import (
    CorrelationReport,
    CurveJson,
    StabilityReport,
    SystemsReport,
)

# More lines than colours cannot be distinguished: only the best at full size are drawn.
MOST_LINES = 6


def coefficients(found: CorrelationReport) -> Figure:
    """The Pearson correlation of every metric with its interval, a series for each human column."""
    labels = [run["label"] for run in found["runs"]]
    series = []
    for human, numbers in found["human"].items():
        known = [
            (float(at), value, numbers["metrics"][label]["pearson"])
            for at, label in enumerate(labels)
            if (value := numbers["metrics"][label]["pearson"]["value"]) is not None
        ]
        series.append(
            Series(
                human,
                tuple(at for at, _, _ in known),
                tuple(value for _, value, _ in known),
                "range",
                tuple(one["ci_low"] for _, _, one in known),
                tuple(one["ci_high"] for _, _, one in known),
            )
        )
    return Figure(
        "", Axis("", names=tuple(labels)), Axis(translated(R)), tuple(series), beside=True
    )


def among(found: CorrelationReport) -> Figure:
    """Correlations between metrics."""
    matrix = found.get("among") or {"names": []}
    names = tuple(matrix["names"])
    if len(names) < 2:
        raise NotFound(_("Two metrics are needed."))
    values = tuple(tuple(row) for row in matrix["value"])
    cells = Grid(translated(RHO), names, names, values, -1, 1, len(names) <= 16, True)
    return Figure("", Axis("", names=names), Axis("", names=names), cells=cells)


def systems(found: SystemsReport, human: str, metric: str) -> Figure:
    """A point for each system: by the mean of its texts and, if it has one, by its corpus score."""
    numbers = found["human"].get(human)
    levels = [
        (_("mean of texts"), numbers.get("systems", {}) if numbers else {}),
        (_("corpus score"), numbers.get("corpus", {}) if numbers else {}),
    ]
    series = []
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
                )
            )
    if not series:
        raise NotFound(_("There are no systems with this metric and this scale."))
    return Figure("", Axis(metric), Axis(human), tuple(series), about=("system",))


def two_metrics(found: SystemsReport, human: str, across: str, up: str) -> Figure:
    """A point for each system by its mean scores of two metrics, the larger the better people find
    it (the figure of Zhou et al. 2006, with people in it)."""
    numbers = found["human"].get(human)
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
    return Figure("", Axis(across), Axis(up), (points,), about=("system", "people"))


def per_system(found: SystemsReport, human: str) -> Figure:
    """The Pearson correlation of every metric within every system."""
    numbers = found["human"].get(human)
    rows = numbers.get("per_system", {}) if numbers else {}
    labels = tuple(run["label"] for run in found["runs"])
    names = tuple(rows)
    if not names or not labels:
        raise NotFound(_("There are no systems with this metric and this scale."))
    values = tuple(
        tuple(rows[name][label]["pearson"]["value"] for label in labels) for name in names
    )
    cells = Grid(translated(R), labels, names, values, -1, 1, len(names) * len(labels) <= 200, True)
    return Figure("", Axis("", names=labels), Axis("", names=names), cells=cells)


def by_data(found: StabilityReport, human: str, coefficient: str, kind: str) -> Figure:
    """A line for each metric over the number of items, or of ratings per text."""
    numbers = found["human"].get(human)
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
        raise NotFound(_("There is nothing to draw: too few items or ratings."))
    x = _("items") if kind == "items" else _("ratings for each text")
    return Figure("", Axis(x), Axis(translated(at("stability")[coefficient])), tuple(series))
