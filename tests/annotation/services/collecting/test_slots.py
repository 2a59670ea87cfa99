"""A change of a slot is a compare-and-set: who read an older state changes nothing."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotator, Judgment, Slot, SlotEvent
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.slots import renew, take
from annotation.services.transactions import short_write
from tests.annotation.services.together import THREADS, together
from tests.factories import make_annotator, make_campaign, rate_sheet

NOW = timezone.now()
LATER = NOW + timedelta(hours=3)


def taken(slot: Slot, annotator: Annotator, now: datetime = NOW) -> bool:
    with short_write():
        return take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.CLAIMED)


def history(slot: Slot) -> list[tuple[str, str]]:
    return list(slot.events.order_by("pk").values_list("annotator__user__username", "kind"))


@pytest.mark.django_db
def test_a_free_slot_read_twice_is_taken_once() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    read, again = Slot.objects.get(), Slot.objects.get()
    assert taken(read, bob)
    assert not taken(again, ben)
    assert Slot.objects.get().annotator == bob
    assert history(read) == [("bob", "claimed")]
    assert verify(campaign=campaign) == []


@pytest.mark.django_db
def test_a_free_slot_that_is_void_by_now_is_not_taken() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    read = Slot.objects.get()
    Slot.objects.update(state=Slot.State.VOID)
    assert not taken(read, make_annotator(campaign, "bob"))
    assert Slot.objects.get().state == Slot.State.VOID


@pytest.mark.django_db
def test_a_slot_left_lying_is_taken_once_and_the_draft_of_its_owner_stays() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob, ben, cleo = (make_annotator(campaign, name) for name in ("bob", "ben", "cleo"))
    rate_sheet(bob, claim_next(annotator=bob, now=NOW), submit=False)
    Slot.objects.update(lease_expires_at=NOW + timedelta(hours=1))
    read, again = Slot.objects.get(), Slot.objects.get()
    assert taken(read, ben, LATER)
    assert not taken(again, cleo, LATER)
    # Once more after ben's lease: the older copy says that bob has it, and that is no longer so.
    assert not taken(again, cleo, LATER + timedelta(days=1))
    assert Slot.objects.get().annotator == ben
    assert history(read) == [("bob", "claimed"), ("bob", "lost"), ("ben", "claimed")]
    assert set(Judgment.objects.values_list("annotator", "slot")) == {(bob.pk, None)}


@pytest.mark.django_db
def test_a_lease_that_was_renewed_meanwhile_keeps_its_slot() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    claim_next(annotator=bob, now=NOW)
    read, again = Slot.objects.get(), Slot.objects.get()
    assert renew(read, campaign=campaign, now=LATER)
    assert not taken(again, ben, LATER)
    assert Slot.objects.get().annotator == bob


@pytest.mark.django_db
def test_a_slot_that_somebody_took_is_not_renewed() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    claim_next(annotator=bob, now=NOW)
    read = Slot.objects.get()
    assert claim_next(annotator=ben, now=LATER) is not None
    before = Slot.objects.get().lease_expires_at
    assert not renew(read, campaign=campaign, now=LATER + timedelta(minutes=1))
    assert Slot.objects.get().lease_expires_at == before


@pytest.mark.django_db(transaction=True)
def test_a_slot_that_sixteen_have_read_is_taken_once() -> None:
    """Each over a connection of its own, having read the slot while it was free."""
    campaign = make_campaign(items=1, k=1, cast=False)
    annotators = [make_annotator(campaign, f"racer{number}") for number in range(THREADS)]
    read = [(Slot.objects.get(), annotator) for annotator in annotators]
    results = together([lambda s=s, a=a: taken(s, a) for s, a in read])
    assert sorted(results) == [False] * (THREADS - 1) + [True]
    assert Slot.objects.get().annotator == annotators[results.index(True)]
    assert verify(campaign=campaign) == []
