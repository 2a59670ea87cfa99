"""Results per system."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotator
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Report
from scoring.selectors.gold.outcomes import results_for
from scoring.selectors.ratings.tables import Choice
from tests.clients import client_of, text_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.selectors.ratings.reversed import reversed_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


def test_the_page_of_results_writes_the_sign_of_the_scale() -> None:
    campaign = reversed_campaign()
    page = text_of(client_of("vera").get(f"/c/{campaign.slug}/results/"))
    assert "≤ 3" in page and "≥ 3" not in page


def without_looks(found: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in found.items() if key != "looks"}


def test_results_page_is_the_command() -> None:
    campaign = hand_campaign()
    client = login("vera")
    for unit in ("judgment", "gold"):
        answer = client.get(reverse("results", args=[campaign.slug]), {"unit": unit})
        assert without_looks(answer.context["found"]) == json.loads(
            json.dumps(results_for(campaign=campaign, unit=unit))  # type: ignore[arg-type]
        )
    page = client.get(reverse("results", args=[campaign.slug])).content.decode()
    assert "0.60" in page and "exclusion in force" in page and "S0 − S1" in page


def test_rank_intervals_stand_beside_the_clusters() -> None:
    campaign = hand_campaign()
    answer = login("vera").get(reverse("results", args=[campaign.slug]))
    page = answer.content.decode()
    for part in answer.context["comparisons"]:
        assert set(part["ranks"]) == {label for group in part["groups"] for label in group}
    assert page.count("data-ranks") == len(answer.context["comparisons"]) > 0
    assert "Unadjusted clusters" in page and "p by max-T" in page


def test_results_of_the_version_before_are_shown_by_holm() -> None:
    campaign = hand_campaign()
    client, address = login("vera"), reverse("results", args=[campaign.slug])
    client.get(address)
    report = Report.objects.get(campaign=campaign, kind="results")
    result = report.result
    for row in result["pairs"]:
        del row["p_max_t"]
        row["p_holm"] = 0.01
    for one in result["clusters"]:
        del one["ranks"], one["groups_unadjusted"]
    Report.objects.filter(pk=report.pk).update(result=result)
    answer = client.get(address)
    page = answer.content.decode()
    assert "data-ranks" not in page and "p by max-T" not in page and "after Holm" not in page
    for part in answer.context["comparisons"]:
        assert all(row["clear"] for row in part["pairs"])


def test_few_originals_are_warned_of() -> None:
    campaign = hand_campaign()
    page = text_of(login("vera").get(reverse("results", args=[campaign.slug])))
    assert "riginals (phrases, or items)" in page
    assert "new phrases judged by these annotators" in page


def test_the_page_says_how_often_it_was_looked_at() -> None:
    campaign, address = hand_campaign(), "/c/hand/results/"
    client = login("vera")
    assert "data-looks" not in client.get(address).content.decode()
    exclusion_add(target=Annotator.objects.get(code="c"), reason="x", actor=None, free_slots=False)
    for _ in range(2):
        assert "made from 2 states of the judgments" in text_of(client.get(address))
    page = text_of(client.get(address, {"unit": "gold"}, headers={"accept-language": "ko"}))
    assert "판단 상태 2가지" in page
    told = client.get(reverse("api-report", args=[campaign.slug, "results"])).json()
    assert told["result"]["looks"]["states"] == 2


def test_results_page_by_a_method_of_gold() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("results", args=[campaign.slug])
    answer = client.get(address, {"unit": "gold", "method": "median", "adjudicated": "first"})
    choice = Choice(method="adjudicated-median")
    assert without_looks(answer.context["found"]) == json.loads(
        json.dumps(results_for(campaign=campaign, unit="gold", choice=choice))
    )
    z = client.get(address, {"unit": "gold", "method": "z", "adjudicated": "first"})
    assert "thresholds do not apply" in z.content.decode()
    assert client.get(address, {"unit": "gold", "method": "guess"}).status_code == 400
