"""Numbers of sheets hold for everybody: at most by person, group and campaign, and by share."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from annotation.errors import Invalid
from annotation.models import Annotator, Campaign
from annotation.selectors.campaigns.progress import own_progress
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.quotas import (
    group_join,
    work_group_set,
    work_groups_named,
    work_rule_set,
)
from tests.factories import make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob() -> Annotator:
    return make_annotator(make_campaign(items=6, k=2))


def rule(campaign: Campaign, **given: Any) -> None:
    empty = {"sheets_at_least": None, "sheets_at_most": None, "largest_share": None}
    work_rule_set(campaign=campaign, actor=None, **{**empty, **given})


def given_to(annotator: Annotator) -> int:
    """Judge until nothing comes; return the number of sheets."""
    for count in itertools.count():
        sheet = claim_next(annotator=annotator)
        if sheet is None:
            return count
        rate_sheet(annotator, sheet)
    raise AssertionError


def test_a_campaign_bounds_everybody_and_a_group_goes_before_it(bob: Annotator) -> None:
    campaign = bob.campaign
    rule(campaign, sheets_at_most=2)
    left = own_progress(campaign=campaign, annotator=bob)
    assert (left.done, left.left) == (0, 2)
    assert given_to(bob) == 2
    group = work_group_set(
        campaign=campaign, name="Experts", sheets_at_least=1, sheets_at_most=5, actor=None
    )
    group_join(annotator=bob, group=group, actor=None)
    assert given_to(bob) == 3
    group_join(annotator=bob, group=None, actor=None)
    assert given_to(make_annotator(campaign, "ben")) == 2


@pytest.mark.parametrize(("share", "sheets"), [(0.5, 3), (0.4, 2), (1.0, 6)])
def test_nobody_judges_more_than_the_largest_share(
    bob: Annotator, share: float, sheets: int
) -> None:
    rule(bob.campaign, largest_share=share)
    assert given_to(bob) == sheets


def test_without_numbers_nothing_is_bounded(bob: Annotator) -> None:
    rule(bob.campaign)
    assert given_to(bob) == 6


def test_wrong_numbers_are_refused(bob: Annotator) -> None:
    campaign = bob.campaign
    for wrong in (
        {"sheets_at_least": 3, "sheets_at_most": 2}, {"sheets_at_most": -1},
        {"largest_share": 0}, {"largest_share": 1.1},
    ):  # fmt: skip
        with pytest.raises(Invalid):
            rule(campaign, **wrong)
    with pytest.raises(Invalid):
        work_group_set(
            campaign=campaign, name=" ", sheets_at_least=None, sheets_at_most=None, actor=None
        )
    other = make_campaign("other", items=1)
    [group] = work_groups_named(campaign=other, names={"Experts"}).values()
    with pytest.raises(Invalid):
        group_join(annotator=bob, group=group, actor=None)
