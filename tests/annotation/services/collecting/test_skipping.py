"""Giving a sheet back: it is free for others, and not offered to the same annotator again."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Judgment, Sheet, Skip, Slot
from annotation.selectors.campaigns.progress import own_progress
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.repeats import repeat_add
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.collecting.skipping import (
    sheet_release,
    sheet_skip,
    sheet_take_back,
)
from tests.factories import make_annotator, make_campaign, make_user, rate_all, rate_sheet

pytestmark = pytest.mark.django_db


def test_the_place_is_free_for_others_and_answers_are_kept() -> None:
    campaign = make_campaign(items=2, k=1)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet, submit=False)
    given = Judgment.objects.count()
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too long")
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="said again")
    assert [one.reason for one in Skip.objects.all()] == ["too long"]
    assert own_progress(campaign=campaign, annotator=bob).left == 1
    assert verify(campaign=campaign) == []
    other = claim_next(annotator=bob)
    assert other is not None and other != sheet
    rate_sheet(bob, other)
    assert claim_next(annotator=bob) is None
    assert rate_all(ben) == 1
    assert Slot.objects.get(sheet=sheet).annotator == ben
    assert Judgment.objects.filter(annotator=bob, substitution__entries__sheet=sheet).count() == (
        given
    )
    assert verify(campaign=campaign) == []


def test_a_sheet_that_was_given_back_is_taken_back_once() -> None:
    campaign = make_campaign(items=2, k=1)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    first = claim_next(annotator=bob)
    assert first is not None
    rate_sheet(bob, first, submit=False)
    sheet_skip(annotator=bob, sheet_key=first.key, reason="a slip")
    for _ in range(2):
        sheet_take_back(annotator=bob, sheet_key=first.key)
    assert Slot.objects.get(sheet=first).annotator == bob
    assert not Skip.objects.exists() and claim_next(annotator=bob) == first
    sheet_skip(annotator=bob, sheet_key=first.key, reason="no slip")
    assert rate_all(ben) == 2  # Now the place is taken.
    sheet_take_back(annotator=bob, sheet_key=first.key)
    assert Slot.objects.get(sheet=first).annotator == ben
    with pytest.raises(NotFound):
        sheet_take_back(annotator=make_annotator(campaign, "beth"), sheet_key=first.key)
    assert verify(campaign=campaign) == []


def test_whoever_comes_back_has_the_sheet_again() -> None:
    campaign = make_campaign(items=1, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too long")
    entry, scale = sheet.entries.get_queryset()[0], campaign.scales.get_queryset()[0]
    saved = judgment_save(
        annotator=bob, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=scale.key, answer=Answer(4), request_id=uuid4(), base_version=0,
    )  # fmt: skip
    assert saved.sheet_state == "claimed"
    assert claim_next(annotator=bob) == sheet
    assert verify(campaign=campaign) == []


def test_own_sheets_become_void() -> None:
    campaign = make_campaign(items=1, k=2)
    bob = make_annotator(campaign)
    assert rate_all(bob) == 1
    first = Sheet.objects.get()
    repeat_add(annotator=bob, sheet=first, actor=make_user("alice"), after_sheets=0)
    repeat = claim_next(annotator=bob)
    assert repeat is not None and repeat.occasion == 2
    rate_sheet(bob, repeat, submit=False)
    sheet_skip(annotator=bob, sheet_key=repeat.key, reason="again?")
    assert Slot.objects.get(sheet=repeat).state == Slot.State.VOID
    assert claim_next(annotator=bob) is None
    assert verify(campaign=campaign) == []


def test_refusals() -> None:
    campaign = make_campaign(items=1, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    assert rate_all(bob) == 1
    sheet = Sheet.objects.get()
    with pytest.raises(Conflict, match="submitted"):
        sheet_skip(annotator=bob, sheet_key=sheet.key, reason="late")
    with pytest.raises(NotFound):
        sheet_skip(annotator=ben, sheet_key=sheet.key, reason="not mine")
    with pytest.raises(NotFound):
        sheet_skip(annotator=bob, sheet_key=uuid4(), reason="no such sheet")
    for reason in (" ", "x" * 201, "a\0b"):
        with pytest.raises(Invalid):
            sheet_skip(annotator=bob, sheet_key=sheet.key, reason=reason)
    assert not Skip.objects.exists()


def test_the_sheet_after_this_one_is_held_ready_and_can_be_released() -> None:
    campaign = make_campaign(items=3, k=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    ahead = claim_next(annotator=bob, beside=[sheet.key])
    assert ahead is not None and ahead != sheet
    assert claim_next(annotator=bob, beside=[sheet.key]) == ahead
    assert claim_next(annotator=bob) == sheet
    third = claim_next(annotator=bob, beside=[sheet.key, ahead.key])
    assert third not in (sheet, ahead)
    assert claim_next(annotator=ben) is None
    assert sheet_release(annotator=bob, sheet_key=ahead.key)
    assert not sheet_release(annotator=bob, sheet_key=ahead.key)
    assert claim_next(annotator=ben) == ahead
    rate_sheet(bob, sheet, submit=False)
    assert not sheet_release(annotator=bob, sheet_key=sheet.key)
    assert not Skip.objects.exists()
    assert verify(campaign=campaign) == []


def test_what_was_released_is_offered_again() -> None:
    campaign = make_campaign(items=1, k=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    assert sheet_release(annotator=bob, sheet_key=sheet.key)
    assert claim_next(annotator=bob) == sheet
    with pytest.raises(NotFound):
        sheet_release(annotator=bob, sheet_key=uuid4())


@pytest.mark.parametrize("options", [{"shared_share": 1.0}])
def test_a_place_that_is_nobody_elses_is_not_released(options: dict[str, float]) -> None:
    campaign = make_campaign(items=1, k=1, cast=False, **options)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    assert not sheet_release(annotator=bob, sheet_key=sheet.key)
    assert Slot.objects.get().state == "claimed"
