"""Charts as files: what the CSV says is what the chart holds, and the SVG stands alone."""

import csv
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.test import RequestFactory

from annotation.errors import NotFound
from annotation.http.charts import BarsFile, ChartFile, DotChart, DotRow, axis_for, chart_asked

ROWS = [DotRow("A & <b>", 0.123456789, 0.1, 0.2, bounded=True), DotRow("=B", None, hollow=True)]
TOP = DotRow("ceiling", 0.7, 0.6, 0.8, bounded=True)
CHART = DotChart.of(ROWS, ceiling=TOP, refs=(0.667,), most=1.0)
SVG = "{http://www.w3.org/2000/svg}"


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


def test_svg_stands_alone_with_its_numbers():
    drawn = ElementTree.fromstring(ChartFile("A <title>", [("", CHART)]).svg())
    assert drawn.findtext(f"{SVG}title") == "A <title>"
    texts = [one.text for one in drawn.iter(f"{SVG}text")]
    assert "A & <b>" in texts and ".12 [.10, .20]" in texts and "ceiling" in texts
    assert len(list(drawn.iter(f"{SVG}circle"))) == 2  # What has no value has no dot.


def test_bars_of_one_place_stand_on_each_other():
    file = BarsFile("Gold", axis_for([1, 5]), [(1.0, 2.0, 3, False), (1.0, 2.0, 1, True)])
    assert [(row["from"], row["texts"]) for row in rows_of(file.csv())] == [
        ("1", "3"),
        ("1", "1"),
    ]
    _ground, low, high = ElementTree.fromstring(file.svg()).iter(f"{SVG}rect")
    assert float(high.get("y", 0)) + float(high.get("height", 0)) == float(low.get("y", 0))


def test_a_page_answers_with_the_file_that_is_asked_for():
    charts = {"one": ChartFile("T", [("", CHART)])}

    def asked(query):
        return chart_asked(RequestFactory().get(f"/{query}"), "camp", charts)

    assert asked("") is None
    answer = asked("?chart=one.svg")
    assert answer["Content-Disposition"] == 'attachment; filename="camp-one.svg"'
    for wrong in ("?chart=two.csv", "?chart=one.png", "?chart="):
        with pytest.raises(NotFound):
            asked(wrong)
