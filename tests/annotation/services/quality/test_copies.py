"""Degraded and exact copies: what they are, and where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import Invalid
from annotation.models import AuditEntry, Sheet, SheetEntry, Substitution
from annotation.quality.rules import METHODS, degrade, degraded_make
from tests.factories import add_copies, make_campaign, open_campaign


@pytest.fixture
def draft():
    return make_campaign(items=6, systems=3, open_it=False)


def degraded(campaign, items, method="drop", seed=1):
    return degraded_make(campaign=campaign, items=items, method=method, seed=seed, actor=None)


def copied(campaign, items):
    return add_copies(campaign, items)


def stand_beside(copies):
    return all(
        SheetEntry.objects.filter(substitution=one.made_from, sheet__entries__substitution=one)
        for one in copies
    )


def test_copies_before_opening_stand_beside_their_originals(draft):
    made = degraded(draft, 4, "shuffle")
    assert len(made) == len({one.item_id for one in made}) == 4
    for one in Substitution.objects.filter(role="degraded"):
        assert one.made_from is not None and one.made_from.item == one.item
        assert sorted(one.text.split()) == sorted(one.made_from.text.split())
    open_campaign(draft)
    assert Sheet.objects.count() == 6
    assert stand_beside(made)
    assert AuditEntry.objects.filter(verb="make degraded", data__made=4).exists()


@pytest.mark.parametrize("limit", [2, 3])
def test_a_cut_item_keeps_a_copy_with_its_original(limit):
    campaign = make_campaign(items=6, systems=3, open_it=False, max_per_sheet=limit)
    made = degraded(campaign, 6)
    open_campaign(campaign)
    assert made and stand_beside(made)
    assert all(sheet.entries.count() <= limit for sheet in Sheet.objects.all())
    assert Substitution.objects.count() == SheetEntry.objects.count()


def test_copies_are_the_phrase_and_no_item_gets_two(draft):
    first, again = copied(draft, 4), copied(draft, 100)
    assert (len(first), len(again)) == (4, 2)
    assert all(one.text == one.item.phrase.text for one in first)
    assert len({one.item_id for one in first + again}) == 6
    degraded(draft, 6)
    assert degraded(draft, 6, seed=2) == []


def test_what_is_asked_must_make_sense(draft):
    with pytest.raises(Invalid):
        degraded(draft, 2, "upper")
    for items in (0, -1, 10**6):
        with pytest.raises(Invalid):
            copied(draft, items)


words = st.lists(st.text("abc가, ", min_size=1), max_size=8).map(" ".join)

METHOD_NAMES = st.sampled_from(sorted(METHODS))


@given(words, METHOD_NAMES, st.text(max_size=3), st.lists(words, max_size=3))
def test_a_worse_text_is_new_and_the_same_for_a_seed(text, method, seed, avoid):
    worse = degrade(text, method=method, seed=seed, avoid=avoid)
    assert worse == degrade(text, method=method, seed=seed, avoid=avoid)
    if worse is None:
        return
    assert worse not in [text, *avoid]
    assert worse.casefold().split() != text.casefold().split()
    have, left = sorted(text.split()), sorted(worse.split())
    if method == "shuffle":
        assert have == left
    else:
        assert 0 < len(left) < len(have)
        assert all(left.count(word) <= have.count(word) for word in left)


def test_what_cannot_be_made_worse_is_none():
    for method in METHODS:
        assert degrade("one", method=method, seed="1", avoid=[]) is None
        assert degrade("", method=method, seed="1", avoid=[]) is None
    assert degrade("so so so", method="shuffle", seed="1", avoid=[]) is None
    assert degrade("a b", method="drop", seed="1", avoid=["a", "B"]) is None
    assert degrade("a b", method="drop", seed="1", avoid=["a"]) == "b"
