"""The page of gold by every method: its numbers are those of the statistics."""

import json

import pytest

from annotation.models import Annotator, Substitution
from paraanno.jobs.engine import job_work
from scoring.gold.report import gold_columns, gold_get, scale_ends
from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from scoring.stats.gold.compare import gold_report
from tests.clients import client_of, html_of
from tests.factories import add_judgments


def page_of(**query):
    return client_of("vera").get("/c/hand/gold/", query)


@pytest.mark.parametrize("method", ["majority", "severity", "dawid-skene", "adjudicated"])
def test_gold_page_by_a_method(method, hand):
    add_judgments(
        hand,
        [
            {
                "item": "i1",
                "paraphrase": "two",
                "annotator": "judge",
                "scale": scale,
                "value": 5,
                "kind": "adjudication",
            }
            for scale in ("MEANING", "GRAMMAR")
        ],
    )
    page = page_of(method=method)
    ratings = ratings_get(campaign=hand)
    pure = gold_get(campaign=hand, ratings=ratings, choice=Choice(method=method))
    rows = {row["text"].pk: row for row in page.context["rows"]}
    for unit, pk in enumerate(ratings.units.tolist()):
        decision = pure.passes.rows()[unit].value
        assert rows[pk]["pass"] == (None if decision is None else decision == 1)
        for cell, values in zip(rows[pk]["cells"], pure.columns.values(), strict=False):
            assert cell["by"]["value"] == pytest.approx(values.rows()[unit].value, abs=1e-6)
            assert cell["by"]["n"] == values.rows()[unit].n
    two = rows[Substitution.objects.get(text="two").pk]
    if method == "adjudicated":
        assert [cell["by"]["value"] for cell in two["cells"]] == [5, 5, 10] and two["pass"]
        assert "adjudicated" in html_of(page)
    if method == "majority":
        assert two["cells"][0]["by"]["value"] is None
        assert "equally frequent" in html_of(page)


@pytest.mark.slow
def test_gold_page_compares_methods_and_lists_what_hangs_on_a_thread(hand):
    ratings = ratings_get(campaign=hand)
    ends = scale_ends(ratings)
    assert ends["MEANING + GRAMMAR"] == (2, 10)
    pure = json.loads(json.dumps(gold_report(ratings.columns(), ratings.thresholds, ends)))
    columns = page_of(show="methods", method="median").context["compared"]["columns"]
    assert [column["name"] for column in columns] == list(ratings.columns())
    for column in columns:
        for row in column["rows"]:
            expected = pure["methods"][row["key"]]["columns"][column["name"]]
            assert {name: row[name] for name in expected} == expected
    page = page_of(show="threshold")
    for part in page.context["borderline"]:
        expected = pure["straddling"][part["name"]]
        assert (part["straddling"], part["flipping"]) == (
            expected["straddling"],
            expected["flipping"],
        )
        assert [str(row["text"].pk) for row in part["listed"]] == [
            row["unit"] for row in expected["listed"]
        ]
    two = Substitution.objects.get(text="two")
    assert f"/c/hand/items/{two.item.key}/" in html_of(page)
    Annotator.objects.filter(code="c").update(origin="anonymous")
    for query in ({"show": "threshold"}, {"method": "severity"}):
        assert "annotators are anonymous" in html_of(page_of(**query))


def test_gold_that_needs_all_ratings_waits_for_a_worker_in_a_large_campaign(settings, hand):
    settings.REPORT_ON_THE_SPOT = 3
    assert "being computed" in html_of(page_of(method="mace"))
    report = Report.objects.get(kind="gold-values")
    assert (report.status, report.options) == ("queued", {"method": "mace"})
    job_work("report", report.pk)
    page = page_of(method="mace")
    assert page.context["view"].fresh and len(page.context["rows"]) == 3
    # What looks at one text at a time needs no report.
    assert page_of(method="median").context["view"] is None
    data = {"what": "gold", "format": "csv", "method": "mace"}
    assert client_of("vera").post("/c/hand/exports/new/", data).status_code == 302
    assert hand.export_files.get().options["method"] == "mace"


def test_gold_page_shows_gold(hand):
    shown = page_of().context
    ratings = ratings_get(campaign=hand)
    columns = gold_columns(campaign=hand, ratings=ratings)
    units = {pk: unit for unit, pk in enumerate(ratings.units.tolist())}
    assert shown["names"] == ["MEANING", "GRAMMAR", "MEANING + GRAMMAR"]
    assert [(row["text"].text, row["pass"]) for row in shown["rows"]] == [
        ("one", True),
        ("two", False),
        ("three", False),
    ]
    for row in shown["rows"]:
        unit = units[row["text"].pk]
        for cell, column in zip(row["cells"], columns.values(), strict=True):
            for name in ("mean", "median", "n"):
                assert cell[name] == getattr(column, name)[unit]
