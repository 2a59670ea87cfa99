"""A part ends once, its open places go to others, and late answers count no more."""

from datetime import timedelta
from functools import partial

import pytest

from annotation.collecting.claiming import PartOver
from annotation.collecting.saving import sheet_save, sheet_submit
from annotation.errors import RevisionClosed
from annotation.models import Exclusion, Judgment, Participant, PartOutcome, Slot
from annotation.people.exclusions import annotator_withdraw, exclusion_add
from annotation.people.participation import part_end, part_of
from paraanno import clock
from tests.annotation.services.collecting.claimed import offer, save
from tests.annotation.services.people.test_entering import enter, make_panel
from tests.factories import rate_all, rate_sheet


@pytest.fixture
def part():
    return enter(make_panel(minutes=30))


def over(part, minutes=0):
    with pytest.raises(PartOver) as refusal:
        offer(part.annotator, now=clock.now() + timedelta(minutes=minutes))
    return refusal.value.code


def ended(part, outcome=PartOutcome.TIMED_OUT):
    return part_end(part=part, outcome=outcome, now=clock.now()).outcome


def test_ending_frees_the_open_place_and_keeps_what_was_handed_in(part):
    rate_all(part.annotator, at_most=1)
    offer(part.annotator)
    ended(part, PartOutcome.WITHDRAWN)
    assert [one.state for one in part.annotator.slots.all()] == ["done"]
    assert Judgment.objects.filter(status="counted").exists()
    assert ended(part) == over(part) == "withdrawn"


def hand_in_at_once(annotator):
    sheet = offer(annotator)
    rate_sheet(annotator, sheet, submit=False)
    assert (
        sheet_save(annotator=annotator, sheet_key=sheet.key, answers=[], done=True).state == "done"
    )


@pytest.mark.parametrize("hand_in", [partial(rate_all, at_most=1), hand_in_at_once])
def test_who_closes_the_browser_after_the_last_sheet_is_complete(part, hand_in):
    for left in reversed(range(part.quota)):
        assert part.outcome == ""
        hand_in(part.annotator)
        part.refresh_from_db()
        assert (part.outcome == "complete") is (left == 0)
    assert part.ended_at is not None
    # As one of before that nobody has asked for: the platform says that their time was up.
    Participant.objects.update(outcome="", ended_at=None)
    part.refresh_from_db()
    assert ended(part) == "complete"


def test_late_answers_of_who_left_take_no_place(part):
    sheet = offer(part.annotator)
    ended(part)
    rate_sheet(part.annotator, sheet, submit=False)
    assert sheet_submit(annotator=part.annotator, sheet_key=sheet.key) == "surplus"
    assert not part.annotator.slots.exists()


def test_a_lost_sheet_beyond_the_quota_stays_lost(part, rows_by_hand):
    lost = offer(part.annotator)
    other = enter(part.panel, "two").annotator
    later = clock.now() + timedelta(minutes=29)
    lost.slots.filter(state="free").update(state="void")
    lost.slots.filter(annotator=part.annotator).update(
        annotator=other, claimed_at=later, lease_expires_at=later - timedelta(minutes=20)
    )
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    assert over(part) == "complete"
    # Not even where a place is free and nobody has noted that their part ended.
    lost.slots.filter(state="void").update(state="free")
    Participant.objects.update(outcome="", ended_at=None)
    rate_sheet(part.annotator, lost, submit=False)
    assert part.annotator.slots.count() == 2


def test_nobody_changes_a_sheet_after_the_code_was_shown(part):
    sheet = offer(part.annotator)
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    assert over(part) == "complete"
    with pytest.raises(RevisionClosed):
        save(part.annotator, sheet, None, base=1)


def test_time_is_up_after_the_panels_minutes(part):
    offer(part.annotator)
    assert over(part, minutes=31) == "timed_out"
    assert not Slot.objects.filter(state="claimed").exists()


def test_an_excluded_person_has_failed_the_checks(part):
    exclusion_add(target=part.annotator, reason="controls", actor=None)
    assert over(part) == "failed_checks"


def test_who_withdraws_and_wants_to_be_forgotten_has_no_platform_id_left(part):
    rate_all(part.annotator, at_most=1)
    annotator_withdraw(annotator=part.annotator, judgments="remove", erase=True)
    left = part_of(annotator=part.annotator)
    assert (left.outcome, left.platform_id, left.submission_id) == ("withdrawn", "", "")
    assert Exclusion.objects.filter(kind="withdrawal").exists()


def test_nothing_left_is_no_end_where_a_place_becomes_free(part, rows_by_hand):
    Slot.objects.update(state="void")
    assert over(part) == "quota_full"
    Slot.objects.update(state="free")
    assert offer(part.annotator) is not None
    part.refresh_from_db()
    assert part.outcome == ""
