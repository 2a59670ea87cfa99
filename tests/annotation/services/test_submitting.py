"""A sheet is finished: its answers count."""

import pytest

from annotation.collecting.submitting import sheet_submit
from annotation.errors import Incomplete
from annotation.models import Judgment, Slot
from annotation.verify import verify
from tests.annotation.services.collecting.claimed import (
    LATER,
    NOW,
    claimed,
    holding,
    rate_rest,
    save,
)
from tests.annotation.services.together import THREADS, together
from tests.factories import rate_sheet


@pytest.mark.django_db(transaction=True)
def test_submitting_sixteen_times_is_done_once():
    bob, sheet = holding()
    rate_sheet(bob, sheet, submit=False)
    results = together([lambda: sheet_submit(annotator=bob, sheet_key=sheet.key)] * THREADS)
    assert set(results) == {"done"}
    slot = Slot.objects.get(annotator=bob)
    assert [event.kind for event in slot.events.all()] == ["claimed", "done"]


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
