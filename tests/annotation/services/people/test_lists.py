"""Fixed lists and numbers of sheets hold for everybody, whatever else happens."""

from collections import Counter

import pytest

from annotation.campaigns.copying import campaign_copy
from annotation.collecting.claiming import fast_claim
from annotation.collecting.sheets import sheet_skip
from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Slot, WorkList
from annotation.people.lists import list_drop, list_hand_on, lists_set
from annotation.people.quotas import (
    group_join,
    work_group_set,
    work_groups,
    work_groups_named,
    work_rule_set,
)
from annotation.sheets.progress import own_progress
from annotation.sheets.slots import annotators_per_sheet_set
from annotation.verify.rules import verify
from paraanno import clock
from tests.annotation.claimed import offer, save
from tests.annotation.files import load_lists
from tests.factories import (
    add_items,
    exclude,
    item_rows,
    make_annotator,
    make_campaign,
    open_campaign,
    rate_all,
    rate_sheet,
    take_in,
)


@pytest.fixture
def campaign():
    made = make_campaign(items=4, open_it=False)
    for code in ("ann", "bea", "cid", "dan"):
        Annotator.objects.filter(pk=make_annotator(made, code).pk).update(code=code)
    return made


def who(campaign, code):
    return Annotator.objects.select_related("campaign").get(campaign=campaign, code=code)


def list_of(code):
    return WorkList.objects.select_related("annotator", "campaign").get(annotator__code=code)


def started(campaign, lists, order="listed", of="annotator"):
    """Open the campaign with lists of items by their places."""
    lines = [f"{code},item-{at}" for code, places in lists.items() for at in places]
    assert load_lists(campaign, f"{of},item\n" + "\n".join(lines) + "\n").ok
    lists_set(campaign=campaign, lists=order, actor=None)
    open_campaign(campaign)


def judged(campaign, code, most=99):
    """Judge until nothing comes; return the places of the items."""
    annotator, places = who(campaign, code), []
    while len(places) < most and (sheet := offer(annotator)) is not None:
        rate_all(annotator, at_most=1)
        places.append(sheet.item.position)
    return places


def left(campaign, code):
    return own_progress(campaign=campaign, annotator=who(campaign, code)).left


def test_everybody_judges_their_list_in_order_and_k_follows(campaign):
    started(campaign, {"ann": [2, 0, 3], "bea": [0]})
    assert [left(campaign, code) for code in ("ann", "cid")] == [3, 0]
    assert judged(campaign, "cid") == []
    assert judged(campaign, "ann") == [2, 0, 3]
    assert judged(campaign, "bea") == [0]
    places = Counter(Slot.objects.values_list("sheet__item__position", flat=True))
    assert places == {0: 2, 2: 1, 3: 1}
    with pytest.raises(Conflict):
        annotators_per_sheet_set(campaign=campaign, wanted=5, actor=None)
    add_items(campaign, item_rows(6, 2))
    assert verify(campaign=campaign) == []
    lists_set(campaign=campaign, lists="", actor=None)
    assert len(judged(campaign, "cid")) == 5  # The first item has two annotators already.


def test_who_comes_late_gets_the_next_list_that_waits(campaign):
    started(campaign, {"late 3": [3], "late 1": [1]}, order="shuffled", of="list")
    Annotator.objects.filter(code="ann").update(not_blind_since=clock.now())
    assert judged(campaign, "ann") == []  # Lists are not for who sees systems.
    assert left(campaign, "bea") == 1
    assert [judged(campaign, code) for code in ("bea", "cid", "dan")] == [[3], [1], []]


def test_an_expired_place_stays_and_a_list_can_be_handed_on(campaign):
    started(campaign, {"ann": [0, 1, 2], "bea": [1], "cid": [3]})
    assert judged(campaign, "ann", most=1) == [0]
    ann = who(campaign, "ann")
    sheet = offer(ann)
    ann.slots.filter(state="claimed").update(lease_expires_at=clock.now().replace(year=2000))
    assert judged(campaign, "bea") == [1]
    assert judged(campaign, "dan") == []
    with pytest.raises(Invalid):
        list_hand_on(work_list=list_of("ann"), to=ann, actor=None)
    # Bea has judged the second item herself: it is judged once less.
    assert list_hand_on(work_list=list_of("ann"), to=who(campaign, "bea"), actor=None) == 1
    assert save(ann, sheet, 3).status == "surplus"
    assert judged(campaign, "bea") == [2]
    assert list_drop(work_list=list_of("cid"), actor=None) == 1
    assert judged(campaign, "cid") == []
    assert not Slot.objects.filter(state="free").exists()


