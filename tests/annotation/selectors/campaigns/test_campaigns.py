"""Which campaigns a user judges in and looks after, and what is in one."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.urls import reverse

from annotation.campaigns.queries import (
    campaigns_to_annotate,
    campaigns_with_progress,
    item_get,
    items_found,
    judgments_found,
    language_asked,
    languages_of,
)
from annotation.errors import NotFound
from annotation.importing.jobs import ended_report
from annotation.models import Campaign, ImportJob, Item, Slot
from annotation.people.exclusions import annotator_return, annotator_withdraw
from annotation.people.lists import lists_set
from annotation.sheets.progress import HOUR, WorkCourse, own_progress, work_course
from annotation.sheets.slots import annotators_per_sheet_set
from tests.annotation.acts import plan
from tests.annotation.files import load_lists
from tests.clients import captured, client_of, html_of
from tests.factories import (
    close_campaign,
    give_role,
    item_rows,
    make_annotator,
    make_campaign,
    make_user,
    open_campaign,
    rate_all,
)


def test_to_annotate_is_what_one_was_invited_to_or_has_begun():
    begun, done = make_campaign("b-begun", items=2), make_campaign("a-done", items=1)
    make_campaign("c-invited", items=1)
    make_campaign("draft", items=1, open_it=False)
    make_campaign("of-others", items=1, cast=False)
    for campaign in (begun, done):
        rate_all(make_annotator(campaign), at_most=1)
    close_campaign(done)
    # Whoever has begun goes on, whatever became of their role.
    give_role(begun, make_user("bob"), None)
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
        with captured() as queries:
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
            open_campaign(campaign)
        plan(campaign, repeat_share=1.0, repeat_after=1)
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


def test_a_system_that_gave_no_text_for_an_item_does_not_find_it():
    rows = [*item_rows(1), {**item_rows(2)[2], "system": "S1", "paraphrase": ""}]
    campaign = make_campaign(rows=rows)
    assert campaign.items.count() == 2
    assert [one.position for one in items_found(campaign=campaign, system="S1")] == [0]


def test_nothing_of_another_campaign_is_found(campaign):
    """The other has the same items, systems, scales and codes."""
    other = make_campaign("other", items=1)
    rate_all(make_annotator(other))
    key = other.items.get().key
    assert item_get(campaign=other, key=key).key == key
    with pytest.raises(NotFound):
        item_get(campaign=campaign, key=key)
    assert not judgments_found(campaign=campaign, annotator="A01", system="S0").exists()
    assert judgments_found(campaign=other, annotator="A01", system="S0").count() == 2


def test_items_have_their_own_or_that_of_the_campaign():
    rows = item_rows(3, 1)
    rows[0]["language"] = "he"
    campaign = make_campaign(rows=rows)
    assert languages_of(campaign=campaign) == ["", "he"] and language_asked(campaign=campaign)
    home, dora = reverse("campaign", args=[campaign.slug]), client_of("dora")
    address = reverse("campaign-language", args=[campaign.slug])
    assert address in html_of(dora.get(home)) and address not in html_of(
        client_of("vera").get(home)
    )
    wrong = dora.post(address, {"language": "English please"})
    assert wrong.status_code == 422 and "BCP 47" in html_of(wrong)
    assert dora.post(address, {"language": "en"}).status_code == 302
    assert languages_of(campaign=Campaign.objects.get()) == ["en", "he"]
    assert address not in html_of(dora.get(home))
    # Texts stand in their language and direction, whatever that of the page is.
    item = Item.objects.get(language="he")
    page = html_of(
        dora.get(reverse("item", args=[campaign.slug, item.key]), headers={"accept-language": "ko"})
    )
    assert '<html lang="ko" dir="ltr">' in page and 'lang="he" dir="rtl"' in page
    sheet = html_of(client_of("bob").post(reverse("rate", args=[campaign.slug]), follow=True))
    assert 'lang="he" dir="rtl"' in sheet or 'lang="en" dir="ltr"' in sheet


def test_a_job_that_failed_without_a_report_says_why_in_one():
    campaign = make_campaign(open_it=False)
    job = ImportJob(campaign=campaign, what="items", file_name="a.csv", status="running")
    assert ended_report(job) is None
    job.status, job.error = "failed", "The worker ended."
    report = ended_report(job)
    assert not report["ok"]
    assert [one["message"] for one in report["problems"]] == ["The worker ended."]


NOW = datetime(2026, 11, 22, 12, 30, tzinfo=UTC)


def course(hours, places=100):
    """Hours as (days ago, places done)."""
    found = [(NOW.replace(minute=0) - timedelta(days=ago), n) for ago, n in hours]
    return WorkCourse(NOW, places, sum(n for _, n in hours), tuple(sorted(found)))


def test_places_are_counted_by_state_and_hour():
    campaign = make_campaign(items=4, k=2)
    rate_all(make_annotator(campaign), at_most=3)
    at = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    done = Slot.objects.filter(state="done").order_by("pk")
    for pk, later in zip(done.values_list("pk", flat=True), (0, 0, 1), strict=True):
        Slot.objects.filter(pk=pk).update(
            claimed_at=at - HOUR, done_at=at + timedelta(seconds=later)
        )
    with captured() as queries:
        found = work_course(campaign=campaign)
    # PostgreSQL is asked for the time, too.
    assert len(queries) == 4 + (connection.vendor == "postgresql")
    assert (found.places, found.done, found.left) == (8, 3, 5)
    assert found.hours == (
        (datetime(2026, 11, 20, 23, tzinfo=UTC), 2),
        (datetime(2026, 11, 21, tzinfo=UTC), 1),
    )


def test_days_are_24_hours_back_from_now():
    found = course([(3.2, 7), (2.5, 1), (1.2, 4), (0.5, 5), (0.0, 6)])
    assert found.last_days() == [1, 4, 11]  # The first, half a day, is not a whole one.
    assert course([(40, 9), (0.1, 1)]).last_days() == [0] * 13 + [1]
    assert course([]).last_days() == [] and course([]).newest is None
