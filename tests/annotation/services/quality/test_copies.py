"""Degraded and exact copies: what they are, and where they stand."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import AuditEntry, Campaign, Sheet, SheetEntry, Substitution
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import campaign_open
from annotation.services.quality.copies import copies_make, degraded_make
from scoring.selectors.ratings.tables import ratings_get
from tests.factories import make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db


def campaign_of(items: int = 6, **settings: object) -> Campaign:
    return make_campaign(items=items, systems=3, k=2, open_it=False, **settings)


def test_copies_before_opening_stand_beside_their_originals() -> None:
    campaign = campaign_of()
    alice = make_user("alice")
    made = degraded_make(campaign=campaign, items=4, method="shuffle", seed=5, actor=alice)
    assert len(made) == 4
    assert len({one.item_id for one in made}) == 4
    for one in Substitution.objects.filter(role="degraded"):
        assert one.made_from is not None and one.made_from.item == one.item
        assert sorted(one.text.split()) == sorted(one.made_from.text.split())
    campaign_open(campaign=campaign, actor=alice)
    assert Sheet.objects.count() == 6
    for one in made:
        sheet = SheetEntry.objects.get(substitution=one).sheet
        assert sheet.entries.filter(substitution=one.made_from).exists()
    assert verify(campaign=campaign) == []
    assert AuditEntry.objects.filter(verb="make degraded", data__made=4).exists()


@pytest.mark.parametrize("limit", [2, 3])
def test_a_cut_item_keeps_a_copy_with_its_original(limit: int) -> None:
    campaign = campaign_of(max_per_sheet=limit)
    made = degraded_make(campaign=campaign, items=6, method="drop", seed=1, actor=None)
    campaign_open(campaign=campaign, actor=None)
    assert made
    for one in made:
        sheet = SheetEntry.objects.get(substitution=one).sheet
        assert sheet.entries.filter(substitution=one.made_from).exists()
        assert sheet.entries.count() <= limit
    assert Substitution.objects.count() == SheetEntry.objects.count()
    assert verify(campaign=campaign) == []


def test_copies_after_opening_come_on_new_sheets() -> None:
    campaign = make_campaign(items=3, systems=2, k=2)
    rate_all(make_annotator(campaign, "bob"))
    made = degraded_make(campaign=campaign, items=2, method="drop", seed=1, actor=None)
    made += copies_make(campaign=campaign, items=2, seed=1, actor=None)
    assert len(made) == 4
    for one in made:
        entry = SheetEntry.objects.get(substitution=one)
        assert entry.sheet.entries.count() == 1 and entry.sheet.slots.count() == 2
    assert verify(campaign=campaign) == []


def test_copies_are_the_phrase_and_no_item_gets_two() -> None:
    campaign = campaign_of()
    first = copies_make(campaign=campaign, items=4, seed=1, actor=None)
    again = copies_make(campaign=campaign, items=100, seed=1, actor=None)
    assert (len(first), len(again)) == (4, 2)
    assert all(one.text == one.item.phrase.text for one in first)
    assert len({one.item_id for one in first + again}) == 6
    degraded_make(campaign=campaign, items=6, method="drop", seed=1, actor=None)
    assert degraded_make(campaign=campaign, items=6, method="drop", seed=2, actor=None) == []


def test_the_same_seed_makes_the_same_texts() -> None:
    texts = []
    for slug in ("one", "two"):
        campaign = campaign_of(slug=slug)
        made = degraded_make(campaign=campaign, items=3, method="drop", seed=9, actor=None)
        texts.append([(one.item.identity_hash, one.text) for one in made])
    assert texts[0] == texts[1]


def test_copies_reach_no_statistic() -> None:
    campaign = campaign_of()
    degraded_make(campaign=campaign, items=6, method="drop", seed=1, actor=None)
    copies_make(campaign=campaign, items=6, seed=1, actor=None)
    campaign = campaign_open(campaign=campaign, actor=None)
    rate_all(make_annotator(campaign, "bob"))
    units = ratings_get(campaign=campaign).units
    outputs = Substitution.objects.filter(role="output").values_list("pk", flat=True)
    assert units.tolist() == sorted(outputs)


def test_what_is_asked_must_make_sense() -> None:
    campaign = campaign_of()
    with pytest.raises(Invalid):
        degraded_make(campaign=campaign, items=2, method="upper", seed=1, actor=None)
    for items in (0, -1, 10**6):
        with pytest.raises(Invalid):
            copies_make(campaign=campaign, items=items, seed=1, actor=None)
