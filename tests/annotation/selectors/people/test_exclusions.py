"""Exclusions from the statistics, with those that were lifted."""

from annotation.people.annotators import (
    excluded,
    exclusions_of,
    exclusions_of_annotators,
    is_excluded,
)
from annotation.people.exclusions import exclusion_add, exclusion_lift
from tests.factories import make_annotator, make_campaign


def test_exclusions_of_the_campaign_are_listed_and_lifted_ones_are_not_in_force(
    campaign, django_assert_num_queries
):
    other = make_annotator(make_campaign("other", items=1), "bob")
    exclusion_add(target=other, reason="in a hurry", actor=None)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    first = exclusion_add(target=bob, reason="in a hurry", actor=None)
    exclusion_lift(exclusion=first, actor=None)
    second = exclusion_add(target=ben, reason="asleep", actor=None)
    item = exclusion_add(target=campaign.items.get(), reason="broken", actor=None)
    with django_assert_num_queries(1):
        listed = [(one, one.annotator, one.item) for one in exclusions_of(campaign=campaign)]
    assert listed == [(item, None, item.item), (second, ben, None), (first, bob, None)]
    assert list(exclusions_of_annotators(campaign=campaign)) == [second, first]
    assert [is_excluded(annotator=one) for one in (bob, ben, other)] == [False, True, True]
    in_force = {one.code: one.in_force for one in excluded(campaign.annotators.all())}
    assert in_force == {bob.code: [], ben.code: [second]}
