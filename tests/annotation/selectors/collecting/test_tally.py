"""The counts that triggers keep."""

import pytest
from django.db import connection

from annotation.models import Judgment, Slot, Tally
from annotation.sheets import tally
from tests.factories import item_rows, make_annotator, make_campaign, rate_all

pytestmark = pytest.mark.differs


@pytest.fixture
def campaign():
    return make_campaign("camp", rows=item_rows(4, 2), k=2, cast=False)


def test_whatever_is_written_is_counted(campaign):
    one, two = (make_annotator(campaign, name) for name in ("ann", "bob"))
    rate_all(one)
    rate_all(two)
    judgments = Judgment.objects.filter(campaign=campaign)
    meaning = campaign.scales.first().pk
    counted = {(scale, status): n for scale, status, n in tally.campaign_tally(campaign).judgments}
    assert sum(counted.values()) == judgments.count() == 28
    written = tally.campaign_tally(campaign).written

    judgments.filter(annotator=one).update(status=Judgment.Status.SURPLUS)
    judgments.filter(annotator=two, scale=meaning).update(value=5)
    Slot.objects.filter(campaign=campaign, number=1).update(state=Slot.State.VOID)
    assert tally.tally_differences(campaign) == []
    assert (meaning, "surplus", 7) in tally.campaign_tally(campaign).judgments
    assert tally.slots_by_state([campaign])[campaign.pk] == {
        "free": 0,
        "claimed": 0,
        "done": 4,
        "void": 4,
    }
    assert tally.campaign_tally(campaign).written >= written + 21

    written = tally.campaign_tally(campaign).written
    judgments.filter(annotator=two).last().versions.all().delete()
    judgments.filter(annotator=two).last().delete()
    assert tally.tally_differences(campaign) == []
    assert tally.campaign_tally(campaign).written > written


def test_folding_keeps_every_count(campaign):
    for _ in range(tally.MANY + 2):
        Slot.objects.filter(campaign=campaign).update(state=Slot.State.VOID)
        Slot.objects.filter(campaign=campaign).update(state=Slot.State.FREE)
    Tally.objects.create(campaign_id=0, state="free", n=1, writes=1)
    before = tally.slots_by_state([campaign])
    tally.tally_fold()
    assert tally.slots_by_state([campaign]) == before
    assert Tally.objects.filter(campaign_id=campaign.pk).count() <= 4
    assert tally.tally_differences(campaign) == []


def test_a_trigger_that_is_gone_comes_back_and_all_is_counted_anew(campaign):
    table = " ON annotation_slot" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER annotation_tally_slot_update{table}")
    Slot.objects.filter(campaign=campaign).update(state=Slot.State.VOID)
    assert {(state, n) for _, _, state, n in tally.tally_differences(campaign)} == {
        ("free", 8),
        ("void", -8),
    }
    tally.tally_ensure()
    assert tally.tally_differences(campaign) == []
    Slot.objects.filter(campaign=campaign).update(state=Slot.State.FREE)
    assert tally.tally_differences(campaign) == []
