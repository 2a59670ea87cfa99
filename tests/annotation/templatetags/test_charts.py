"""Charts within pages: the elements that are drawn, by their places."""

from annotation.http.charts import DotChart, DotRow
from annotation.templatetags.charts import chart_axis, chart_dot, chart_shares

ROWS = [DotRow("a", 1.0, 0.0, 2.0), DotRow("b", 3.0, hollow=True), DotRow("c", None)]


def test_a_row_has_dot_and_whisker_where_they_are_known():
    chart = DotChart.of(ROWS)
    first, second, third = (chart_dot(chart, row) for row in chart.rows)
    assert first["dot"] == chart.axis.at(1.0)
    assert first["whisker"] == (chart.axis.at(0.0), chart.axis.at(2.0))
    assert second["hollow"] and not second["whisker"]
    assert third["dot"] is None


def test_the_ceiling_goes_through_every_row():
    chart = DotChart.of(ROWS, ceiling=DotRow("people", 3.5, 3.0, 4.0))
    for row in chart.rows:
        drawn = chart_dot(chart, row)
        assert drawn["ceiling"] == chart.axis.at(3.5)
        assert drawn["band"] == (chart.axis.at(3.0), "25.00%")


def test_zero_is_a_line_of_its_own_where_it_lies_within():
    signed = DotChart.of([DotRow("a", -1.0), DotRow("b", 1.0)])
    assert [zero for _, zero in chart_dot(signed, signed.rows[0])["grid"]].count(True) == 1
    assert len(chart_axis(signed.axis)["labels"]) == len(signed.axis.ticks)


def test_shares_stand_side_by_side_from_light_to_dark():
    rects = chart_shares([0.5, 0.0, 0.25, 0.25])["rects"]
    assert rects == [
        (1, "0.00%", "50.00%"),
        (4, "50.00%", "25.00%"),
        (5, "75.00%", "25.00%"),
    ]
    assert [shade for shade, *_ in chart_shares([1.0])["rects"]] == [1]
