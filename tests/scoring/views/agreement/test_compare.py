"""Two agreement reports side by side."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Campaign, Substitution
from annotation.models.fields import text_digest
from annotation.services.people.membership import membership_set
from scoring.models import Report
from tests.clients import client_of
from tests.factories import add_items, make_user
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


def sizes(page: Any) -> list[int | None]:
    (scale,) = [one for one in page.context["scales"] if one["name"] == "MEANING"]
    return [block and block["n_ratings"] for block in scale["blocks"]]


def test_two_choices_of_one_campaign() -> None:
    hand_campaign()
    page = client_of("vera").get(
        reverse("compare", args=["hand"]), {"a-annotators": ["a", "b"], "b-annotators": ["b", "c"]}
    )
    assert sizes(page) == [5, 4]
    rows = {str(row["label"]): row for row in page.context["scales"][0]["rows"]}
    within = rows["Within one point"]
    assert within["difference"] == pytest.approx(
        within["cells"][1]["value"] - within["cells"][0]["value"]
    )


def other_words(campaign: Campaign, text: str) -> None:
    """Give the campaign another text there, and one more, which its fingerprint shows."""
    new = f"not {text}"
    Substitution.objects.filter(campaign=campaign, text=text).update(
        text=new, text_hash=text_digest(new)
    )
    row = {"phrase": "late", "sentence": f"It came late, {text}.", "paraphrase": "x"}
    add_items(campaign, [{**row, "system": "S0"}])


def test_two_campaigns_are_compared_on_the_texts_of_both() -> None:
    first, second = hand_campaign(), hand_campaign("second")
    client, address = client_of("adam"), reverse("compare", args=["hand"])
    other_words(second, "three")
    page = client.get(address, {"other": "second"})
    assert sizes(page) == [5, 5]
    assert [block["n_units"] for block in page.context["scales"][0]["blocks"]] == [2, 2]
    # What the second campaign has is part of what the report of the first rests on.
    other_words(second, "two")
    assert sizes(client.get(address, {"other": "second"})) == [2, 2]
    assert Report.objects.filter(campaign=first).count() == 2


def test_a_campaign_of_others_stays_closed() -> None:
    hand_campaign()
    hand_campaign("second")
    mine = Campaign.objects.get(slug="hand")
    membership_set(campaign=mine, user=make_user("eve"), role="viewer", actor=None)
    client = client_of("eve")
    page = client.get(reverse("compare", args=["hand"]))
    assert page.status_code == 200 and list(page.context["others"]) == []
    assert client.get(reverse("compare", args=["hand"]), {"other": "second"}).status_code == 404
