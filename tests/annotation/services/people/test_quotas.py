"""Numbers of sheets hold for everybody: at most by person, group and campaign, and by share."""

import pytest

from annotation.errors import Invalid
from annotation.people.quotas import group_join, work_group_set, work_groups_named, work_rule_set
from annotation.sheets.progress import own_progress
from tests.factories import make_annotator, make_campaign, rate_all


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
