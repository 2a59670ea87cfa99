"""Figures rendered from the same data for screen and print."""

from __future__ import annotations

import io
import json
import re

import pytest
from PIL import Image

from scoring.figures import FORMATS, Axis, Figure, Grid, Mark, Series, draw, plotly_figure

POINTS = Figure(
    "Metric and people",
    Axis("bleu"),
    Axis("MEANING", 1, 5),
    (
        Series(
            "texts", (0.1, 0.5), (1.0, 4.5),
            texts=("<b>one</b> → $x$", "%{x} two"), links=("/a/", "/b/"),
        ),
    ),
)  # fmt: skip
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
ALL = pytest.mark.parametrize(
    "figure",
    [POINTS, LINES, RANGES, HEAT, DENSITY],
    ids=["points", "lines", "ranges", "heat", "density"],
)


@ALL
def test_the_plotly_specification_has_no_page_colours(figure: Figure) -> None:
    found = plotly_figure(figure)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert "paper_bgcolor" not in found["layout"] and "font" not in found["layout"]


@ALL
@pytest.mark.parametrize("form", FORMATS)
def test_print_figures_are_byte_identical(figure: Figure, form: str) -> None:
    once = draw(figure, form)
    assert once == draw(figure, form)
    assert once.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form])


def test_texts_and_addresses_of_points_are_escaped() -> None:
    [trace] = plotly_figure(POINTS)["data"]
    assert trace["text"] == ["&lt;b&gt;one&lt;/b&gt; → $x$", "% {x} two"]
    assert trace["customdata"] == ["/a/", "/b/"]
    assert (trace["x"], trace["y"]) == ([0.1, 0.5], [1.0, 4.5])
    assert plotly_figure(POINTS)["layout"]["yaxis"]["range"] == [1, 5]


def test_a_missing_interval_is_not_drawn() -> None:
    band, first, second = plotly_figure(LINES)["data"]
    assert band["x"] == [0, 1, 1, 0] and band["y"] == [0.3, 0.4, 0.2, 0.1]
    assert (first["name"], second["name"]) == ("a", "b") and band["hoverinfo"] == "skip"
    [trace] = plotly_figure(RANGES)["data"]
    assert trace["x"] == ["bleu", "ter"]
    assert trace["error_y"]["array"] == [pytest.approx(0.2), 0]
    assert trace["error_y"]["arrayminus"] == [pytest.approx(0.1), 0]


def test_an_empty_cell_stays_empty() -> None:
    [trace] = plotly_figure(HEAT)["data"]
    assert trace["z"] == [[1, -0.5], [-0.5, None]] and (trace["zmin"], trace["zmax"]) == (-1, 1)
    assert list(HEAT.rows()) == [
        ("r", "bleu", "bleu", 1), ("r", "ter", "bleu", -0.5), ("r", "bleu", "ter", -0.5),
    ]  # fmt: skip
    assert list(POINTS.rows()) == [("texts", 0.1, 1.0, None), ("texts", 0.5, 4.5, None)]


def test_counts_have_logarithmic_colours_and_their_values_as_text() -> None:
    [trace] = plotly_figure(DENSITY)["data"]
    assert trace["text"] == [["3", ""], ["", "100"]] and trace["z"][1] == [None, 2]
    assert trace["z"][0][0] == pytest.approx(0.4771, abs=1e-4)


def test_negative_numbers_have_minus_signs_except_in_the_data_table() -> None:
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
    names = Axis("S", names=("-2", "-1.5–-1", "e-5", "sys-1"))
    ranges = Figure("", names, Axis("m"), (Series("m", (0, 1, 2, 3), (1, 2, 3, 4)),))
    found = plotly_figure(ranges)
    assert found["data"][0]["x"] == ["−2", "−1.5–−1", "e-5", "sys-1"]
    assert found["layout"]["xaxis"]["ticktext"] == found["data"][0]["x"]
    assert "−1.5–−1" in draw(ranges, "svg").decode() and ranges.x.names[0] == "-2"


def test_text_stays_text_in_the_svg() -> None:
    svg = draw(LINES, "svg").decode()
    assert "Pearson" in re.sub(r"<!--.*?-->", "", svg) and "2:8" in svg
    assert "<dc:date>" not in svg


def test_a_png_has_print_resolution() -> None:
    with Image.open(io.BytesIO(draw(POINTS, "png"))) as picture:
        assert picture.width >= 1500


def test_columns_of_unequal_length_and_unknown_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="not equally long"):
        Series("x", (1, 2), (1,))
    with pytest.raises(ValueError, match="unknown format 'gif'"):
        draw(POINTS, "gif")


def test_figures_grow_with_many_long_names() -> None:
    names = tuple(f"embedding_cosine:vectors=corpus {at}" for at in range(20))
    found = plotly_figure(Figure("", Axis("", names=names), Axis("", names=names)))["layout"]
    ticks = found["xaxis"]["ticktext"]
    assert len(set(ticks)) == 20 and max(map(len, ticks)) <= 24 and found["height"] > 600
    assert found["xaxis"]["tickvals"] == list(names)
    with Image.open(io.BytesIO(draw(HEAT, "png"))) as few:
        cells = Grid("r", names, names, ((0.5,) * 20,) * 20, -1, 1)
        grid = Figure("", Axis("", names=names), Axis("", names=names), cells=cells)
        with Image.open(io.BytesIO(draw(grid, "png"))) as many:
            assert many.width > few.width and many.height > few.height


def test_series_side_by_side_do_not_overlap() -> None:
    again = Series("GRAMMAR", (0, 1), (0.4, 0.2), "range", (0.3, None), (0.6, None))
    both = Figure("", RANGES.x, RANGES.y, (*RANGES.series, again), beside=True)
    assert plotly_figure(both)["layout"]["scattermode"] == "group"
    over = Figure("", RANGES.x, RANGES.y, both.series)
    assert "scattermode" not in plotly_figure(over)["layout"]
    assert draw(both, "png") != draw(over, "png")
