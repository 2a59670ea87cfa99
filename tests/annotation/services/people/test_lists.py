"""With fixed lists everybody gets exactly theirs, whatever else happens."""

from __future__ import annotations

import io
from uuid import uuid4

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Campaign, Slot, WorkList
from annotation.selectors.campaigns.progress import own_progress
from annotation.selectors.people.quotas import work_groups
from annotation.selectors.verify.rules import verify
from annotation.services.campaigns.campaigns import campaign_open
from annotation.services.campaigns.copying import campaign_copy
from annotation.services.collecting.annotators_per_sheet import annotators_per_sheet_set
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.importing.lists import lists_import
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from annotation.services.people.lists import list_drop, list_hand_on, lists_set
from annotation.services.people.quotas import group_join, work_group_set
from paraanno import clock
from tests.factories import (
    add_items,
    item_rows,
    make_annotator,
    make_campaign,
    make_user,
    rate_sheet,
)

pytestmark = pytest.mark.django_db


def given(campaign: Campaign, text: str) -> list[str]:
    """Import lists; return the problems."""
    report = lists_import(
        campaign=campaign, stream=io.BytesIO(text.encode()), name="lists.csv", actor=None
    )
    return [str(one) for one in report.problems]


@pytest.fixture
def campaign() -> Campaign:
    made = make_campaign(items=4, open_it=False)
    for code in ("ann", "bea", "cid", "dan"):
        Annotator.objects.filter(pk=make_annotator(made, code).pk).update(code=code)
    return made


def who(campaign: Campaign, code: str) -> Annotator:
    return Annotator.objects.select_related("campaign").get(campaign=campaign, code=code)


def ids(campaign: Campaign) -> list[str]:
    return list(campaign.items.order_by("position").values_list("outside_ids__value", flat=True))


def started(campaign: Campaign, lists: dict[str, list[int]], order: str = "listed") -> list[str]:
    """Open the campaign with lists of items by their places; return the outside ids."""
    names = ids(campaign)
    lines = [f"{code},{names[at]}" for code, places in lists.items() for at in places]
    assert given(campaign, "annotator,item\n" + "\n".join(lines) + "\n") == []
    lists_set(campaign=campaign, lists=order, actor=None)
    campaign_open(campaign=campaign, actor=None)
    return names


def judged(campaign: Campaign, code: str, most: int = 99) -> list[int]:
    """Judge until nothing comes; return the places of the items."""
    found: list[int] = []
    items = list(campaign.items.order_by("position").values_list("pk", flat=True))
    while len(found) < most and (sheet := claim_next(annotator=who(campaign, code))) is not None:
        rate_sheet(who(campaign, code), sheet)
        found.append(items.index(sheet.item_id))
    return found


def test_everybody_judges_their_list_in_order_and_k_follows(campaign: Campaign) -> None:
    started(campaign, {"ann": [2, 0, 3], "bea": [0]})
    assert own_progress(campaign=campaign, annotator=who(campaign, "ann")).left == 3
    assert own_progress(campaign=campaign, annotator=who(campaign, "cid")).left == 0
    assert judged(campaign, "cid") == []
    assert judged(campaign, "ann") == [2, 0, 3]
    assert judged(campaign, "bea") == [0]
    places = dict.fromkeys(range(4), 0)
    items = list(campaign.items.order_by("position").values_list("pk", flat=True))
    for item in Slot.objects.filter(campaign=campaign).values_list("sheet__item", flat=True):
        places[items.index(item)] += 1
    assert places == {0: 2, 1: 0, 2: 1, 3: 1}
    with pytest.raises(Conflict):
        annotators_per_sheet_set(campaign=campaign, wanted=5, actor=None)
    add_items(campaign, item_rows(6, 2))
    assert verify(campaign=campaign) == []
    lists_set(campaign=campaign, lists="", actor=None)
    assert verify(campaign=campaign) == []
    assert len(judged(campaign, "cid")) == 5  # The first item has two annotators already.


def test_who_comes_late_gets_the_next_list_that_waits(campaign: Campaign) -> None:
    names = ids(campaign)
    text = "list,item\n" + "".join(f"late {n},{names[n]}\n" for n in (3, 1))
    assert given(campaign, text) == []
    lists_set(campaign=campaign, lists="shuffled", actor=None)
    campaign_open(campaign=campaign, actor=None)
    Annotator.objects.filter(pk=who(campaign, "ann").pk).update(not_blind_since=clock.now())
    assert judged(campaign, "ann") == []  # Lists are not for who sees systems.
    assert own_progress(campaign=campaign, annotator=who(campaign, "bea")).left == 1
    assert judged(campaign, "bea") == [3]
    assert judged(campaign, "cid") == [1]
    assert judged(campaign, "dan") == []


