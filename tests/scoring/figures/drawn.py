"""Figures of every kind, for each renderer."""

import pytest

from scoring.figures.data import Axis, Figure, Grid, Mark, Series

POINTS = Figure(
    "Metric and people",
    Axis("bleu"),
    Axis("MEANING", 1, 5),
    (
        Series(
            "texts",
            (0.1, 0.5),
            (1.0, 4.5),
            texts=("<b>one</b> → $x$", "%{x} two"),
            links=("/a/", "/b/"),
        ),
    ),
)
LINES = Figure(
    "",
    Axis("weight", 0, 1),
    Axis("Pearson"),
    (
        Series("a", (0, 0.5, 1), (0.2, 0.5, 0.3), "line", (0.1, None, 0.2), (0.3, None, 0.4)),
        Series("b", (0, 1), (0.1, 0.3), "line"),
    ),
    marks=(Mark(0.2, "2:8"), Mark(diagonal=True)),
)
RANGES = Figure(
    "",
    Axis("", names=("bleu", "ter")),
    Axis("r"),
    (Series("MEANING", (0, 1), (0.4, 0.2), "range", (0.3, None), (0.6, None)),),
)
HEAT = Figure(
    "",
    Axis("", names=("bleu", "ter")),
    Axis("", names=("bleu", "ter")),
    cells=Grid("r", ("bleu", "ter"), ("bleu", "ter"), ((1, -0.5), (-0.5, None)), -1, 1, True, True),
)
DENSITY = Figure(
    "",
    Axis("x"),
    Axis("y"),
    cells=Grid("n", (0.5, 1.5), (0.5, 1.5), ((3, None), (None, 100)), counts=True),
)
# Two series for each category, with the same intervals.
BESIDE = Figure(
    "",
    RANGES.x,
    RANGES.y,
    (
        *RANGES.series,
        Series("GRAMMAR", (0, 1), (0.4, 0.2), "range", (0.3, None), (0.6, None)),
    ),
    beside=True,
)
NEGATIVE = Figure(
    "",
    Axis("S", names=("-2", "-1.5–-1", "e-5", "sys-1")),
    Axis("m"),
    (Series("m", (0, 1, 2, 3), (1, 2, 3, 4)),),
)
LONG = tuple(f"embedding_cosine:vectors=corpus {at}" for at in range(20))
MANY = Figure(
    "",
    Axis("", names=LONG),
    Axis("", names=LONG),
    cells=Grid("r", LONG, LONG, ((0.5,) * 20,) * 20, -1, 1),
)
ALL = pytest.mark.parametrize(
    "figure",
    [POINTS, LINES, RANGES, HEAT, DENSITY],
    ids=["points", "lines", "ranges", "heat", "density"],
)
