"""Which sheet is offered next, and to whom a sheet is not offered."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.campaigns.services import campaign_close, campaign_pause
from annotation.collecting.claiming import (
    LAST_KEY,
    NotClaimable,
    StepWanted,
    claim_next,
)
from annotation.collecting.sheets import sheet_skip
from annotation.models import Campaign, Sheet, Slot
from annotation.quality.checks import repeat_add
from tests.factories import ask_consent, make_annotator, make_campaign, rate_sheet

NOW = timezone.now()
LATER = NOW + timedelta(hours=1)  # Within a lease of two hours.
NEXT_DAY = NOW + timedelta(days=1)


def small(items, k=1, **settings):
    campaign = make_campaign(items=items, systems=1, k=k, cast=False, lease_minutes=120, **settings)
    return campaign, make_annotator(campaign, "bob"), make_annotator(campaign, "ben")


def claims(annotator, at_most=99, now=NOW):
    """The sheets offered one after the other to an annotator who keeps them all."""
    sheets = []
    while len(sheets) < at_most:
        sheet = claim_next(annotator=annotator, beside=[one.key for one in sheets], now=now)
        if sheet is None:
            break
        sheets.append(sheet)
    return sheets


def offer(annotator, now=NOW):
    return claim_next(annotator=annotator, now=now)


def positions(annotator):
    return [sheet.item.position for sheet in claims(annotator)]


def test_the_own_open_sheet_comes_first_the_oldest_of_several():
    _, bob, _ = small(items=3)
    first = offer(bob)
    second = claims(bob, 2, LATER)[1]
    assert offer(bob, LATER) == first
    assert claim_next(annotator=bob, beside=[first.key], now=LATER) == second
    # A lease that is over changes nothing as long as nobody else took the sheet.
    assert offer(bob, NEXT_DAY) == first
    assert Slot.objects.filter(annotator=bob).count() == 2
    assert Slot.objects.filter(sheet=first, lease_expires_at__gt=NEXT_DAY).exists()


def test_an_open_sheet_is_finished_before_the_next_step_is_asked_for():
    campaign, bob, ben = small(items=2)
    sheet = offer(bob)
    ask_consent(campaign, "You judge.")
    assert offer(bob) == sheet
    with pytest.raises(StepWanted):
        claim_next(annotator=bob, beside=[sheet.key])
    with pytest.raises(StepWanted):
        offer(ben)


def test_own_sheets_then_shared_then_free_then_expired_then_repeats_not_due():
    campaign, bob, ben = small(items=4, shared_share=0.25)
    shared = Sheet.objects.get(shared=True)
    first, left_by_ben = claims(ben, 2)
    assert first == shared
    assert offer(bob, NEXT_DAY) == shared
    rate_sheet(bob, shared)
    due = repeat_add(annotator=bob, sheet=shared, actor=None, after_sheets=0)
    late = repeat_add(annotator=bob, sheet=shared, actor=None, after_sheets=99)
    assert offer(bob, NEXT_DAY) == due
    rate_sheet(bob, due)
    offered = claims(bob, now=NEXT_DAY)
    free = set(campaign.sheets.filter(for_annotator=None)) - {shared, left_by_ben}
    assert set(offered[:2]) == free
    assert offered[2:] == [left_by_ben, late]


def test_shared_sheets_are_for_everybody_and_take_no_place_of_others():
    campaign, bob, ben = small(items=4, k=2, shared_share=0.5)
    shared = list(campaign.sheets.filter(shared=True).order_by("pk"))
    for one in (claims(bob), claims(ben)):
        # Among the others, not all first.
        assert [one[0], one[2]] == shared
    assert set(Slot.objects.filter(sheet=shared[0]).values_list("number", flat=True)) == {1, 2}


def test_who_comes_late_to_a_finished_campaign_owes_no_shared_sheet():
    _, bob, ben = small(items=4, shared_share=0.5)
    claims(bob)
    Slot.objects.filter(state="free").update(state="void")
    assert offer(ben) is None
    assert not Slot.objects.filter(annotator=ben).exists()


@pytest.mark.parametrize("when", [NOW, NEXT_DAY])
def test_a_sheet_is_not_offered_again_to_who_skipped_it(when):
    """Neither while its place is free, nor after the lease of the next one is over."""
    _, bob, ben = small(items=1)
    sheet = offer(bob)
    sheet_skip(annotator=bob, sheet_key=sheet.key, reason="too long", now=NOW)
    assert offer(bob) is None
    assert offer(ben) == sheet
    assert offer(bob, when) is None


@pytest.mark.parametrize("order", Campaign.Order.values)
def test_nobody_gets_a_sheet_twice_and_each_sheet_is_judged_k_times(order):
    campaign, bob, ben = small(items=4, k=2, order=order)
    cleo = make_annotator(campaign, "cleo")
    by_bob, by_ben = claims(bob), claims(ben)
    assert len(by_bob) == len(set(by_bob)) == len(by_ben) == len(set(by_ben)) == 4
    assert offer(cleo) is None
    # Ben's leases are over: bob has a place on each of these sheets already, and cleo has none.
    Slot.objects.filter(annotator=ben).update(lease_expires_at=NOW)
    assert set(claims(bob, now=LATER)) == set(by_bob)
    assert len(claims(cleo, now=LATER)) == 4


def test_breadth_gives_every_sheet_one_annotator_before_any_has_two():
    _, bob, ben = small(items=6, k=2, order="breadth")
    assert len({*claims(bob, 3), *claims(ben, 3)}) == 6


def test_breadth_starts_at_the_seed_of_the_annotator_and_wraps_around():
    _, bob, ben = small(items=3, k=2, order="breadth")
    first, second = (
        dict(Slot.objects.filter(tier=tier).order_by("scan_key").values_list("scan_key", "sheet"))
        for tier in (1, 2)
    )
    (low, middle, high), bob.seed = first.values(), list(first)[1]
    assert [sheet.pk for sheet in claims(bob)] == [middle, high, low]
    ben.seed = LAST_KEY
    assert [sheet.pk for sheet in claims(ben)] == list(second.values())


def test_depth_is_one_order_for_all_so_that_sheets_are_completed_early():
    _, bob, ben = small(items=5, k=2, order="depth")
    assert claims(bob, 3) == claims(ben, 3)


def test_imported_is_the_order_of_the_file():
    _, bob, _ = small(items=5, order="imported")
    assert positions(bob) == [0, 1, 2, 3, 4]


def test_phrase_keeps_the_sheets_of_one_phrase_together_in_file_order():
    """Two items of each phrase; where an annotator starts, and hence which comes first, varies."""
    _, bob, _ = small(items=6, order="phrase")
    found = positions(bob)
    assert [number + 1 for number in found[::2]] == found[1::2]
    assert sorted(found) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("stop", [campaign_pause, campaign_close])
def test_a_campaign_that_is_not_open_hands_out_nothing_not_even_the_own_sheet(
    stop,
):
    campaign, bob, _ = small(items=1)
    offer(bob)
    bob.campaign = stop(campaign=campaign, actor=None)
    with pytest.raises(NotClaimable) as refused:
        offer(bob)
    assert (refused.value.code, refused.value.data) == ("not_open", {"status": bob.campaign.status})


def test_expired_slots_come_in_the_order_in_which_their_leases_ended():
    _, bob, ben = small(items=3)
    claims(ben)
    first, second, third = Slot.objects.order_by("pk")
    for minutes, slot in enumerate((second, third, first)):
        Slot.objects.filter(pk=slot.pk).update(lease_expires_at=NOW + timedelta(minutes=minutes))
    assert [sheet.pk for sheet in claims(bob, now=NEXT_DAY)] == [
        second.sheet_id,
        third.sheet_id,
        first.sheet_id,
    ]
