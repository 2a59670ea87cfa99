"""The gold reports as the page shows them."""

import json

import pytest

from scoring.gold.report import method_label
from scoring.gold.words import borderline, compared
from scoring.ratings.tables import ratings_get
from scoring.stats.gold.compare import gold_report
from tests.scoring.hand import hand_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return hand_campaign()


@pytest.fixture
def report(campaign):
    ratings = ratings_get(campaign=campaign)
    return json.loads(json.dumps(gold_report(ratings.columns(), ratings.thresholds)))


def test_the_square_of_methods_is_the_same_both_ways(report):
    [column, *_] = compared(report, "median")["columns"]
    square = {
        label: dict(zip(column["labels"], cells, strict=True)) for label, cells in column["square"]
    }
    assert list(square) == column["labels"] and len(square) > 2
    for one in square:
        assert square[one][one] is None
        assert all(square[one][other] == square[other][one] for other in square)
    pair = report["comparison"]["columns"][column["name"]][0]
    cell = square[method_label(pair["a"])][method_label(pair["b"])]
    assert (cell["value"], cell["n"], cell["reason"]) == (
        pair["spearman"],
        pair["n"],
        pair["reason"],
    )


def test_one_method_is_the_chosen_one_and_its_distribution_is_shown(report):
    shown, stored = compared(report, "median"), report["methods"]["median"]["columns"]
    for column in shown["columns"]:
        assert [row["key"] for row in column["rows"] if row["chosen"]] == ["median"]
        assert column["distribution"] == stored[column["name"]]["distribution"]
        assert any(column["distribution"].values())
    assert [row["key"] for row in shown["passes"] if row["chosen"]] == ["median"]
    # A distribution without a text is not drawn.
    next(iter(stored.values()))["distribution"] = {"1": 0, "2": 0}
    assert compared(report, "median")["columns"][0]["distribution"] == {}


def test_decisions_are_listed_with_the_texts_that_are_still_there_in_one_query(
    campaign, report, django_assert_max_num_queries
):
    part = report["straddling"]["MEANING"]
    units = [row["unit"] for row in part["listed"]]
    part["listed"].append({**part["listed"][0], "unit": "999999"})
    for up, sign in ((True, "≥"), (False, "≤")):
        part["higher_is_better"] = up
        with django_assert_max_num_queries(1):
            shown = {one["name"]: one for one in borderline(campaign, report)}["MEANING"]
            assert all(row["text"].item.key for row in shown["listed"])
        assert [str(row["text"].pk) for row in shown["listed"]] == units != []
        assert shown["sign"] == sign
