"""A sheet is finished: its answers count."""

import pytest

from annotation.collecting.saving import sheet_submit
from annotation.errors import Incomplete
from annotation.models import Judgment, Slot
from annotation.verify import verify
from tests.annotation.services.collecting.claimed import (
    LATER,
    NOW,
    claimed,
    rate_rest,
    save,
)


def test_an_answer_that_was_cleared_does_not_count():
    bob, sheet = claimed()
    bob.campaign.scales.filter(pk=bob.campaign.scales.all()[0].pk).update(required=False)
    rate_rest(bob, sheet)
    save(bob, sheet, None, base=1)
    assert sheet_submit(annotator=bob, sheet_key=sheet.key, now=LATER) == "done"
    assert set(Judgment.objects.values_list("value", "status")) == {
        (None, "draft"),
        (2, "counted"),
    }
    assert verify(campaign=bob.campaign) == []


def test_a_sheet_with_missing_answers_is_refused_and_names_them():
    bob, sheet = claimed()
    with pytest.raises(Incomplete) as refused:
        sheet_submit(annotator=bob, sheet_key=sheet.key, now=NOW)
    assert len(refused.value.data["missing"]) == 3
    assert Slot.objects.get().state == Slot.State.CLAIMED
    assert Judgment.objects.get().status == Judgment.Status.DRAFT


def test_a_sheet_that_is_handed_in_again_takes_no_other_place():
    bob, sheet = claimed(k=2)
    rate_rest(bob, sheet)
    states = [sheet_submit(annotator=bob, sheet_key=sheet.key, now=LATER) for _ in range(2)]
    assert states == ["done", "done"]
    assert [*Slot.objects.order_by("state").values_list("state", flat=True)] == ["done", "free"]
