"""Figures as SVG on a page."""

import csv
import io
import re
from collections import defaultdict
from dataclasses import replace
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.test import RequestFactory
from PIL import Image

from annotation.errors import NotFound
from annotation.http.charts import DotChart, DotRow, axis_for
from scoring.chart_files import BarsFile, ChartFile, MultiplesFile, OwnAndOthers, chart_asked
from scoring.figures import paper
from scoring.figures.data import (
    ONE_WAY,
    PALETTE,
    TWO_WAYS,
    Axis,
    Figure,
    Series,
    as_read,
    blend,
    numbers_csv,
    written,
)
from scoring.figures.paper import FORMATS, draw
from scoring.figures.screen import nice_ticks, svg
from tests import HOME
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


def drawn(figure, **options):
    """The elements of the drawing."""
    return ElementTree.fromstring(f"<div>{svg(figure, 'T', **options)}</div>")


def all_of(figure, tag, attribute=None):
    elements = list(drawn(figure).iter(tag))
    return [one.text if attribute is None else one.get(attribute) for one in elements]


def texts(figure):
    return all_of(figure, "text")


@ALL
def test_the_drawing_is_whole_and_leaves_colours_to_the_page(figure):
    plot = drawn(figure).find("svg")
    assert plot.get("aria-label") == "T" and "style" not in {
        key for one in plot.iter() for key in one.attrib
    }
    fills = {one.get("fill") for one in plot.iter() if one.tag != "text"} - {None}
    assert bool(fills) == (figure.cells is not None)


def test_points_are_links_and_their_texts_are_escaped():
    links = list(drawn(POINTS).iter("a"))
    assert [one.get("href") for one in links] == ["/a/", "/b/"]
    assert links[0].get("aria-label") == "<b>one</b> → $x$: bleu 0.1, MEANING 1"
    assert [one.get("y") for one in drawn(POINTS).iter("svg") if one.get("class") == "one s0"] == [
        "326.0",  # 1 and 4.5 of 1 to 5.
        "63.5",
    ]
    many = replace(
        POINTS.series[0],
        **{name: getattr(POINTS.series[0], name) * 40 for name in ("x", "y", "texts", "links")},
    )
    assert all_of(replace(POINTS, series=(many,)), "a", "tabindex") == ["-1"] * 80


def test_names_are_drawn_as_people_write_them_and_stay_in_the_table():
    called = {"bleu": "BLEU", "a": "A"}
    heat, lines = (replace(one, called=called) for one in (HEAT, LINES))
    assert texts(heat).count("BLEU") == 2 and "bleu" not in texts(heat)
    assert "".join(drawn(lines).find("ul").itertext()).split() == ["A", "b"]
    assert b">BLEU<" in draw(heat, "svg")
    for figure, plain in ((heat, HEAT), (lines, LINES)):
        assert numbers_csv(figure) == numbers_csv(plain)


def test_a_missing_interval_is_not_drawn():
    band, *_ = [one for one in drawn(LINES).iter("path") if one.get("class") == "band s0"]
    assert band.get("d").count("L") == 3  # Two of three points have both ends.
    whiskers = [one for one in drawn(RANGES).iter("line") if one.get("class") == "w s0"]
    assert len(whiskers) == 1


def test_an_empty_cell_stays_empty_and_others_have_their_values():
    cells = [one for one in drawn(HEAT).iter("rect") if one.get("x")]
    assert [one.find("title").text for one in cells] == [
        "bleu, bleu: 1",
        "ter, bleu: −0.5",
        "bleu, ter: −0.5",
    ]
    assert [one.get("fill") for one in cells] == [TWO_WAYS[4], TWO_WAYS[1], TWO_WAYS[1]]
    assert texts(HEAT)[:3] == ["1.00", "−0.50", "−0.50"]


def test_counts_have_logarithmic_colours():
    fills = [one.get("fill") for one in drawn(DENSITY).iter("rect") if one.get("x")]
    assert fills == [ONE_WAY[0], ONE_WAY[-1]]


@pytest.mark.parametrize(
    ("share", "colour"),
    [(0, ("#00224e", True)), (0.5, ("#7d7c78", False)), (2, ("#fee838", False))],
)
def test_colours_lie_between_their_stops(share, colour):
    assert blend(ONE_WAY, share) == colour


