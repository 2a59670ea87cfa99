"""What becomes of an answer that comes after the lease is over: nothing is thrown away."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from annotation.campaigns.services import campaign_close
from annotation.collecting.claiming import claim_next
from annotation.collecting.saving import sheet_save, sheet_submit
from annotation.collecting.sheets import remark_add, sheet_skip, sheet_take_back
from annotation.errors import NotFound, RevisionClosed
from annotation.models import Judgment, Slot, SlotEvent
from annotation.people.exclusions import exclusion_add
from tests.annotation.services.collecting.claimed import (
    LATER,
    NOW,
    claimed,
    offer,
    rate_rest,
    save,
)
from tests.factories import make_annotator, make_campaign, rate_sheet


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
    exclusion_add(target=ben, reason="test", actor=None)
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
    bob.campaign = campaign_close(campaign=bob.campaign, actor=None)
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
        assert sheet_submit(annotator=bob, sheet_key=sheet.key) == "done"
    assert save(bob, sheet, None, base=1).sheet_state == "claimed"
    assert offer(bob) == sheet
    assert not Judgment.objects.filter(status="counted").exists()
    assert save(bob, sheet, 5, base=2).status == "draft"
    assert sheet_submit(annotator=bob, sheet_key=sheet.key) == "done"
    kinds = list(SlotEvent.objects.values_list("kind", flat=True))
    assert kinds == ["claimed", "done", "reopened", "done"]


def test_a_done_sheet_stays_as_it_is_after_closing():
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    sheet_submit(annotator=bob, sheet_key=sheet.key)
    bob.campaign = campaign_close(campaign=bob.campaign, actor=None)
    with pytest.raises(RevisionClosed) as refused:
        save(bob, sheet, 1, base=1)
    assert refused.value.data["stored"]["value"] == 3


def test_a_done_sheet_changes_only_where_revision_is_allowed():
    bob, sheet = claimed()
    rate_rest(bob, sheet)
    sheet_submit(annotator=bob, sheet_key=sheet.key, now=LATER)
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
