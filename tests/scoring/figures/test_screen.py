"""Figures as Plotly draws them on a page."""

import json
from dataclasses import replace

import pytest

from scoring.figures.data import Axis, Figure, Series, plotly_figure
from tests.scoring.figures.drawn import (
    ALL,
    BESIDE,
    DENSITY,
    HEAT,
    LINES,
    MANY,
    NEGATIVE,
    POINTS,
    RANGES,
)


@ALL
def test_the_plotly_specification_has_no_page_colours(figure):
    drawn = plotly_figure(figure)
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
    assert "paper_bgcolor" not in drawn["layout"] and "font" not in drawn["layout"]


def test_texts_and_addresses_of_points_are_escaped():
    [trace] = plotly_figure(POINTS)["data"]
    assert trace["text"] == ["&lt;b&gt;one&lt;/b&gt; → $x$", "% {x} two"]
    assert trace["customdata"] == ["/a/", "/b/"]
    assert (trace["x"], trace["y"]) == ([0.1, 0.5], [1.0, 4.5])
    assert plotly_figure(POINTS)["layout"]["yaxis"]["range"] == [1, 5]


def test_a_missing_interval_is_not_drawn():
    band, first, second = plotly_figure(LINES)["data"]
    assert band["x"] == [0, 1, 1, 0] and band["y"] == [0.3, 0.4, 0.2, 0.1]
    assert (first["name"], second["name"]) == ("a", "b") and band["hoverinfo"] == "skip"
    [trace] = plotly_figure(RANGES)["data"]
    assert trace["x"] == ["bleu", "ter"]
    assert trace["error_y"]["array"] == [pytest.approx(0.2), 0]
    assert trace["error_y"]["arrayminus"] == [pytest.approx(0.1), 0]


def test_an_empty_cell_stays_empty():
    [trace] = plotly_figure(HEAT)["data"]
    assert trace["z"] == [[1, -0.5], [-0.5, None]] and (trace["zmin"], trace["zmax"]) == (-1, 1)


def test_counts_have_logarithmic_colours_and_their_values_as_text():
    [trace] = plotly_figure(DENSITY)["data"]
    assert trace["text"] == [["3", ""], ["", "100"]] and trace["z"][1] == [None, 2]
    assert trace["z"][0][0] == pytest.approx(0.4771, abs=1e-4)


def test_negative_numbers_have_minus_signs_except_in_the_data_table():
    """Plotly writes them on axes by itself, but neither in cells nor under the pointer."""
    [trace] = plotly_figure(HEAT)["data"]
    assert trace["text"] == [["1.00", "−0.50"], ["−0.50", ""]]
    assert trace["hovertext"][0][1] == "ter<br>bleu<br>r: −0.5" and trace["hovertext"][1][1] == ""
    points = Series("m-1", (-1.0, 0.25), (-0.3333, 2.0), texts=("a-b", "c"))
    [trace] = plotly_figure(Figure("", Axis("m-1"), Axis("S"), (points,)))["data"]
    assert trace["x"] == [-1.0, 0.25] and trace["hovertemplate"] == [
        "%{text}<br>m-1: −1<br>S: −0.333<extra></extra>",
        "%{text}<br>m-1: 0.25<br>S: 2<extra></extra>",
    ]
    drawn = plotly_figure(NEGATIVE)
    assert drawn["data"][0]["x"] == ["−2", "−1.5–−1", "e-5", "sys-1"]
    assert drawn["layout"]["xaxis"]["ticktext"] == drawn["data"][0]["x"]
    assert NEGATIVE.x.names[0] == "-2"


def test_figures_grow_with_many_long_names():
    drawn = plotly_figure(MANY)["layout"]
    ticks = drawn["xaxis"]["ticktext"]
    assert len(set(ticks)) == 20 and max(map(len, ticks)) <= 24 and drawn["height"] > 600
    assert drawn["xaxis"]["tickvals"] == list(MANY.x.names)


def test_series_side_by_side_do_not_overlap():
    assert plotly_figure(BESIDE)["layout"]["scattermode"] == "group"
    assert "scattermode" not in plotly_figure(replace(BESIDE, beside=False))["layout"]
