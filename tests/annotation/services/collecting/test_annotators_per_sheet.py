"""How many places a sheet has: k of them are not void."""

import pytest

from annotation.collecting.claiming import claim_next
from annotation.sheets.slots import annotators_per_sheet_set
from annotation.verify import verify
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.collecting.test_races import all_at_once, racing
from tests.annotation.services.together import THREADS
from tests.factories import make_annotator, make_campaign


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
