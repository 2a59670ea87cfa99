"""Giving a sheet back: it is free for others, and not offered to the same annotator again."""

from uuid import uuid4

import pytest

from annotation.collecting.sheets import sheet_release, sheet_skip, sheet_take_back
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Judgment, Skip, Slot
from annotation.quality.checks import repeat_add
from annotation.sheets.progress import own_progress
from tests.annotation.claimed import holding, offer
from tests.factories import make_annotator, rate_all, rate_sheet


def skip(annotator, sheet, reason="too long"):
    sheet_skip(annotator=annotator, sheet_key=sheet.key, reason=reason)


def release(annotator, sheet):
    return sheet_release(annotator=annotator, sheet_key=sheet.key)


def test_the_place_is_free_for_others_and_answers_are_kept():
    bob, sheet = holding(items=2, k=1)
    rate_sheet(bob, sheet, submit=False)
    given = Judgment.objects.count()
    skip(bob, sheet)
    skip(bob, sheet, "said again")
    assert [one.reason for one in Skip.objects.all()] == ["too long"]
    assert own_progress(campaign=bob.campaign, annotator=bob).left == 1
    other = offer(bob)
    assert other != sheet
    rate_sheet(bob, other)
    assert offer(bob) is None
    ben = make_annotator(bob.campaign, "ben")
    assert rate_all(ben) == 1
    assert Slot.objects.get(sheet=sheet).annotator == ben
    answers = Judgment.objects.filter(annotator=bob, substitution__entries__sheet=sheet)
    assert answers.count() == given


def test_a_sheet_that_was_given_back_is_taken_back_once():
    bob, first = holding(items=2, k=1)
    ben = make_annotator(bob.campaign, "ben")
    rate_sheet(bob, first, submit=False)
    skip(bob, first)
    for _ in range(2):
        sheet_take_back(annotator=bob, sheet_key=first.key)
    assert Slot.objects.get(sheet=first).annotator == bob
    assert not Skip.objects.exists() and offer(bob) == first
    skip(bob, first)
    assert rate_all(ben) == 2  # Now the place is taken.
    sheet_take_back(annotator=bob, sheet_key=first.key)
    assert Slot.objects.get(sheet=first).annotator == ben


def test_own_sheets_become_void():
    bob, first = holding(k=2)
    rate_sheet(bob, first)
    repeat_add(annotator=bob, sheet=first, actor=None, after_sheets=0)
    repeat = offer(bob)
    assert repeat.occasion == 2
    rate_sheet(bob, repeat, submit=False)
    skip(bob, repeat)
    assert Slot.objects.get(sheet=repeat).state == Slot.State.VOID
    assert offer(bob) is None


def test_only_a_sheet_that_is_not_submitted_is_given_back_and_with_a_reason(place):
    bob, sheet = place
    for reason in (" ", "x" * 201, "a\0b"):
        with pytest.raises(Invalid):
            skip(bob, sheet, reason)
    rate_sheet(bob, sheet)
    with pytest.raises(Conflict, match="submitted"):
        skip(bob, sheet)
    assert not Skip.objects.exists()


def test_the_sheet_after_this_one_is_held_ready_and_can_be_released():
    bob, sheet = holding(items=3, k=1)
    ben = make_annotator(bob.campaign, "ben")
    ahead = offer(bob, sheet)
    assert ahead != sheet
    assert offer(bob, sheet) == ahead
    assert offer(bob) == sheet
    assert offer(bob, sheet, ahead) not in (sheet, ahead)
    assert offer(ben) is None
    assert release(bob, ahead)
    assert not release(bob, ahead)
    assert offer(ben) == ahead
    rate_sheet(bob, sheet, submit=False)
    assert not release(bob, sheet)
    assert not Skip.objects.exists()


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_what_was_released_is_offered_again_but_a_place_that_is_nobody_elses_is_not_released(
    shared,
):
    bob, sheet = holding(k=1, shared_share=shared)
    assert release(bob, sheet) is not bool(shared)
    assert Slot.objects.get().state == ("claimed" if shared else "free")
    assert offer(bob) == sheet
    with pytest.raises(NotFound):
        sheet_release(annotator=bob, sheet_key=uuid4())
