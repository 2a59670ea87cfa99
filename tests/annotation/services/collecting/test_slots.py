"""A change of a slot is a compare-and-set: who read an older state changes nothing."""

from datetime import timedelta

import pytest

from annotation.database import short_write
from annotation.models import Judgment, Slot, SlotEvent
from annotation.sheets.slots import renew, take
from tests.annotation.services.collecting.claimed import LATER, NOW, holding, offer
from tests.annotation.services.collecting.test_races import all_at_once, racing
from tests.annotation.services.together import THREADS
from tests.factories import make_annotator, rate_sheet


def taken(slot, annotator, now=NOW):
    with short_write():
        return take(slot, annotator=annotator, now=now, kind=SlotEvent.Kind.CLAIMED)


def history(slot):
    return list(slot.events.order_by("pk").values_list("annotator__user__username", "kind"))


def test_a_free_slot_read_twice_is_taken_once():
    _, [bob, ben] = racing(2, items=1, k=1)
    read, again = Slot.objects.get(), Slot.objects.get()
    assert taken(read, bob)
    assert not taken(again, ben)
    assert Slot.objects.get().annotator == bob
    assert history(read) == [("racer0", "claimed")]


def test_a_free_slot_that_is_void_by_now_is_not_taken(rows_by_hand):
    _, [bob] = racing(1, items=1, k=1)
    read = Slot.objects.get()
    Slot.objects.update(state=Slot.State.VOID)
    assert not taken(read, bob)
    assert Slot.objects.get().state == Slot.State.VOID


def test_a_slot_left_lying_is_taken_once_and_the_draft_of_its_owner_stays():
    bob, sheet = holding(k=1, now=NOW)
    ben, cleo = make_annotator(bob.campaign, "ben"), make_annotator(bob.campaign, "cleo")
    rate_sheet(bob, sheet, submit=False)
    Slot.objects.update(lease_expires_at=NOW + timedelta(hours=1))
    read, again = Slot.objects.get(), Slot.objects.get()
    assert taken(read, ben, LATER)
    assert not taken(again, cleo, LATER)
    # Once more after ben's lease: the older copy says that bob has it, and that is no longer so.
    assert not taken(again, cleo, LATER + timedelta(days=1))
    assert Slot.objects.get().annotator == ben
    assert history(read) == [("bob", "claimed"), ("bob", "lost"), ("ben", "claimed")]
    assert set(Judgment.objects.values_list("annotator", "slot")) == {(bob.pk, None)}


def test_a_lease_that_was_renewed_meanwhile_keeps_its_slot():
    bob, _ = holding(k=1, now=NOW)
    read, again = Slot.objects.get(), Slot.objects.get()
    assert renew(read, campaign=bob.campaign, now=LATER)
    assert not taken(again, make_annotator(bob.campaign, "ben"), LATER)
    assert Slot.objects.get().annotator == bob


def test_a_slot_that_somebody_took_is_not_renewed():
    bob, sheet = holding(k=1, now=NOW)
    read = Slot.objects.get()
    assert offer(make_annotator(bob.campaign, "ben"), now=LATER) == sheet
    before = Slot.objects.get().lease_expires_at
    assert not renew(read, campaign=bob.campaign, now=LATER + timedelta(minutes=1))
    assert Slot.objects.get().lease_expires_at == before


@pytest.mark.django_db(transaction=True)
def test_a_slot_that_sixteen_have_read_is_taken_once():
    """Each over a connection of its own, having read the slot while it was free."""
    _, annotators = racing(items=1, k=1)
    read = [(Slot.objects.get(), annotator) for annotator in annotators]
    results = all_at_once(lambda one: taken(*one), read)
    assert sorted(results) == [False] * (THREADS - 1) + [True]
    assert Slot.objects.get().annotator == annotators[results.index(True)]
