"""Charts as data: axes with round ticks over the data, numbers as they are written, and paths."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.http.charts import (
    ChartAxis,
    DotRow,
    axis_for,
    band_path,
    interval,
    line_path,
    number,
)

VALUES = st.lists(st.floats(-1e6, 1e6).map(lambda one: round(one, 3)), min_size=1, max_size=8)


@given(VALUES)
def test_an_axis_covers_the_data_with_a_few_round_ticks(values):
    axis = axis_for(values)
    slack = 1e-6 * (axis.high - axis.low)
    assert axis.low <= min(values) + slack and max(values) - slack <= axis.high
    assert 2 <= len(axis.ticks) <= 6
    assert all(0 <= axis.share(one) <= 100 for one in values)


def test_an_axis_ends_where_values_cannot_pass():
    axis = axis_for([0.55, 0.93], most=1.0, bounded=True)
    assert (axis.low, axis.high) == (0.4, 1.0)
    assert [text for _, text, _ in axis.labels()] == [".4", ".6", ".8", "1.0"]
    around = ChartAxis(-1, 1, (-1.0, -0.5, 0.0, 0.5, 1.0), bounded=True)
    assert [text for _, text, _ in around.labels(narrow=True)] == ["−1", "0", "1"]
    assert [anchor for *_, anchor in axis.labels()] == ["start", "middle", "middle", "end"]
    assert axis_for([]).low == 0.0


def test_values_outside_are_drawn_on_the_edge():
    axis = ChartAxis(0.0, 2.0, (0.0, 1.0, 2.0))
    assert [axis.at(one) for one in (-1, 0.5, 9)] == ["0.00%", "25.00%", "100.00%"]


def test_numbers_are_written_as_the_design_says():
    assert [number(one, bounded=True) for one in (0.71, -0.08, 1.0)] == [".71", "−.08", "1.00"]
    assert [number(one, sign=True) for one in (0.28, -0.001)] == ["+0.28", "0.00"]
    assert [number(one) for one in (-0.001, 4.414)] == ["0.00", "4.41"]


def test_an_interval_without_an_end_is_none():
    assert interval(0.66, 0.75, bounded=True) == "[.66, .75]"
    assert interval(None, 0.75) == interval(0.66, None) == ""


def test_a_row_says_that_it_has_no_value():
    assert DotRow("a", None).shown == "–" and DotRow("a", None).ends == ""


def test_paths_run_over_a_box_of_100_by_100_from_the_top():
    x, y = ChartAxis(0.0, 10.0, ()), ChartAxis(0.0, 4.0, ())
    line = [(0.0, 0.0), (5.0, 1.0), (10.0, 4.0)]
    assert line_path(line, x, y) == "M0.00 100.00L50.00 75.00L100.00 0.00"
    low, high = line[:1], [(0.0, 2.0)]
    assert band_path(low, high, x, y) == "M0.00 100.00L0.00 50.00Z"
    assert line_path([], x, y) == band_path([], [], x, y) == ""
