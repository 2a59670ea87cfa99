"""Results per system."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

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


def test_results_page_is_the_command() -> None:
    campaign = hand_campaign()
    client = login("vera")
    for unit in ("judgment", "gold"):
        answer = client.get(reverse("results", args=[campaign.slug]), {"unit": unit})
        assert answer.context["found"] == json.loads(
            json.dumps(results_for(campaign=campaign, unit=unit))  # type: ignore[arg-type]
        )
    page = client.get(reverse("results", args=[campaign.slug])).content.decode()
    assert "0.60" in page and "exclusion in force" in page and "S0 − S1" in page


def test_results_page_by_a_method_of_gold() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("results", args=[campaign.slug])
    answer = client.get(address, {"unit": "gold", "method": "median", "adjudicated": "first"})
    choice = Choice(method="adjudicated-median")
    assert answer.context["found"] == json.loads(
        json.dumps(results_for(campaign=campaign, unit="gold", choice=choice))
    )
    z = client.get(address, {"unit": "gold", "method": "z", "adjudicated": "first"})
    assert "thresholds do not apply" in z.content.decode()
    assert client.get(address, {"unit": "gold", "method": "guess"}).status_code == 400
