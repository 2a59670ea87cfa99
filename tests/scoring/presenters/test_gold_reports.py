"""The gold reports as the page shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.models import Campaign
from scoring.presenters.gold import method_label
from scoring.presenters.gold_reports import borderline, compared
from scoring.selectors.ratings.tables import ratings_get
from scoring.stats.gold.compare import gold_report
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return hand_campaign()


@pytest.fixture
def report(campaign: Campaign) -> Any:
    ratings = ratings_get(campaign=campaign)
    return json.loads(json.dumps(gold_report(ratings.columns(), ratings.thresholds)))


def test_the_square_of_methods_is_the_same_both_ways(report: Any) -> None:
    [column, *_] = compared(report, "median")["columns"]
    labels, square = column["labels"], column["square"]
    assert [label for label, _ in square] == labels and len(labels) > 2
    for row, (_, cells) in enumerate(square):
        assert cells[row] is None and len(cells) == len(labels)
        for place, cell in enumerate(cells):
            assert cell == square[place][1][row]
    pair = report["comparison"]["columns"][column["name"]][0]
    cell = square[labels.index(method_label(pair["a"]))][1][labels.index(method_label(pair["b"]))]
    assert cell is not None
    assert (cell["value"], cell["n"], cell["reason"]) == (
        pair["spearman"], pair["n"], pair["reason"],
    )  # fmt: skip


def test_one_method_is_the_chosen_one_and_its_distribution_is_shown(report: Any) -> None:
    found = compared(report, "median")
    for column in found["columns"]:
        assert [row["key"] for row in column["rows"] if row["chosen"]] == ["median"]
        stored = report["methods"]["median"]["columns"][column["name"]]["distribution"]
        assert column["distribution"] == stored and any(stored.values())
    assert [row["key"] for row in found["passes"] if row["chosen"]] == ["median"]


def test_a_distribution_without_a_text_is_not_drawn(report: Any) -> None:
    name = next(iter(report["methods"]["median"]["columns"]))
    report["methods"]["median"]["columns"][name]["distribution"] = {"1": 0, "2": 0}
    assert compared(report, "median")["columns"][0]["distribution"] == {}


def test_decisions_are_listed_with_the_texts_that_are_still_there(
    campaign: Campaign, report: Any
) -> None:
    part = report["straddling"]["MEANING"]
    assert part["listed"]
    gone = {**part["listed"][0], "unit": "999999"}
    part["listed"].append(gone)
    found = {one["name"]: one for one in borderline(campaign, report)}["MEANING"]
    assert [str(row["text"].pk) for row in found["listed"]] == [
        row["unit"] for row in part["listed"][:-1]
    ]
    assert found["sign"] == "≥"
    part["higher_is_better"] = False
    assert {one["name"]: one["sign"] for one in borderline(campaign, report)}["MEANING"] == "≤"


def test_texts_are_fetched_at_once(
    campaign: Campaign, report: Any, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(1):
        for part in borderline(campaign, report):
            for row in part["listed"]:
                assert row["text"].item.key
