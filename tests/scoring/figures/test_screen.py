"""Figures as SVG on a page."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from scoring.figures.data import (
    ONE_WAY,
    PALETTE,
    TWO_WAYS,
    Axis,
    Figure,
    Series,
    blend,
    numbers_csv,
)
from scoring.figures.paper import draw
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
    css = (HOME / "static/css/tokens.css").read_text(encoding="utf-8")
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
