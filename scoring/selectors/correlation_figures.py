"""Figures made of the stored reports about metrics and people."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.services.errors import NotFound
from scoring.figures import Axis, Cells, Figure, Series

Result = dict[str, Any]
BY_DATA = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "pairwise_accuracy": gettext_lazy("Pairs in order"),
}
MOST_LINES = 6  # More lines than colours cannot be told apart: the best at full size are drawn.


def coefficients(found: Result) -> Figure:
    """Pearson of every metric with its interval, a series for each human column."""
    labels = [run["label"] for run in found["runs"]]
    series = []
    for human, numbers in found["human"].items():
        known = [
            (float(at), numbers["metrics"][label]["pearson"])
            for at, label in enumerate(labels)
            if numbers["metrics"][label]["pearson"]["value"] is not None
        ]
        series.append(
            Series(
                human,
                tuple(at for at, _ in known),
                tuple(one["value"] for _, one in known),
                "range",
                tuple(one["ci_low"] for _, one in known),
                tuple(one["ci_high"] for _, one in known),
            )
        )
    return Figure("", Axis("", names=tuple(labels)), Axis("Pearson r"), tuple(series), beside=True)


def among(found: Result) -> Figure:
    """The metrics with each other."""
    matrix = found.get("among") or {"names": []}
    names = tuple(matrix["names"])
    if len(names) < 2:
        raise NotFound(_("Two metrics are needed."))
    values = tuple(tuple(row) for row in matrix["value"])
    cells = Cells("Spearman ρ", names, names, values, -1, 1, len(names) <= 16, True)
    return Figure("", Axis("", names=names), Axis("", names=names), cells=cells)


def systems(found: Result, human: str, metric: str) -> Figure:
    """A point for each system: by the mean of its texts, and by its corpus score if there is."""
    numbers = found["human"].get(human, {})
    series = []
    for name, kind in ((_("mean of texts"), "systems"), (_("corpus score"), "corpus")):
        level = numbers.get(kind, {}).get(metric)
        if level and level["systems"]:
            rows = level["systems"]
            series.append(
                Series(
                    name,
                    tuple(one["metric"] for one in rows),
                    tuple(one["human"] for one in rows),
                    texts=tuple(one["system"] for one in rows),
                )
            )
    if not series:
        raise NotFound(_("There are no systems with this metric and this scale."))
    return Figure("", Axis(metric), Axis(human), tuple(series))


def per_system(found: Result, human: str) -> Figure:
    """Pearson of every metric within every system."""
    rows = found["human"].get(human, {}).get("per_system", {})
    labels = tuple(run["label"] for run in found["runs"])
    names = tuple(rows)
    if not names or not labels:
        raise NotFound(_("There are no systems with this metric and this scale."))
    values = tuple(
        tuple(rows[name][label]["pearson"]["value"] for label in labels) for name in names
    )
    cells = Cells("Pearson r", labels, names, values, -1, 1, len(names) * len(labels) <= 200, True)
    return Figure("", Axis("", names=labels), Axis("", names=names), cells=cells)


def by_data(found: Result, human: str, coefficient: str, kind: str) -> Figure:
    """A line for each metric over the number of items, or of ratings for each text."""
    curves = [
        one
        for one in found["human"].get(human, {}).get(kind, [])
        if one["coefficient"] == coefficient and one["points"]
    ]
    curves.sort(key=lambda one: -(one["points"][-1]["mean"] or -2))
    series = []
    for curve in curves[:MOST_LINES]:
        points = [one for one in curve["points"] if one["mean"] is not None]
        columns = [tuple(one[name] for one in points) for name in ("size", "mean", "low", "high")]
        series.append(Series(curve["metric"], columns[0], columns[1], "line", *columns[2:]))
    if not series:
        raise NotFound(_("There is nothing to draw: too few items or ratings."))
    x = _("items") if kind == "items" else _("ratings for each text")
    return Figure("", Axis(x), Axis(str(BY_DATA[coefficient])), tuple(series))
