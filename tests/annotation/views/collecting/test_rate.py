"""The rating screen as pages and plain forms, without JavaScript."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotation.models import Judgment, JudgmentVersion, Skip, Slot
from annotation.services.people.membership import membership_set
from tests.annotation.api.collecting.place import Place
from tests.clients import client_of
from tests.factories import make_annotator, make_user

pytestmark = pytest.mark.django_db


def test_the_plain_form_saves_submits_and_goes_on() -> None:
    """Without JavaScript; sent twice it saves once."""
    place = Place()
    page = f"/rate/{place.campaign.slug}/{place.sheet.key}/"
    form = {}
    for entry in place.sheet.entries.select_related("substitution"):
        for scale in place.campaign.scales.all():
            name = f"{entry.substitution.key}.{scale.key}"
            form |= {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": str(uuid4())}
    answers = [place.client.post(page, form) for _ in range(2)]
    assert answers[0].status_code == 302
    assert answers[0]["Location"] != page
    assert JudgmentVersion.objects.count() == 4
    assert set(Judgment.objects.values_list("value", "status")) == {(3.0, "counted")}


def test_a_conflict_in_the_plain_form_is_shown_and_loses_nothing() -> None:
    place = Place()
    page = f"/rate/{place.campaign.slug}/{place.sheet.key}/"
    entry, scale = place.sheet.entries.all()[0], place.campaign.scales.all()[0]
    name = f"{entry.substitution.key}.{scale.key}"
    form = {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": str(uuid4())}
    place.put(value=5)
    answer = place.client.post(page, form)
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "<strong>3</strong>" in text
    assert "<strong>5</strong>" in text
    assert Judgment.objects.get().value == 5


def test_only_members_who_have_begun_have_a_sheet() -> None:
    place = Place()
    assert client_of("charlie").get(f"/rate/{place.campaign.slug}/").status_code == 404
    make_annotator(place.campaign, "ben")
    page = f"/rate/{place.campaign.slug}/{place.sheet.key}/"
    assert place.client.get(page).status_code == 200
    assert client_of("ben").get(page).status_code == 404
    membership_set(campaign=place.campaign, user=make_user("eve"), role="annotator", actor=None)
    assert client_of("eve").get(page).status_code == 404


def test_a_sheet_is_claimed_by_a_click_and_given_back_with_a_reason() -> None:
    place = Place()
    start = f"/rate/{place.campaign.slug}/"
    ben = client_of("ben")
    make_annotator(place.campaign, "ben")
    assert ben.get(start).status_code == 200
    assert not Slot.objects.filter(annotator__user__username="ben").exists()
    claimed = ben.post(start)["Location"]
    assert Slot.objects.get(annotator__user__username="ben").state == "claimed"
    # Nothing else is left for Ben: Bob holds the other sheet.
    assert ben.post(claimed, {"skip": "not understood"})["Location"] == start
    assert Skip.objects.get().reason == "not understood"
    assert ben.post(start).status_code == 200


def test_an_answer_that_the_form_did_not_change_is_not_sent() -> None:
    """Another window may have changed it meanwhile."""
    place = Place()
    entry, scale = place.sheet.entries.all()[0], place.campaign.scales.all()[0]
    name = f"{entry.substitution.key}.{scale.key}"
    place.put(value=5)
    form = {f"value.{name}": "3", f"was.{name}": "3", f"base.{name}": "0"}
    answer = place.client.post(f"/rate/{place.campaign.slug}/{place.sheet.key}/", form)
    assert answer.status_code == 200
    assert Judgment.objects.get().value == 5
