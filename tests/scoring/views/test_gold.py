"""The page of gold by every method: its numbers are those of the statistics."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotator, Substitution
from scoring.models import Report
from scoring.selectors.gold.outcomes import gold_columns
from scoring.selectors.gold.values import gold_get
from scoring.selectors.ratings.tables import Choice, ratings_get
from scoring.services.reports.compute import report_make
from scoring.stats.gold.compare import gold_report
from tests.factories import add_judgments
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["majority", "severity", "dawid-skene", "adjudicated"])
def test_gold_page_by_a_method(method: str) -> None:
    campaign = hand_campaign()
    add_judgments(
        campaign,
        [{"item": "i1", "paraphrase": "two", "annotator": "judge", "scale": scale, "value": 5,
          "kind": "adjudication"} for scale in ("MEANING", "GRAMMAR")],
    )  # fmt: skip
    answer = login("vera").get(reverse("gold", args=[campaign.slug]), {"method": method})
    ratings = ratings_get(campaign=campaign)
    found = gold_get(campaign=campaign, ratings=ratings, choice=Choice(method=method))
    units = {pk: unit for unit, pk in enumerate(ratings.units.tolist())}
    for row in answer.context["rows"]:
        unit = units[row["text"].pk]
        decision = found.passes.rows()[unit].value
        assert row["pass"] == (None if decision is None else decision == 1)
        for cell, values in zip(row["cells"], found.columns.values(), strict=False):
            assert cell["by"]["value"] == pytest.approx(values.rows()[unit].value, abs=1e-6)
            assert cell["by"]["n"] == values.rows()[unit].n
    two = next(row for row in answer.context["rows"] if row["text"].text == "two")
    if method == "adjudicated":
        assert [cell["by"]["value"] for cell in two["cells"]] == [5, 5, 10] and two["pass"]
        assert "adjudicated" in answer.content.decode()
    if method == "majority":
        assert two["cells"][0]["by"]["value"] is None
        assert "equally frequent" in answer.content.decode()


def test_gold_page_compares_methods_and_lists_what_hangs_on_a_thread() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("gold", args=[campaign.slug])
    ratings = ratings_get(campaign=campaign)
    pure = json.loads(json.dumps(gold_report(ratings.columns(), ratings.thresholds)))
    page = client.get(address, {"show": "methods", "method": "median"})
    shown = page.context["compared"]
    assert [column["name"] for column in shown["columns"]] == list(ratings.columns())
    for column in shown["columns"]:
        for row in column["rows"]:
            expected = pure["methods"][row["key"]]["columns"][column["name"]]
            assert {name: row[name] for name in expected} == expected
    page = client.get(address, {"show": "threshold"})
    for part in page.context["borderline"]:
        expected = pure["straddling"][part["name"]]
        assert (part["straddling"], part["flipping"]) == (
            expected["straddling"], expected["flipping"],
        )  # fmt: skip
        assert [str(row["text"].pk) for row in part["listed"]] == [
            row["unit"] for row in expected["listed"]
        ]
    two = Substitution.objects.get(campaign=campaign, text="two")
    assert reverse("item", args=[campaign.slug, two.item.key]) in page.content.decode()
    Annotator.objects.filter(campaign=campaign, code="c").update(origin="anonymous")
    page = client.get(address, {"show": "threshold"})
    assert "annotators are anonymous" in page.content.decode()
    page = client.get(address, {"method": "severity"})
    assert "annotators are anonymous" in page.content.decode()


def test_gold_that_needs_all_ratings_waits_for_a_worker_in_a_large_campaign(settings: Any) -> None:
    campaign = hand_campaign()
    settings.REPORT_ON_THE_SPOT = 3
    client = login("vera")
    address = reverse("gold", args=[campaign.slug])
    page = client.get(address, {"method": "mace"})
    assert "being made by a worker" in page.content.decode()
    report = Report.objects.get(kind="gold-values")
    assert (report.status, report.options) == ("queued", {"method": "mace"})
    report_make(report_pk=report.pk)
    page = client.get(address, {"method": "mace"})
    assert page.context["view"].fresh and len(page.context["rows"]) == 3
    # What looks at one text at a time needs no report.
    assert client.get(address, {"method": "median"}).context["view"] is None
    answer = client.post(
        reverse("export-new", args=[campaign.slug]),
        {"what": "gold", "format": "csv", "method": "mace"},
    )
    assert answer.status_code == 302
    assert campaign.export_files.get().options["method"] == "mace"


def test_gold_page_shows_gold() -> None:
    campaign = hand_campaign()
    answer = login("vera").get(reverse("gold", args=[campaign.slug]))
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    assert answer.context["names"] == ["MEANING", "GRAMMAR", "MEANING + GRAMMAR"]
    units = {pk: unit for unit, pk in enumerate(ratings.units.tolist())}
    assert [row["text"].text for row in answer.context["rows"]] == ["one", "two", "three"]
    for row in answer.context["rows"]:
        unit = units[row["text"].pk]
        for cell, column in zip(row["cells"], columns.values(), strict=True):
            assert cell["mean"] == column.mean[unit]
            assert cell["median"] == column.median[unit]
            assert cell["n"] == column.n[unit]
    assert [row["pass"] for row in answer.context["rows"]] == [True, False, False]
