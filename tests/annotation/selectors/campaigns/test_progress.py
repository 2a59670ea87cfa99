"""How far a campaign and its annotators are, and which guidelines they started with."""

import pytest
from django.core.cache import cache

from annotation.campaigns.queries import guideline_first_used, guideline_get
from annotation.errors import NotFound
from annotation.models import Sheet, Slot, Substitution
from annotation.sheets import progress
from annotation.sheets.progress import (
    SheetsProgress,
    campaign_progress,
    own_progress,
    sheets_progress,
)
from tests.annotation.acts import plan
from tests.annotation.claimed import offer
from tests.clients import client_of, text_of
from tests.factories import (
    add_guideline,
    exclude,
    make_annotator,
    make_campaign,
    rate_all,
    rate_sheet,
)

FREE = {
    "state": "free",
    "annotator": None,
    "claimed_at": None,
    "lease_expires_at": None,
    "done_at": None,
}


def board():
    return text_of(client_of("vera").get("/c/camp/board/"))


def test_complete_sheets_are_the_same_however_they_are_looked_for():
    """A sheet counts with its last place, one with void places alone does not, and neither do
    shared sheets, repeats and sheets of copies."""
    campaign = make_campaign(items=6, k=2)
    for name in ("bob", "ben"):
        rate_all(make_annotator(campaign, name))
    Slot.objects.filter(sheet__item__position=0).update(state="void")
    Slot.objects.filter(sheet__item__position=1, number=1).update(state="void")
    Slot.objects.filter(sheet__item__position=2, number=1).update(**FREE)
    Sheet.objects.filter(item__position=3).update(shared=True)
    Substitution.objects.filter(item__position=4).update(role="copy")
    Substitution.objects.filter(item__position=5, text__contains="system 0").update(role="copy")
    for done in (0, 2, 3, 10):
        progress = sheets_progress(campaign=campaign, done=done, places=10)
        assert progress == SheetsProgress(all=4, complete=2)
    told = campaign_progress(campaign=campaign)
    assert (told.sheets, told.sheets_complete) == (4, 2)
    assert told.slots == 6 * 2 - 3


def test_work_of_an_excluded_annotator_is_still_shown():
    """It is to be paid for, although it counts in no statistic."""
    campaign = make_campaign(items=2, k=3)
    bob = make_annotator(campaign)
    rate_all(bob)
    exclude(bob)
    assert f"{bob.code} working excluded Invited 2 (0 counted) 8 (0 counted)" in board()
    [row] = client_of("vera").get("/api/v1/campaigns/camp/annotators").json()["results"]
    work = ("sheets_done", "sheets_submitted", "judgments_counted", "judgments_given")
    assert [row[name] for name in work] == [0, 2, 0, 8]


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_hidden_repeats_leave_no_trace_in_the_counter(share):
    """Every submitted sheet is one sheet less, whether it comes again or not."""
    campaign = make_campaign(items=6, k=1)
    plan(campaign, repeat_share=share, repeat_after=2)
    bob = make_annotator(campaign)
    seen = []
    while (sheet := offer(bob)) is not None:
        progress = own_progress(campaign=campaign, annotator=bob)
        seen.append((progress.done, progress.open + progress.left))
        rate_sheet(bob, sheet)
    total = 6 if share == 0 else 12 if share == 1 else len(seen)
    assert seen == [(done, total - done) for done in range(total)]
    assert own_progress(campaign=campaign, annotator=bob).total == total


def test_what_is_left_is_not_counted_after_every_sheet_where_it_is_much(
    monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(progress, "MANY_LEFT", 3)
    campaign = make_campaign(items=6, k=2)
    bob = make_annotator(campaign, "bob")
    assert own_progress(campaign=campaign, annotator=bob).left == 6
    rate_sheet(bob, offer(bob))
    offer(bob)
    with django_assert_num_queries(3):
        found = own_progress(campaign=campaign, annotator=bob)
    assert (found.done, found.open, found.left, found.total) == (1, 1, 4, 6)
    # Others do not see what was counted for bob, and few are counted each time.
    assert own_progress(campaign=campaign, annotator=make_annotator(campaign, "dora")).left == 6
    monkeypatch.setattr(progress, "MANY_LEFT", 6)
    cache.clear()
    for left in (4, 3):
        assert own_progress(campaign=campaign, annotator=bob).left == left
        rate_sheet(bob, bob.slots.get(state="claimed").sheet)
        offer(bob)


def test_a_version_of_another_campaign_is_not_there(campaign):
    """Nor what is no number of a version, whatever stands in an address."""
    other = make_campaign("other", items=1)
    added = add_guideline(other, "Judge otherwise.")
    assert guideline_get(campaign=other, version=str(added.version)) == added
    for version in (str(added.version), "0", "-1", "x", "", "²", "9" * 40):
        with pytest.raises(NotFound):
            guideline_get(campaign=campaign, version=version)


def test_the_first_used_version_stays_the_first(begun_campaign):
    other = make_campaign("other", items=1)
    bob = make_annotator(begun_campaign)
    add_guideline(begun_campaign, "Second")
    assert guideline_first_used(annotator=bob) is None
    rate_all(bob, at_most=1)
    add_guideline(begun_campaign, "Third")
    rate_all(bob)
    rate_all(make_annotator(other))
    first = guideline_first_used(annotator=bob)
    assert first == guideline_get(campaign=begun_campaign, version="2")
