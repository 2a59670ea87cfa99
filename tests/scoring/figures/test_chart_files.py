"""Charts as files: what the CSV says is what the chart holds, and the drawing is a figure."""

import csv
from collections import defaultdict
from io import StringIO

import pytest
from django.test import RequestFactory

from annotation.errors import NotFound
from annotation.http.charts import DotChart, DotRow, axis_for
from scoring.chart_files import BarsFile, ChartFile, MultiplesFile, OwnAndOthers, chart_asked
from scoring.figures import paper
from scoring.figures.paper import draw

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
