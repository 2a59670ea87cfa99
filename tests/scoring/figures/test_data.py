"""The data of a figure: the same table for screen and print."""

import pytest

from scoring.figures.data import Axis, Figure, Series, as_read, numbers_csv, written
from tests.scoring.figures.drawn import HEAT, POINTS


def test_rows_are_what_is_drawn_without_empty_cells():
    assert list(HEAT.rows()) == [
        ("r", "bleu", "bleu", 1, ()),
        ("r", "ter", "bleu", -0.5, ()),
        ("r", "bleu", "ter", -0.5, ()),
    ]
    assert list(POINTS.rows()) == [("texts", 0.1, 1.0, None, ()), ("texts", 0.5, 4.5, None, ())]


def test_numbers_have_the_ends_of_ranges_and_what_a_point_is():
    ranged = Series(
        "mean", (1, 2), (3, 4), low=(2.5, None), high=(3.5, 4.5), about=(("A",), ("B",))
    )
    bare = Series("line", (1,), (3,))
    figure = Figure("", Axis("size"), Axis("r"), (ranged, bare), about=("system",))
    assert numbers_csv(figure).decode().splitlines() == [
        "series,x,y,value,low,high,system",
        "mean,1,3,,2.5,3.5,A",
        "mean,2,4,,,4.5,B",
        "line,1,3,,,,",
    ]


@pytest.mark.parametrize("column", ["y", "low", "texts", "links"])
def test_columns_of_unequal_length_are_refused(column):
    columns = {"x": (1, 2), "y": (1, 2), column: (1,)}
    with pytest.raises(ValueError, match="not equally long"):
        Series("x", **columns)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("-2", "−2"),
        ("-1.5–-1", "−1.5–−1"),
        ("2e-05", "2e−05"),
        ("e-5", "e-5"),
        ("sys-1", "sys-1"),
        ("-x", "-x"),
        ("2026-11-22", "2026-11-22"),
    ],
)
def test_only_numbers_and_ranges_of_numbers_get_minus_signs(name, read):
    assert as_read(name) == read


def test_numbers_are_written_with_a_minus_sign():
    assert (written(-0.5, ".2f"), written(0.5, ".2f")) == ("−0.50", "0.50")
