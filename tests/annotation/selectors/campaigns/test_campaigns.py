"""Which campaigns a user judges in and which they look after, with counts."""

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.campaigns.queries import (
    campaigns_to_annotate,
    campaigns_with_progress,
)
from annotation.campaigns.services import campaign_close, campaign_open
from annotation.models import Campaign
from annotation.people.exclusions import annotator_return, annotator_withdraw
from annotation.people.lists import lists_set
from annotation.people.membership import membership_set
from annotation.quality.rules import plan_set
from annotation.sheets.progress import own_progress
from annotation.sheets.slots import annotators_per_sheet_set
from tests.annotation.services.importing.files import load_lists
from tests.factories import make_annotator, make_campaign, make_user, rate_all


def test_to_annotate_is_what_one_was_invited_to_or_has_begun():
    begun, done = make_campaign("b-begun", items=2), make_campaign("a-done", items=1)
    make_campaign("c-invited", items=1)
    make_campaign("draft", items=1, open_it=False)
    make_campaign("of-others", items=1, cast=False)
    for campaign in (begun, done):
        rate_all(make_annotator(campaign), at_most=1)
    campaign_close(campaign=done, actor=None)
    # Whoever has begun goes on, whatever became of their role.
    membership_set(campaign=begun, user=make_user("bob"), role=None, actor=None)
    tasks = campaigns_to_annotate(user=make_user("bob"))
    assert [(one.campaign.slug, one.progress and one.progress.done) for one in tasks] == [
        ("b-begun", 1),
        ("c-invited", None),
        ("a-done", 1),
    ]
    assert campaigns_to_annotate(user=make_user("vera")) == []
    assert campaigns_to_annotate(user=AnonymousUser()) == []


def test_several_campaigns_to_annotate_cost_what_one_does():
    """With lists, repeats and bounds each."""

    def cost():
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            tasks = campaigns_to_annotate(user=make_user("bob"))
        for one in tasks:
            annotator = make_annotator(one.campaign)
            assert one.progress == own_progress(campaign=one.campaign, annotator=annotator)
        return len(tasks), len(queries)

    def begin(slug, *, listed):
        campaign = make_campaign(slug, items=3, k=2, open_it=not listed)
        bob = make_annotator(campaign)
        if listed:
            assert load_lists(campaign, f"annotator,item\n{bob.code},item-0\n").ok
            lists_set(campaign=campaign, lists="listed", actor=None)
            campaign_open(campaign=campaign, actor=None)
        plan_set(campaign=campaign, actor=None, changes={"repeat_share": 1.0, "repeat_after": 1})
        rate_all(make_annotator(Campaign.objects.get(pk=campaign.pk)), at_most=1)

    for at in range(2):
        begin(f"pool-{at}", listed=False)
        begin(f"lists-{at}", listed=True)
        if not at:
            of_two = cost()
    assert [of_two[0], cost()[0]] == [2, 4] and cost()[1] == of_two[1] <= 12


def test_a_campaign_that_one_left_comes_back_with_its_annotator(begun_campaign):
    bob = make_annotator(begun_campaign)
    annotator_withdraw(annotator=bob)
    assert campaigns_to_annotate(user=make_user("bob")) == []
    annotator_return(annotator=bob, actor=None)
    assert len(campaigns_to_annotate(user=make_user("bob"))) == 1


def test_places_that_are_void_are_not_counted(django_assert_num_queries):
    campaign = make_campaign(items=3, k=2)
    rate_all(make_annotator(campaign), at_most=1)
    annotators_per_sheet_set(campaign=campaign, wanted=1, actor=None)
    assert campaign.slots.filter(state="void").count() == 3
    dora = make_user("dora")
    with django_assert_num_queries(1):
        [found] = campaigns_with_progress(user=dora)
    assert (found.slots_all, found.slots_done, found.role) == (3, 1, "researcher")
    assert list(campaigns_with_progress(user=make_user("bob"))) == []
    assert list(campaigns_with_progress(user=AnonymousUser())) == []
