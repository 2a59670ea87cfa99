"""Leaving out, and taking back in; nothing is deleted."""

import pytest

from annotation.collecting.saving import sheet_submit
from annotation.collecting.sheets import sheet_skip
from annotation.models import Judgment, Slot
from annotation.people.exclusions import exclusion_add, exclusion_lift
from tests.annotation.services.collecting.claimed import LATER, NOW, claimed, rate_rest, save
from tests.factories import make_annotator, make_campaign, rate_all


@pytest.mark.parametrize("skipped", [False, True])
def test_who_was_excluded_after_the_claim_takes_no_place_back(skipped):
    """Neither the place that their exclusion opened for others, nor the one they gave back."""
    bob, sheet = claimed()
    if skipped:
        sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too hard", now=NOW)
    exclusion_add(target=bob, reason="in a hurry", actor=None)
    assert save(bob, sheet, 4, base=1).status == "surplus"
    assert sheet.slots.get(state="free").annotator is None
    rate_rest(bob, sheet)
    assert sheet_submit(annotator=bob, sheet_key=sheet.key, now=LATER) == "surplus"
    assert set(Judgment.objects.values_list("status", flat=True)) == {"surplus"}
    assert Judgment.objects.filter(value=4).count() == 1
    assert sheet.slots.get(state="free").annotator is None


def test_excluding_opens_a_place_and_lifting_takes_it_back():
    campaign = make_campaign(items=2, k=1, cast=False)
    bob = make_annotator(campaign)
    rate_all(bob)
    exclusion = exclusion_add(target=bob, reason="in a hurry", actor=None)
    assert set(Judgment.objects.values_list("status", flat=True)) == {"surplus"}
    assert Slot.objects.filter(state="free").count() == 2
    ben = make_annotator(campaign, "ben")
    rate_all(ben, at_most=1)
    exclusion_lift(exclusion=exclusion, actor=None)
    [restored] = bob.slots.filter(state="done")
    assert restored.sheet != ben.slots.get().sheet
    assert bob.judgments.filter(status="counted").count() == 4
