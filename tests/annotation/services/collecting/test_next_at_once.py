"""The next sheet together with handing one in: what `claim_next` would have given."""

from copy import copy
from datetime import timedelta

import pytest

from annotation.campaigns.services import campaign_pause
from annotation.collecting import whole_sheet_api
from annotation.collecting.claiming import claim_next
from annotation.models import Annotator, Campaign, Sheet, Slot
from annotation.people.background import consent_text_add
from annotation.people.exclusions import exclusion_add
from annotation.verify import verify
from paraanno import clock
from tests.annotation.api.collecting.place import Place, logged_in
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.together import together
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def late_claims(monkeypatch):
    """What was claimed after the transaction, by `claim_next`."""
    asked = []
    after = whole_sheet_api.next_sheet

    def noted(*given, **named):
        asked.append(named)
        return after(*given, **named)

    monkeypatch.setattr(whole_sheet_api, "next_sheet", noted)
    return asked


def turn(place, **body):
    data = place.whole(place.answers(), state="done", next=True, **body).json()
    assert data["state"] == "done"
    return data


def after(place):
    """The key of the sheet that comes when this one is handed in."""
    return str(turn(place)["sheet"]["key"])


@pytest.mark.slow
@pytest.mark.parametrize("order", Campaign.Order.values)
def test_the_slot_is_the_one_that_a_claim_takes(late_claims, order):
    """In every order of handing out, also where the annotator's starting point is behind all."""
    for seed in (0, 2**62, 2**63 - 1):
        place = Place(slug=f"seed-{seed}", items=4, order=order)
        Annotator.objects.filter(pk=place.bob.pk).update(seed=seed)
        key = after(place)
        slot = Slot.objects.get(annotator=place.bob, state="claimed")
        assert str(slot.sheet.key) == key
        events = slot.events.all()
        assert [*events.values_list("kind", "annotator", "actor")] == [
            ("claimed", place.bob.pk, None)
        ]
        lease = timedelta(minutes=place.campaign.lease_minutes)
        assert slot.lease_expires_at - slot.claimed_at == lease
        # As it was before: the claim takes the same one.
        events.delete()
        Slot.objects.filter(pk=slot.pk).update(
            state="free", annotator=None, claimed_at=None, lease_expires_at=None
        )
        assert str(offer(Annotator.objects.get(pk=place.bob.pk)).key) == key
    assert late_claims == []


def test_an_open_sheet_comes_first_unless_the_page_has_it(late_claims):
    place = Place(items=3)
    ahead = offer(place.bob, place.sheet)
    third = turn(place, beside=[str(ahead.key)])["sheet"]["key"]
    assert third not in (str(ahead.key), str(place.sheet.key))
    place.sheet = ahead
    assert after(place) == third
    assert late_claims == []


def test_a_lease_that_is_half_over_is_renewed_as_by_a_claim(late_claims):
    place = Place(items=3)
    ahead = offer(place.bob, place.sheet)
    soon = clock.now() + timedelta(minutes=1)
    Slot.objects.filter(sheet=ahead).update(lease_expires_at=soon)
    assert after(place) == str(ahead.key)
    assert Slot.objects.get(sheet=ahead).lease_expires_at > soon
    assert len(late_claims) == 1


def test_shared_sheets_come_first(late_claims):
    place = Place(items=4)
    other = Sheet.objects.exclude(pk=place.sheet.pk)[0]
    other.slots.all().delete()
    Sheet.objects.filter(pk=other.pk).update(shared=True)
    assert after(place) == str(other.key)
    assert len(late_claims) == 1


def add_step(place):
    consent_text_add(campaign=place.campaign, text="You judge.", actor=None)


def pause(place):
    campaign_pause(campaign=place.campaign, actor=None)


def exclude(place):
    exclusion_add(target=place.bob, reason="test", actor=None, free_slots=False)


@pytest.mark.parametrize(
    ("happens", "code"), [(add_step, "consent"), (pause, "not_open"), (exclude, "not_open")]
)
def test_a_step_comes_before_the_next_sheet_and_nobody_claims_who_may_not(happens, code):
    place = Place(items=3)
    happens(place)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, code)
    assert not Slot.objects.filter(annotator=place.bob, state="claimed").exists()


def test_eight_annotators_never_share_a_place():
    place = Place(items=24)
    work = []
    for number in range(8):
        seat = copy(place)
        seat.bob = make_annotator(place.campaign, f"ann{number}")
        seat.sheet, seat.client = offer(seat.bob), logged_in(f"ann{number}")
        work.append(lambda seat=seat: after(seat))
    assert len(set(together(work))) == 8
    assert verify(campaign=place.campaign) == []


def test_an_excluded_annotator_is_not_given_the_sheet_that_they_have_open():
    place = Place(items=3)
    assert claim_next(annotator=place.bob, beside=[place.sheet.key]) is not None
    exclusion_add(target=place.bob, reason="test", actor=None, free_slots=False)
    data = turn(place)
    assert (data["sheet"], data["code"]) == (None, "not_open")