def test_an_expired_place_stays_and_a_list_can_be_handed_on(campaign: Campaign) -> None:
    started(campaign, {"ann": [0, 1, 2], "bea": [1], "cid": [3]})
    assert judged(campaign, "ann", most=1) == [0]
    sheet = claim_next(annotator=who(campaign, "ann"))
    assert sheet is not None
    Slot.objects.filter(annotator=who(campaign, "ann"), state="claimed").update(
        lease_expires_at=clock.now().replace(year=2000)
    )
    assert judged(campaign, "bea") == [1]
    assert judged(campaign, "dan") == []
    mine = WorkList.objects.select_related("annotator", "campaign").get(annotator__code="ann")
    with pytest.raises(Invalid):
        list_hand_on(work_list=mine, to=mine.annotator, actor=None)
    # Bea has judged the second item herself: it is judged once less.
    assert list_hand_on(work_list=mine, to=who(campaign, "bea"), actor=None) == 1
    assert verify(campaign=campaign) == []
    saved = judgment_save(
        annotator=who(campaign, "ann"), sheet_key=sheet.key,
        substitution_key=sheet.entries.all()[0].substitution.key,
        scale_key=campaign.scales.all()[0].key, answer=Answer(3.0), request_id=uuid4(),
        base_version=0,
    )  # fmt: skip
    assert saved.status == "surplus"
    assert judged(campaign, "bea") == [2]
    assert (
        list_drop(
            work_list=WorkList.objects.select_related("annotator").get(annotator__code="cid"),
            actor=None,
        )
        == 1
    )
    assert judged(campaign, "cid") == []
    assert not Slot.objects.filter(campaign=campaign, state="free").exists()
    assert verify(campaign=campaign) == []


def test_work_of_an_excluded_annotator_goes_to_another_and_does_not_take_it_back(
    campaign: Campaign,
) -> None:
    started(campaign, {"ann": [0, 1], "bea": [0]})
    assert judged(campaign, "ann", most=1) == [0]
    out = exclusion_add(target=who(campaign, "ann"), reason="test", actor=None)
    mine = WorkList.objects.select_related("annotator", "campaign").get(annotator__code="ann")
    with pytest.raises(Invalid):
        list_hand_on(
            work_list=WorkList.objects.get(annotator__code="bea"), to=who(campaign, "ann"),
            actor=None,
        )  # fmt: skip
    assert list_hand_on(work_list=mine, to=None, actor=None) == 2
    exclusion_lift(exclusion=out, actor=None)
    assert verify(campaign=campaign) == []
    assert judged(campaign, "bea") == [0]
    assert judged(campaign, "cid") == [0, 1]
    assert verify(campaign=campaign) == []


def test_a_copy_has_the_lists_and_those_of_people_who_stay_behind_wait(campaign: Campaign) -> None:
    started(campaign, {"ann": [1, 0], "bea": [0]}, order="shuffled")
    copy = campaign_copy(campaign=campaign, slug="copy", texts=True, actor=make_user("alice"))
    assert [one.annotator for one in copy.work_lists.all()] == [None, None]
    campaign_open(campaign=copy, actor=None)
    assert verify(campaign=copy) == []
    assert sorted(copy.sheets.values_list("slots_wanted", flat=True)) == [0, 0, 1, 2]


def test_a_group_is_full_when_its_total_is_reached() -> None:
    campaign = make_campaign(items=4)
    group = work_group_set(
        campaign=campaign, name="A", sheets_at_least=None, sheets_at_most=None, total_at_most=3,
        actor=None,
    )  # fmt: skip
    people = [make_annotator(campaign, name) for name in ("ann", "bea")]
    for one in people:
        group_join(annotator=one, group=group, actor=None)
    people = list(Annotator.objects.filter(group=group).select_related("campaign").order_by("pk"))
    for one in (people[0], people[1], people[0]):
        sheet = claim_next(annotator=one)
        assert sheet is not None
        rate_sheet(one, sheet)
    assert [claim_next(annotator=one) for one in people] == [None, None]
    assert own_progress(campaign=campaign, annotator=people[1]).left == 0
    [shown] = work_groups(campaign=campaign)
    assert (shown.people, shown.done) == (2, 3)
    assert claim_next(annotator=make_annotator(campaign, "cid")) is not None


def test_a_file_says_what_is_wrong_by_line_and_again_changes_nothing(campaign: Campaign) -> None:
    names = ids(campaign)
    text = (
        f"annotator,list,item\nzoe,,{names[0]}\nann,,nowhere\nann,,{names[1]}\n"
        f"ann,,{names[1]}\n,,{names[1]}\nann,x,{names[1]}\n"
    )
    found = given(campaign, text)
    assert [one.split(":")[1] for one in found] == ["5", "6", "7", "2", "3"]
    assert "in line 4 too" in found[0]
    assert "zoe" in found[3]
    assert not WorkList.objects.filter(campaign=campaign).exists()
    good = f"annotator,item\nann,{names[1]}\nann,{names[0]}\n"
    assert given(campaign, good) == given(campaign, good) == []
    entries = WorkList.objects.get(campaign=campaign).entries
    before = list(entries.values_list("item", "position", "shuffled"))
    assert given(campaign, good) == []
    assert list(entries.values_list("item", "position", "shuffled")) == before
    campaign_open(campaign=campaign, actor=None)
    with pytest.raises(Conflict):
        lists_set(campaign=campaign, lists="listed", actor=None)
