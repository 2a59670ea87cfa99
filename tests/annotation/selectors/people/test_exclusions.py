"""Exclusions from the statistics, with those that were lifted."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Campaign
from annotation.selectors.people.exclusions import (
    excluded,
    exclusions_of,
    exclusions_of_annotators,
    is_excluded,
)
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db


def test_lifted_exclusions_are_listed_and_not_in_force(
    campaign: Campaign, django_assert_num_queries: Any
) -> None:
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    first = exclusion_add(target=bob, reason="in a hurry", actor=None)
    exclusion_lift(exclusion=first, actor=None)
    second = exclusion_add(target=ben, reason="asleep", actor=None)
    item = exclusion_add(target=campaign.items.get(), reason="broken", actor=None)
    with django_assert_num_queries(1):
        listed = [
            (one.pk, one.annotator and one.annotator.code, one.item and one.item.position)
            for one in exclusions_of(campaign=campaign)
        ]
    assert listed == [
        (item.pk, None, 0), (second.pk, ben.code, None), (first.pk, bob.code, None),
    ]  # fmt: skip
    assert list(exclusions_of_annotators(campaign=campaign)) == [second, first]
    assert (is_excluded(annotator=bob), is_excluded(annotator=ben)) == (False, True)
    in_force = {one.code: one.in_force for one in excluded(campaign.annotators.all())}
    assert in_force == {bob.code: [], ben.code: [second]}


def test_exclusions_of_another_campaign_are_not_listed(campaign: Campaign) -> None:
    other = make_campaign("other", items=1)
    exclusion_add(target=make_annotator(other), reason="in a hurry", actor=None)
    assert not is_excluded(annotator=make_annotator(campaign))
    assert not exclusions_of(campaign=campaign).exists()
    assert not exclusions_of_annotators(campaign=campaign).exists()
