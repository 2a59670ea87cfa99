"""Pages of lists."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.services.collecting.claiming import claim_next
from tests.annotation.api.campaigns.asked import CAMP, rated
from tests.annotation.api.conftest import Login
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet

pytestmark = pytest.mark.django_db


def queries_of(client: APIClient, address: str) -> tuple[int, int]:
    """How many queries a page takes, and how many rows it has."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(captured), len(answer.json()["results"])


def test_a_page_of_items_costs_the_same_for_many(login: Login) -> None:
    make_campaign(items=40, systems=3)
    vera = login("vera")
    few, many = (queries_of(vera, f"{CAMP}/items?page_size={size}") for size in (2, 40))
    assert (few[1], many[1]) == (2, 40)
    assert few[0] == many[0]


def test_following_next_meets_every_judgment_once_while_others_are_added(login: Login) -> None:
    campaign = make_campaign(items=6, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    rate_all(bob)
    vera = login("vera")
    before = {judgment.pk for judgment in campaign.judgments.all()}
    page = vera.get(f"{CAMP}/judgments?page_size=7").json()
    seen = page["results"]
    while page["next"]:
        sheet = claim_next(annotator=ben)
        if sheet is not None:
            rate_sheet(ben, sheet)
        page = vera.get(page["next"]).json()
        seen += page["results"]
    keys = [(row["annotator"], row["substitution"], row["scale"]) for row in seen]
    assert len(keys) == len(set(keys)) >= len(before)
    assert sum(row["annotator"] == bob.code for row in seen) == len(before)


def test_a_page_of_judgments_costs_the_same_for_many(login: Login) -> None:
    rated(8)
    vera = login("vera")
    few, many = (queries_of(vera, f"{CAMP}/judgments?page_size={size}") for size in (2, 40))
    assert (few[1], many[1]) == (2, 40)
    assert few[0] == many[0]
