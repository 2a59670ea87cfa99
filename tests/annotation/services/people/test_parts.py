"""A part ends once, its open places go to others, and late answers count no more."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.errors import RevisionClosed
from annotation.models import Exclusion, Judgment, Participant, PartOutcome, Slot
from annotation.selectors.people.parts import part_of
from annotation.selectors.verify import verify
from annotation.services.collecting.claiming import PartOver, claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.people.entering import panel_enter
from annotation.services.people.exclusions import exclusion_add
from annotation.services.people.parts import ids_forget, part_end
from annotation.services.people.withdrawal import annotator_withdraw
from annotation.services.submitting import sheet_submit
from paraanno import clock
from tests.annotation.services.people.test_entering import make_panel
from tests.factories import rate_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def part() -> Participant:
    return panel_enter(panel=make_panel(minutes=30), platform_id="one")


def over(part: Participant) -> str:
    with pytest.raises(PartOver) as refusal:
        claim_next(annotator=part.annotator)
    return refusal.value.code


def test_ending_frees_the_open_place_and_keeps_what_was_handed_in(part: Participant) -> None:
    rate_sheet(part.annotator, claim_next(annotator=part.annotator))
    claim_next(annotator=part.annotator)
    part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=clock.now())
    mine = Slot.objects.filter(annotator=part.annotator)
    assert [one.state for one in mine] == ["done"]
    assert Judgment.objects.filter(status="counted").exists()
    again = part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=clock.now())
    assert again.outcome == "withdrawn"
    assert over(part) == "withdrawn"
    assert verify(campaign=part.panel.campaign) == []


def test_who_closes_the_browser_after_the_last_sheet_is_complete(part: Participant) -> None:
    for left in reversed(range(part.quota)):
        assert part.outcome == ""
        rate_sheet(part.annotator, claim_next(annotator=part.annotator))
        part.refresh_from_db()
        assert (part.outcome == "complete") is (left == 0)
    assert part.ended_at is not None
    # As one of before that nobody has asked for: the platform says that their time was up.
    Participant.objects.update(outcome="", ended_at=None)
    part.refresh_from_db()
    assert part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=clock.now()).outcome == "complete"


def test_late_answers_of_who_left_take_no_place(part: Participant) -> None:
    sheet = claim_next(annotator=part.annotator)
    assert sheet is not None
    part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=clock.now())
    rate_sheet(part.annotator, sheet, submit=False)
    assert sheet_submit(annotator=part.annotator, sheet_key=sheet.key) == "surplus"
    assert not Slot.objects.filter(annotator=part.annotator).exists()
    assert verify(campaign=part.panel.campaign) == []


def test_a_lost_sheet_beyond_the_quota_stays_lost(part: Participant) -> None:
    lost = claim_next(annotator=part.annotator)
    assert lost is not None
    other = panel_enter(panel=part.panel, platform_id="two").annotator
    later = clock.now() + timedelta(minutes=29)
    Slot.objects.filter(annotator=part.annotator).update(
        lease_expires_at=later - timedelta(minutes=20)
    )
    for slot in Slot.objects.filter(sheet=lost, state="free"):
        slot.state = "void"
        slot.save()
    Slot.objects.filter(sheet=lost, annotator=part.annotator).update(
        annotator=other, claimed_at=later
    )
    for _ in range(2):
        rate_sheet(part.annotator, claim_next(annotator=part.annotator))
    assert over(part) == "complete"
    rate_sheet(part.annotator, lost, submit=False)
    assert Slot.objects.filter(annotator=part.annotator).count() == 2


def test_nobody_changes_a_sheet_after_the_code_was_shown(part: Participant) -> None:
    sheet = claim_next(annotator=part.annotator)
    assert sheet is not None
    rate_sheet(part.annotator, sheet)
    rate_sheet(part.annotator, claim_next(annotator=part.annotator))
    assert over(part) == "complete"
    judgment = Judgment.objects.filter(annotator=part.annotator, slot__sheet=sheet).first()
    assert judgment is not None
    with pytest.raises(RevisionClosed):
        judgment_save(
            annotator=part.annotator, sheet_key=sheet.key,
            substitution_key=judgment.substitution.key, scale_key=judgment.scale.key,
            answer=Answer(), request_id=uuid4(), base_version=1,
        )  # fmt: skip


def test_time_is_up_after_the_panels_minutes(part: Participant) -> None:
    claim_next(annotator=part.annotator)
    with pytest.raises(PartOver) as refusal:
        claim_next(annotator=part.annotator, now=clock.now() + timedelta(minutes=31))
    assert refusal.value.code == "timed_out"
    assert not Slot.objects.filter(state="claimed").exists()


def test_an_excluded_person_has_failed_the_checks(part: Participant) -> None:
    exclusion_add(target=part.annotator, reason="controls", actor=None)
    assert over(part) == "failed_checks"


def test_who_withdraws_and_wants_to_be_forgotten_has_no_platform_id_left(part: Participant) -> None:
    rate_sheet(part.annotator, claim_next(annotator=part.annotator))
    annotator_withdraw(annotator=part.annotator, judgments="remove", erase=True)
    left = part_of(annotator=part.annotator)
    assert left is not None
    assert (left.outcome, left.platform_id, left.submission_id) == ("withdrawn", "", "")
    assert Exclusion.objects.filter(kind="withdrawal").exists()
    assert verify(campaign=part.panel.campaign) == []


def test_ids_of_one_person_can_be_forgotten(part: Participant) -> None:
    panel_enter(panel=part.panel, platform_id="two")
    ids_forget(annotator=part.annotator)
    assert set(Participant.objects.values_list("platform_id", flat=True)) == {"", "two"}


def test_nothing_left_is_no_end_where_a_place_becomes_free(part: Participant) -> None:
    Slot.objects.filter(state="free").update(state="void")
    assert over(part) == "quota_full"
    one = Slot.objects.filter(state="void").first()
    assert one is not None
    Slot.objects.filter(pk=one.pk).update(state="free")
    assert claim_next(annotator=part.annotator) is not None
    part.refresh_from_db()
    assert part.outcome == ""
