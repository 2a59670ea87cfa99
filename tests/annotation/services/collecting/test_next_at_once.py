"""The next sheet together with handing one in: what `claim_next` would have given."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from annotation.api.collecting import quick
from annotation.models import Annotator, Sheet, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import campaign_pause
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.consent import consent_text_add
from annotation.services.people.exclusions import exclusion_add
from paraanno import clock
from tests.annotation.api.collecting.place import Place, logged_in
from tests.annotation.services.together import together
from tests.factories import make_annotator, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def late_claims(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was claimed after the transaction, by `claim_next`."""
    asked: list[Any] = []
    after = quick.next_sheet

    def noted(*given: Any, **named: Any) -> Any:
        asked.append(named)
        return after(*given, **named)

    monkeypatch.setattr(quick, "next_sheet", noted)
    return asked


def turn(place: Place, **body: Any) -> Any:
    answer = place.whole(place.answers(), state="done", next=True, **body)
    assert answer.status_code == 200
    data = answer.json()
    assert data["state"] == "done"
    return data


def test_the_slot_is_the_one_that_a_claim_takes(late_claims: list[Any]) -> None:
    """In every order of handing out, also where the annotator's starting point is behind all."""
    for order in ("breadth", "depth", "phrase", "imported"):
        for seed in (0, 2**62, 2**63 - 1):
            place = Place(slug=f"{order}-{seed}", items=4, order=order)
            Annotator.objects.filter(pk=place.bob.pk).update(seed=seed)
            data = turn(place)
            slot = Slot.objects.get(annotator=place.bob, state="claimed")
            assert str(slot.sheet.key) == data["sheet"]["key"]
            events = SlotEvent.objects.filter(slot=slot)
            told = [(one.kind, one.annotator_id, one.actor_id) for one in events]
            assert told == [("claimed", place.bob.pk, None)]
            lease = timedelta(minutes=place.campaign.lease_minutes)
            assert slot.lease_expires_at - slot.claimed_at == lease
            # As it was before: the claim takes the same one.
            events.delete()
            Slot.objects.filter(pk=slot.pk).update(
                state="free", annotator=None, claimed_at=None, lease_expires_at=None
            )
            bob = Annotator.objects.select_related("campaign").get(pk=place.bob.pk)
            again = claim_next(annotator=bob)
            assert again is not None and str(again.key) == data["sheet"]["key"]
            assert verify(campaign=place.campaign) == []
    assert late_claims == []


def test_an_open_sheet_comes_first_unless_the_page_has_it(late_claims: list[Any]) -> None:
    place = Place(items=3)
    ahead = claim_next(annotator=place.bob, beside=[place.sheet.key])
    third = turn(place, beside=[str(ahead.key)])["sheet"]["key"]
    assert third not in (str(ahead.key), str(place.sheet.key))
    place.sheet = ahead
    assert turn(place)["sheet"]["key"] == third
    assert late_claims == []


def test_a_lease_that_is_half_over_is_renewed_as_by_a_claim(late_claims: list[Any]) -> None:
    place = Place(items=3)
    ahead = claim_next(annotator=place.bob, beside=[place.sheet.key])
    soon = clock.now() + timedelta(minutes=1)
    Slot.objects.filter(annotator=place.bob, sheet=ahead).update(lease_expires_at=soon)
    assert turn(place)["sheet"]["key"] == str(ahead.key)
    assert Slot.objects.get(sheet=ahead).lease_expires_at > soon
    assert len(late_claims) == 1


def test_a_step_comes_before_the_next_sheet(late_claims: list[Any]) -> None:
    place = Place(items=3)
    consent_text_add(campaign=place.campaign, text="You judge.", actor=make_user("alice"))
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, "consent") and data["url"]
    assert len(late_claims) == 1
    assert not Slot.objects.filter(annotator=place.bob, state="claimed").exists()


def test_shared_sheets_come_first(late_claims: list[Any]) -> None:
    place = Place(items=4)
    other = Sheet.objects.exclude(pk=place.sheet.pk).first()
    Slot.objects.filter(sheet=other).delete()
    Sheet.objects.filter(pk=other.pk).update(shared=True)
    assert turn(place)["sheet"]["key"] == str(other.key)
    assert len(late_claims) == 1


@pytest.mark.parametrize("how", ["paused", "excluded"])
def test_nobody_claims_who_may_not(how: str) -> None:
    place = Place(items=3)
    alice = make_user("alice")
    if how == "paused":
        campaign_pause(campaign=place.campaign, actor=alice)
    else:
        exclusion_add(target=place.bob, reason="test", actor=alice, free_slots=False)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, "not_open")
    assert not Slot.objects.filter(annotator=place.bob, state="claimed").exists()


def test_eight_annotators_never_share_a_place(late_claims: list[Any]) -> None:
    place = Place(items=24)
    work = []
    for number in range(8):
        one = make_annotator(place.campaign, f"ann{number}")
        sheet = claim_next(annotator=one)
        body = {"annotator": str(one.key), "state": "done", "next": True}
        seat = Place.__new__(Place)
        seat.campaign, seat.bob, seat.sheet = place.campaign, one, sheet
        seat.client = logged_in(f"ann{number}")
        work.append(lambda seat=seat, body=body: seat.whole(seat.answers(), **body))
    answers = together(work)
    keys = [one.json()["sheet"]["key"] for one in answers]
    assert len(set(keys)) == 8
    assert verify(campaign=place.campaign) == []


def test_an_excluded_annotator_is_not_given_the_sheet_that_they_have_open() -> None:
    place = Place(items=3)
    assert claim_next(annotator=place.bob, beside=[place.sheet.key]) is not None
    exclusion_add(target=place.bob, reason="test", actor=None, free_slots=False)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, "not_open")