def test_negative_numbers_have_minus_signs_except_in_the_data_table():
    points = Series("m-1", (-1.0, 0.25), (-0.3333, 2.0), texts=("a-b", "c"))
    titles = all_of(Figure("", Axis("m-1"), Axis("S"), (points,)), "title")
    assert titles == ["a-b: m-1 −1, S −0.333", "c: m-1 0.25, S 2"]
    assert {"−2", "−1.5–−1", "e-5", "sys-1"} <= set(texts(NEGATIVE)) and NEGATIVE.x.names[0] == "-2"


def test_figures_grow_with_many_long_names():
    plot = drawn(MANY).find("div/svg")
    assert plot.get("class").split() == ["fig", "named", "many"] and int(plot.get("height")) > 600
    names = {one for one in texts(MANY) if one}
    assert len(names) == 20 and max(map(len, names)) <= 24


def test_series_side_by_side_do_not_overlap():
    def places(figure):
        points = [
            one for one in drawn(figure).iter("svg") if (one.get("class") or "").startswith("rg")
        ]
        return [one.get("x") for one in points if one.get("y") != "6"]

    assert len(set(places(BESIDE))) == 4 > len(set(places(replace(BESIDE, beside=False))))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"),
        (-0.37, 0.93, "−0.25 0.00 0.25 0.50 0.75"),
        (1, 5, "1 2 3 4 5"),
        (-3, 1200, "0 250 500 750 1,000"),
        (0.1, 0.13, "0.100 0.105 0.110 0.115 0.120 0.125 0.130"),
    ],
)
def test_axes_have_round_numbers(low, high, ticks):
    assert " ".join(text for _, text in nice_ticks(low, high)) == ticks


def test_the_pages_have_the_colours_of_print():
    css = (HOME / "static/css/tokens.css").read_text("utf-8")
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    series = r"--series-\d: (#\w+);"
    assert tuple(re.findall(series, light)) == tuple(map(str.lower, PALETTE))
    assert len({*re.findall(series, dark)}) == len(PALETTE)


def test_a_region_says_where_its_plot_is():
    plot = drawn(POINTS, region="r").find("svg")
    assert (plot.get("data-region"), plot.get("data-y"), plot.get("data-plot")) == (
        "r",
        "1 5",
        "26 300",
    )


# Figures as matplotlib draws them for print.


SIGNATURES = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "form"),
    [(POINTS, "pdf"), (LINES, "svg"), (RANGES, "png"), (HEAT, "svg"), (DENSITY, "pdf")],
    ids=["points", "lines", "ranges", "heat", "density"],
)
def test_print_figures_are_byte_identical(figure, form):
    """Each kind of figure, and each format: a drawing takes half a second."""
    once = draw(figure, form)
    assert once == draw(figure, form)
    assert once.startswith(SIGNATURES[form])
    assert set(SIGNATURES) == set(FORMATS)


def test_text_stays_text_in_the_svg():
    svg = draw(LINES, "svg").decode()
    assert "Pearson" in re.sub(r"<!--.*?-->", "", svg) and "2:8" in svg
    assert "<dc:date>" not in svg


def test_a_png_has_print_resolution():
    with Image.open(io.BytesIO(draw(POINTS, "png"))) as picture:
        assert picture.width >= 1500


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="unknown format 'gif'"):
        draw(POINTS, "gif")


def test_negative_numbers_have_minus_signs():
    assert "−1.5–−1" in draw(NEGATIVE, "svg").decode()


@pytest.mark.slow
def test_figures_on_paper_grow_with_many_long_names():
    with (
        Image.open(io.BytesIO(draw(HEAT, "png"))) as few,
        Image.open(io.BytesIO(draw(MANY, "png"))) as many,
    ):
        assert many.width > few.width and many.height > few.height


def test_series_side_by_side_do_not_overlap_on_paper():
    assert draw(BESIDE, "png") != draw(replace(BESIDE, beside=False), "png")


# Charts as files: what the CSV says is what the chart holds, and the drawing is a figure.


ROWS = [DotRow("A & <b>", 0.123456789, 0.1, 0.2, bounded=True), DotRow("=B", None, hollow=True)]
TOP = DotRow("ceiling", 0.7, 0.6, 0.8, bounded=True)
CHART = DotChart.of(ROWS, ceiling=TOP, refs=(0.667,), most=1.0)


