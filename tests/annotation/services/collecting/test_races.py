"""Sixteen threads at once on a real database: the rows, not the luck, keep the rules.

Annotators claim and save, and researchers change the rules meanwhile.
"""

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.collecting.saving import Answer, Saved
from annotation.errors import StaleVersion
from annotation.models import Campaign, Exclusion, Judgment, JudgmentVersion, Sheet, Slot
from annotation.sheets.slots import annotators_per_sheet_set, sheets_make
from annotation.verify import verify
from tests.annotation.claimed import NOW, holding, offer, save
from tests.annotation.together import THREADS, together, unforeseen
from tests.factories import (
    add_items,
    close_campaign,
    exclude,
    hand_in,
    item_rows,
    make_annotator,
    make_campaign,
    rate_sheet,
    take_in,
)

pytestmark = pytest.mark.django_db(transaction=True)


def racing(people=THREADS, **settings):
    """A campaign and so many annotators of it."""
    campaign = make_campaign(cast=False, **settings)
    return campaign, [make_annotator(campaign, f"racer{number}") for number in range(people)]


def all_at_once(act, many):
    """What `act` answers for each of many; nothing that it should not raise."""
    results = together([lambda one=one: act(one) for one in many])
    assert unforeseen(results) == []
    return results


@pytest.mark.slow
@pytest.mark.parametrize("order", ["breadth", "depth"])
def test_race_for_the_last_slots(order):
    """3 sheets x 2 places, 16 annotators: six claims, never three on a sheet."""
    _, annotators = racing(items=3, k=2, order=order)
    sheets = all_at_once(offer, annotators)
    claims = Counter(sheet.pk for sheet in sheets if sheet is not None)
    assert sorted(claims.values()) == [2, 2, 2]


def test_the_same_request_sixteen_times_is_stored_once():
    bob, sheet = holding()
    request = uuid4()
    results = together([lambda: save(bob, sheet, 4, request=request)] * THREADS)
    assert {type(result) for result in results} == {Saved}
    assert {(result.version, result.answer) for result in results} == {(1, Answer(4))}
    assert [result.repeated for result in results].count(False) == 1
    assert JudgmentVersion.objects.count() == 1


def test_sixteen_tabs_with_other_values_store_one_and_refuse_the_rest():
    bob, sheet = holding()
    results = all_at_once(lambda n: save(bob, sheet, 1 + n % 5), list(range(THREADS)))
    [stored] = [result for result in results if isinstance(result, Saved)]
    refused = [result for result in results if isinstance(result, StaleVersion)]
    assert len(refused) == THREADS - 1
    assert {error.data["stored"]["value"] for error in refused} == {stored.answer.value}
    assert JudgmentVersion.objects.count() == 1


def test_sixteen_annotators_come_to_the_first_shared_sheet():
    _, annotators = racing(items=2, k=1, shared_share=1.0)
    assert set(all_at_once(offer, annotators)) == {Sheet.objects.order_by("pk")[0]}
    assert Slot.objects.filter(state="claimed").count() == THREADS


def test_excluded_while_claiming_and_while_k_changes():
    campaign, annotators = racing(5, items=6, k=2)
    for annotator in annotators:
        rate_sheet(annotator, offer(annotator))
    work = [lambda a=a: offer(a) for a in annotators * 2]
    work += [lambda a=a: exclude(a) for a in annotators]
    work += [lambda: annotators_per_sheet_set(campaign=campaign, wanted=3, actor=None)]
    assert unforeseen(together(work)) == []
    assert Exclusion.objects.count() == 5
    assert not Slot.objects.filter(state__in=["claimed", "done"]).exists()
    assert verify(campaign=campaign) == []
    all_at_once(lambda one: take_in(one), [*Exclusion.objects.all()])


def test_nothing_is_submitted_after_the_close():
    campaign, annotators = racing(THREADS - 1, items=16, k=1)
    work = []
    for one in annotators:
        sheet = offer(one)
        rate_sheet(one, sheet, submit=False)
        work.append(lambda a=one, s=sheet: hand_in(a, s))
    work.append(lambda: close_campaign(campaign))
    assert unforeseen(together(work)) == []
    closed = Campaign.objects.get().closed_at
    assert not Slot.objects.filter(done_at__gt=closed).exists()


def test_late_saves_race_for_one_place():
    """Fifteen lost their lease; one place is free again."""
    _, racers = racing(items=1, k=1)
    for number, racer in enumerate(racers):
        sheet = offer(racer, now=NOW + timedelta(hours=3 * number))
    late = NOW + timedelta(hours=3 * THREADS + 3)
    results = all_at_once(lambda one: save(one, sheet, 2, now=late), racers)
    assert Counter(one.status for one in results) == {"surplus": THREADS - 1, "draft": 1}
    assert Judgment.objects.count() == THREADS


def test_two_imports_make_sheets_at_once():
    campaign, _ = racing(0, items=2, k=2)
    add_items(campaign, item_rows(40, 3))
    all_at_once(lambda one: sheets_make(campaign=one), [campaign] * 6)
