"""The axis that drawings of a table share, and the drawing of a trend."""

import pytest

from scoring.annotators.pictures import SharedAxis, round_up, trend_figure
from scoring.figures.screen import svg

POINTS = [[0, -0.5, 2], [9, 1, 2]]


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (0, 0.1),
        (0.1, 0.1),
        (0.11, 0.15),
        (0.3, 0.3),
        (0.71, 1),
        (1.01, 1.5),
        (42, 50),
        (1000, 1000),
    ],
)
def test_ends_of_axes_are_round(value, rounded):
    assert round_up(value) == pytest.approx(rounded)


def test_a_shared_axis_holds_every_value_and_interval():
    rows = [
        {"value": 0.2, "ci_low": -1.3, "ci_high": 0.4},
        {"value": None, "ci_low": None, "ci_high": None},
        {"value": -0.9},
    ]
    axis = SharedAxis.of(rows)
    assert (axis.least, axis.most) == (-1.5, 1.5)
    assert SharedAxis.of([]).most == 1


def test_a_trend_goes_from_the_first_judgment_to_the_last():
    trend = {"value": 50.0, "intercept": -0.5, "points": POINTS}
    figure = trend_figure(trend, 11)
    assert figure is not None
    dots, line = figure.series
    # It rises by 50 in 100 judgments, hence in 10 steps from -0.5 to 4.5; the axis ends at 5.
    assert (line.x, line.y) == ((1, 11), (-0.5, 4.5))
    assert (figure.y.low, figure.y.high) == (-5, 5)
    assert (dots.x, dots.y) == ((1, 10), (-0.5, 1))


@pytest.mark.parametrize(
    "trend",
    [
        None,
        {"value": None, "intercept": 0.0, "points": POINTS},
        {"value": 1.0, "intercept": None, "points": POINTS},
        {"value": 1.0, "intercept": 0.0, "points": []},
    ],
)
def test_a_trend_that_is_undefined_is_not_drawn(trend):
    assert trend_figure(trend, 10) is None


def test_a_single_judgment_can_be_drawn():
    trend = {"value": 0.0, "intercept": 0.0, "points": [[0, 0.0, 1]]}
    figure = trend_figure(trend, 1)
    assert figure is not None and svg(figure, "M").count("<path") == 3  # One is of the legend.