def rows_of(text):
    return list(csv.DictReader(StringIO(text)))


def test_csv_has_every_number_in_full_and_what_stands_beside():
    file = ChartFile("T", [("", CHART)], [{"group": "A"}, {"group": "B"}])
    one, two, top = rows_of(file.csv())
    assert (one["name"], float(one["value"]), one["group"]) == ("A & <b>", 0.123456789, "A")
    assert (two["value"], two["group"]) == ("", "B")
    assert (top["name"], float(top["ci_high"]), top["group"]) == ("ceiling", 0.8, "")
    both = rows_of(ChartFile("T", [("r", CHART), ("rho", CHART)]).csv())
    assert [row["column"] for row in both] == ["r"] * 3 + ["rho"] * 3


def test_dots_are_a_figure_with_their_intervals_links_and_ceiling():
    rows = [DotRow("A", 0.1, 0.05, 0.2, url="/a/"), *ROWS, DotRow("C", 0.3, hollow=True)]
    [figure] = ChartFile("T", [("", DotChart.of(rows, ceiling=TOP, refs=(0.667,)))]).figures()
    assert figure.sideways and figure.x.names == ("A", "A & <b>", "=B", "C")
    [dots] = figure.series
    # What has no value has no dot.
    assert (dots.x, dots.y) == ((0.0, 1.0, 3.0), (0.1, 0.123456789, 0.3))
    assert dots.low == (0.05, 0.1, None) and dots.hollow == (False, False, True)
    assert dots.links[0] == "/a/"
    assert [(mark.at, mark.low) for mark in figure.marks] == [(0.667, None), (0.7, 0.6)]


@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_a_matrix_is_drawn_with_a_panel_each(form):
    one, two = (
        draw(ChartFile("T", [(name, CHART) for name in names]).figures(), form)
        for names in (["r"], ["r", "rho"])
    )
    assert len(two) > len(one) > 1000
    if form == "svg":
        assert "A &amp; &lt;b&gt;" in one.decode() and "rho" in two.decode()


def test_bars_of_one_place_stand_on_each_other():
    file = BarsFile("Gold", axis_for([1, 5]), [(1.0, 2.0, 3, False), (1.0, 2.0, 1, True)])
    assert [(row["from"], row["texts"]) for row in rows_of(file.csv())] == [
        ("1", "3"),
        ("1", "1"),
    ]
    [figure] = file.figures()
    assert [(one.name, one.x, one.y, one.kind) for one in figure.series] == [
        ("pass", (1.5,), (1.0,), "bars"),
        ("do not pass", (1.5,), (3.0,), "bars"),
    ]
    axes = Bars()
    floors = defaultdict(float)
    for at, series in enumerate(figure.series):
        paper._bars(axes, series, at, floors)
    assert [(tall, below) for tall, below in axes.drawn] == [((1.0,), [0.0]), ((3.0,), [1.0])]


class Bars:
    """Remembers what is drawn."""

    def __init__(self):
        self.drawn = []

    def bar(self, _x, height, _width, bottom, **_options):
        self.drawn.append((height, bottom))


def test_small_multiples_are_a_figure_for_each_person():
    people = [OwnAndOthers(code, [0.5, 0.5], [0.2, 0.8]) for code in ("a", "b", "c")]
    file = MultiplesFile("Annotators", [1, 2], people)
    assert [row["others"] for row in rows_of(file.csv())] == ["0.2", "0.8"] * 3
    figures = file.figures()
    assert [figure.title for figure in figures] == ["a", "b", "c"]
    assert {figure.y.high for figure in figures} == {1.05 * 0.8}
    assert draw(figures, "svg", across=2).startswith(b"<?xml")


def test_a_page_answers_with_the_file_that_is_asked_for():
    charts = {"one": ChartFile("T", [("", CHART)])}

    def asked(query):
        return chart_asked(RequestFactory().get(f"/{query}"), "camp", charts)

    assert asked("") is None
    answer = asked("?chart=one.svg")
    assert answer["Content-Disposition"] == 'attachment; filename="camp-one.svg"'
    for wrong in ("?chart=two.csv", "?chart=one.gif", "?chart="):
        with pytest.raises(NotFound):
            asked(wrong)


# The data of a figure: the same table for screen and print.


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
