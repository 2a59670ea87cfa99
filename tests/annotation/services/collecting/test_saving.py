"""Saving and handing in, and slots: a change of one is a compare-and-set."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from annotation.collecting.claiming import claim_next
from annotation.collecting.save_queries import GivenAnswer
from annotation.collecting.saving import Answer, sheet_save, sheet_submit
from annotation.collecting.sheets import remark_add, sheet_skip, sheet_take_back
from annotation.database import short_write
from annotation.errors import Incomplete, Invalid, NotFound, RevisionClosed
from annotation.models import Judgment, Remark, Slot, SlotEvent
from annotation.sheets.slots import annotators_per_sheet_set, renew, take
from annotation.verify import verify
from tests.annotation.claimed import (
    LATER,
    NOW,
    claimed,
    holding,
    offer,
    rate_rest,
    save,
    say,
)
from tests.annotation.services.collecting.test_races import all_at_once, racing
from tests.annotation.together import THREADS
from tests.factories import (
    close_campaign,
    exclude,
    hand_in,
    make_annotator,
    make_campaign,
    rate_sheet,
)


def test_the_own_slot_stays_until_it_is_taken_and_is_taken_back_where_it_is_free_again():
    bob, sheet = claimed()
    ben = make_annotator(bob.campaign, "ben")
    after, much_later = LATER + timedelta(hours=3), LATER + timedelta(hours=6)
    saved = save(bob, sheet, 4, base=1)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    assert Slot.objects.get().lease_expires_at > LATER
    assert offer(ben, now=after) == sheet
    assert save(bob, sheet, 3, base=2, now=after).status == "surplus"
    saved = save(bob, sheet, 5, base=3, now=much_later)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    slot = Slot.objects.get()
    assert slot.annotator == bob
    assert [*slot.events.values_list("annotator__user__username", "kind")] == [
        ("bob", "claimed"),
        ("bob", "lost"),
        ("ben", "claimed"),
        ("ben", "lost"),
        ("bob", "retaken"),
    ]


def test_another_free_slot_of_the_sheet_takes_it():
    bob, sheet = claimed(k=2)
    ben, cleo = make_annotator(bob.campaign, "ben"), make_annotator(bob.campaign, "cleo")
    for one, now in ((ben, NOW), (cleo, LATER)):
        offer(one, now=now)
        rate_sheet(one, sheet)
    exclude(ben)
    saved = save(bob, sheet, 4, base=1)
    assert (saved.sheet_state, saved.status) == ("claimed", "draft")
    assert Slot.objects.get(annotator=bob).number == 3


def test_no_place_left_keeps_all_as_surplus_and_every_version_with_the_status_it_had():
    bob, sheet = claimed()
    ben = make_annotator(bob.campaign, "ben")
    offer(ben, now=LATER)
    rate_sheet(ben, sheet)
    assert save(bob, sheet, 4, base=1).status == "surplus"
    [judgment] = Judgment.objects.filter(annotator=bob)
    versions = judgment.versions.order_by("version").values_list("value", "status")
    assert (judgment.status, [*versions]) == ("surplus", [(3, "draft"), (4, "surplus")])
    counted = Judgment.objects.filter(status="counted")
    assert set(counted.values_list("annotator", flat=True)) == {ben.pk}


def test_nobody_takes_a_place_back_after_the_close():
    bob, sheet = claimed()
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too hard", now=NOW)
    bob.campaign = close_campaign(bob.campaign)
    assert save(bob, sheet, 4, base=1).status == "surplus"
    assert sheet.slots.get(state="free").annotator is None


@pytest.mark.parametrize(
    "act",
    [
        sheet_submit,
        sheet_take_back,
        partial(sheet_skip, reason="not mine"),
        partial(sheet_save, answers=[], done=False),
        partial(remark_add, substitution_key=None, flagged=False, text="hello", request_id=uuid4()),
    ],
)
def test_a_sheet_that_somebody_never_held_is_not_there(place, act):
    bob, sheet = place
    stranger = make_annotator(bob.campaign, "ben")
    with pytest.raises(NotFound):
        save(stranger, sheet, 4)
    for key in (sheet.key, uuid4()):
        with pytest.raises(NotFound):
            act(annotator=stranger, sheet_key=key)
    assert not Judgment.objects.exists() and not stranger.slots.exists()


def test_clearing_a_required_answer_reopens_a_done_sheet():
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    for _ in range(2):  # Submitted again, it is done once.
        assert hand_in(bob, sheet) == "done"
    assert save(bob, sheet, None, base=1).sheet_state == "claimed"
    assert offer(bob) == sheet
    assert not Judgment.objects.filter(status="counted").exists()
    assert save(bob, sheet, 5, base=2).status == "draft"
    assert hand_in(bob, sheet) == "done"
    kinds = list(SlotEvent.objects.values_list("kind", flat=True))
    assert kinds == ["claimed", "done", "reopened", "done"]


def test_a_done_sheet_stays_as_it_is_after_closing():
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    hand_in(bob, sheet)
    bob.campaign = close_campaign(bob.campaign)
    with pytest.raises(RevisionClosed) as refused:
        save(bob, sheet, 1, base=1)
    assert refused.value.data["stored"]["value"] == 3


def test_a_done_sheet_changes_only_where_revision_is_allowed():
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    hand_in(bob, sheet, now=LATER)
    bob.campaign.allow_revision = False
    with pytest.raises(RevisionClosed):
        save(bob, sheet, 5, base=1)
    assert not Judgment.objects.filter(value=5).exists()
    bob.campaign.allow_revision = True
    assert save(bob, sheet, 5, base=1).status == "counted"


def test_nobody_takes_a_place_back_beyond_their_own_limit():
    campaign = make_campaign(items=2, systems=1, k=1, cast=False)
    bob = make_annotator(campaign, "bob")
    left = claim_next(annotator=bob, now=NOW)
    assert left is not None
    sheet_skip(annotator=bob, sheet_key=left.key, reason="too hard", now=NOW)
    assert claim_next(annotator=bob, now=NOW) is not None
    campaign.annotators.update(sheets_at_most=1)
    assert save(bob, left, 4).status == "surplus"
    assert left.slots.get().annotator is None
    campaign.annotators.update(sheets_at_most=2)
    assert save(bob, left, 5, base=1).status == "draft"
    assert left.slots.get().annotator == bob


def test_an_answer_that_was_cleared_does_not_count():
    bob, sheet = claimed()
    bob.campaign.scales.filter(pk=bob.campaign.scales.all()[0].pk).update(required=False)
    rate_rest(bob, sheet)
    save(bob, sheet, None, base=1)
    assert hand_in(bob, sheet, now=LATER) == "done"
    assert set(Judgment.objects.values_list("value", "status")) == {
        (None, "draft"),
        (2, "counted"),
    }
    assert verify(campaign=bob.campaign) == []


def test_a_sheet_with_missing_answers_is_refused_and_names_them():
    bob, sheet = claimed()
    with pytest.raises(Incomplete) as refused:
        hand_in(bob, sheet, now=NOW)
    assert len(refused.value.data["missing"]) == 3
    assert Slot.objects.get().state == Slot.State.CLAIMED
    assert Judgment.objects.get().status == Judgment.Status.DRAFT


def test_a_sheet_that_is_handed_in_again_takes_no_other_place():
    bob, sheet = claimed(k=2)
    rate_rest(bob, sheet)
    states = [hand_in(bob, sheet, now=LATER) for _ in range(2)]
    assert states == ["done", "done"]
    assert [*Slot.objects.order_by("state").values_list("state", flat=True)] == ["done", "free"]


def test_more_than_five_hundred_answers_are_refused():
    bob, sheet = holding()
    text, scale = sheet.entries.all()[0].substitution, bob.campaign.scales.all()[0]
    many = [GivenAnswer(uuid4(), text.key, scale.key, 0, Answer(4))] * 501
    with pytest.raises(Invalid):
        sheet_save(annotator=bob, sheet_key=sheet.key, answers=many, done=False)


def test_the_same_request_is_kept_once(place):
    request = uuid4()
    assert say(*place, "odd", request=request) == say(*place, "odd", request=request)
    assert Remark.objects.count() == 1


def test_only_on_texts_of_the_sheet_and_not_without_end(place):
    with pytest.raises(NotFound):
        say(*place, "hello", about=uuid4())
    with pytest.raises(Invalid):
        say(*place, "x" * 5001)
    assert not Remark.objects.exists()


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


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wanted", [1, 5])
def test_k_changes_while_annotators_claim(wanted):
    """Each sheet has its places at the end, which `rules_hold` looks at."""
    campaign, annotators = racing(THREADS - 2, items=8, k=3)
    change = lambda: annotators_per_sheet_set(campaign=campaign, wanted=wanted, actor=None)  # noqa: E731
    all_at_once(lambda act: act(), [*(lambda a=a: offer(a) for a in annotators), change, change])


def slots_of(campaign):
    return list(campaign.slots.order_by("number").values_list("number", "state"))


def test_lowering_k_voids_the_last_free_slots_and_raising_it_adds_new_numbers():
    campaign = make_campaign(items=1, k=3, cast=False)
    annotators_per_sheet_set(campaign=campaign, wanted=1, actor=None)
    assert slots_of(campaign) == [(1, "free"), (2, "void"), (3, "void")]
    annotators_per_sheet_set(campaign=campaign, wanted=2, actor=None)
    assert slots_of(campaign) == [(1, "free"), (2, "void"), (3, "void"), (4, "free")]
    assert verify(campaign=campaign) == []


def test_lowering_k_takes_no_slot_from_an_annotator():
    campaign = make_campaign(items=1, k=3, cast=False)
    for name in ("bob", "ben"):
        claim_next(annotator=make_annotator(campaign, name))
    annotators_per_sheet_set(campaign=campaign, wanted=1, actor=None)
    assert sorted(state for _, state in slots_of(campaign)) == ["claimed", "claimed", "void"]