def test_work_of_an_excluded_annotator_goes_to_another_and_does_not_take_it_back(
    campaign,
):
    started(campaign, {"ann": [0, 1], "bea": [0]})
    assert judged(campaign, "ann", most=1) == [0]
    out = exclude(who(campaign, "ann"))
    with pytest.raises(Invalid):
        list_hand_on(work_list=list_of("bea"), to=who(campaign, "ann"), actor=None)
    assert list_hand_on(work_list=list_of("ann"), to=None, actor=None) == 2
    take_in(out)
    assert judged(campaign, "bea") == [0]
    assert judged(campaign, "cid") == [0, 1]


def test_a_copy_has_the_lists_and_those_of_people_who_stay_behind_wait(campaign):
    started(campaign, {"ann": [1, 0], "bea": [0]}, order="shuffled")
    copy = campaign_copy(campaign=campaign, slug="copy", texts=True, actor=None)
    assert [one.annotator for one in copy.work_lists.all()] == [None, None]
    open_campaign(copy)
    assert sorted(copy.sheets.values_list("slots_wanted", flat=True)) == [0, 0, 1, 2]


def test_a_group_is_full_when_its_total_is_reached():
    campaign = make_campaign(items=4)
    group = work_group_set(
        campaign=campaign,
        name="A",
        sheets_at_least=None,
        sheets_at_most=None,
        total_at_most=3,
        actor=None,
    )
    for name in ("ann", "bea"):
        group_join(annotator=make_annotator(campaign, name), group=group, actor=None)
    ann, bea = campaign.annotators.select_related("campaign").order_by("pk")
    assert [rate_all(one, at_most=1) for one in (ann, bea, ann)] == [1, 1, 1]
    assert [offer(ann), offer(bea)] == [None, None]
    assert own_progress(campaign=campaign, annotator=bea).left == 0
    [shown] = work_groups(campaign=campaign)
    assert (shown.people, shown.done) == (2, 3)
    assert offer(make_annotator(campaign, "cid")) is not None


@pytest.fixture
def bob():
    return make_annotator(make_campaign(items=6, k=2))


def rule(campaign, **given):
    empty = {"sheets_at_least": None, "sheets_at_most": None, "largest_share": None}
    work_rule_set(campaign=campaign, actor=None, **{**empty, **given})


def test_a_campaign_bounds_everybody_and_a_group_goes_before_it(bob):
    campaign = bob.campaign
    rule(campaign, sheets_at_most=2)
    left = own_progress(campaign=campaign, annotator=bob)
    assert (left.done, left.left) == (0, 2)
    assert rate_all(bob) == 2
    group = work_group_set(
        campaign=campaign, name="Experts", sheets_at_least=1, sheets_at_most=5, actor=None
    )
    group_join(annotator=bob, group=group, actor=None)
    assert rate_all(bob) == 3
    group_join(annotator=bob, group=None, actor=None)
    assert rate_all(make_annotator(campaign, "ben")) == 2


@pytest.mark.parametrize(("share", "sheets"), [(0.5, 3), (0.4, 2), (1.0, 6), (None, 6)])
def test_nobody_judges_more_than_the_largest_share(bob, share, sheets):
    rule(bob.campaign, largest_share=share)
    assert rate_all(bob) == sheets


@pytest.mark.parametrize(
    "wrong",
    [
        {"sheets_at_least": 3, "sheets_at_most": 2},
        {"sheets_at_most": -1},
        {"largest_share": 0},
        {"largest_share": 1.1},
    ],
)
def test_wrong_numbers_are_refused(bob, wrong):
    with pytest.raises(Invalid):
        rule(bob.campaign, **wrong)


def test_a_group_has_a_name_and_people_of_its_own_campaign(bob):
    with pytest.raises(Invalid):
        work_group_set(
            campaign=bob.campaign, name=" ", sheets_at_least=None, sheets_at_most=None, actor=None
        )
    other = make_campaign("other", items=1)
    [group] = work_groups_named(campaign=other, names={"Experts"}).values()
    with pytest.raises(Invalid):
        group_join(annotator=bob, group=group, actor=None)


def test_the_next_sheet_is_the_next_of_the_list_and_a_skipped_one_is_nobodys():
    campaign = make_campaign(items=3, open_it=False)
    people = [make_annotator(campaign, name) for name in ("ann", "bea")]
    text = "annotator,item\n" + "".join(f"{one.code},item-{n}\n" for one in people for n in (2, 0))
    load_lists(campaign, text)
    lists_set(campaign=campaign, lists="listed", actor=None)
    open_campaign(campaign)
    ann, bea = Annotator.objects.filter(pk__in=[one.pk for one in people]).order_by("pk")
    sheet = offer(ann)
    assert fast_claim(annotator=ann, beside=[sheet.key], now=clock.now()) is None
    beside = offer(ann, sheet)
    assert [one.item.position for one in (sheet, beside)] == [2, 0]
    sheet_skip(annotator=ann, sheet_key=beside.key, reason="odd")
    rate_sheet(ann, sheet)
    assert offer(ann) is None
    rate_all(bea)
    [left] = Slot.objects.filter(state="free")
    assert left.sheet.item.position == 0
