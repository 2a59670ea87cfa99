"""How good an annotator's work looks: its pace, its record, and practice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.collecting.claiming import NotClaimable
from annotation.errors import Conflict
from annotation.models import Annotator, AuditEntry
from annotation.quality.checks import chance_of_run, likelihoods
from annotation.quality.overview import outcome, overview, practice_wanted, record
from annotation.quality.practice import attempt_start
from tests.annotation.acts import judge, work
from tests.annotation.claimed import offer
from tests.annotation.school import go_through, school
from tests.annotation.selectors.quality.watched import PLAN, by_role, share, watched
from tests.clients import captured
from tests.factories import make_annotator, make_campaign, save_answer


def test_drafts_and_other_campaigns_do_not_count():
    bob = make_annotator(watched())
    work(bob, by_role(copy=1), sheets=1)
    sheet = offer(bob)
    text = sheet.entries.get(substitution__role="copy").substitution
    [scale, *_] = bob.campaign.scales.all()
    save_answer(bob, sheet, text, scale, 1)
    assert share(bob, "copy") == (1, 1)
    assert share(make_annotator(watched(slug="other")), "copy") == (0, 0)


@pytest.mark.slow
def test_the_number_of_queries_does_not_grow():
    counts = []
    for items in (2, 8):
        campaign = watched(items, slug=f"size-{items}")
        for name in ("bob", "ben", "beth")[: 1 + items // 4]:
            work(make_annotator(campaign, name), by_role(copy=1, degraded=4), seconds=0.1)
        bob = make_annotator(campaign)
        with captured() as one:
            assert record(annotator=bob, plan=PLAN).checks[2].result.failed > 0
        with captured() as two:
            assert len(overview(campaign=campaign)) == 1 + items // 4
        counts.append((len(one), len(two)))
    assert counts[0] == counts[1]
    assert counts[0][0] <= 30 and counts[0][1] <= 14


@pytest.fixture
def annotators():
    campaign = make_campaign(items=20, systems=2, k=3)
    return [make_annotator(campaign, name) for name in ("bob", "ben", "beth")]


@pytest.mark.parametrize(("seconds", "failed"), [(1.5, 0), (0.4, 4), (0, 0)])
def test_too_fast_is_by_sheet_and_the_servers_clock(annotators, seconds, failed):
    """Answers that come together are not too fast: a form without JavaScript, and a browser that
    was offline, send all of a sheet at once."""
    now = timezone.now()
    for number in range(4):
        at = now + timedelta(minutes=number)
        judge(
            annotators[0],
            offer(annotators[0], now=at),
            by_role(),
            at=at + timedelta(seconds=0 if seconds else 30),
            seconds=seconds,
        )
    assert share(annotators[0], "fast") == (4, failed)


def test_a_sheet_claimed_early_is_timed_from_the_save_before(annotators):
    """The browser fetches the next sheet ahead."""
    bob, now = annotators[0], timezone.now()
    first = offer(bob, now=now)
    judge(bob, first, by_role(), at=now + timedelta(seconds=60))
    second = offer(bob, now=now + timedelta(seconds=1))
    late = now + timedelta(seconds=60 + 3 * 2 * first.entries.count())
    judge(bob, second, by_role(), at=late, seconds=0.1)
    assert share(bob, "fast") == (2, 1)


@pytest.mark.slow
def test_long_runs_are_compared_with_chance(annotators):
    bob, ben, beth = annotators
    turns = iter(range(10_000))
    work(beth, lambda text, scale: 1 + next(turns) % 5)
    turn = iter(range(10_000))
    work(ben, lambda text, scale: 1 + (next(turn) * 7 // 3) % 5)
    work(bob, by_role())
    assert share(ben, "straight")[1] == 0
    n, failed = share(bob, "straight")
    assert n == failed > 40
    figures = outcome(annotator=bob, check="straight", plan=PLAN).figures
    assert figures["longest"] == n / 2 and figures["chance"] < 1e-6


def test_the_chance_of_a_run():
    """Against the exact probability: of 20 fair coins, a run of 10 or more of either side."""
    fair = [0.5, 0.5]
    ways = [1, *([0] * 20)]  # by the tenfold recursion of runs below ten
    for n in range(1, 21):
        ways[n] = (
            2 if n == 1 else sum(ways[n - k] for k in range(1, 10) if n - k > 0) + 2 * (n < 10)
        )
    exact = 1 - ways[20] / 2**20
    assert chance_of_run(10, 20, fair) == pytest.approx(exact, rel=0.05)
    assert chance_of_run(1, 20, fair) == chance_of_run(21, 20, fair) == 1
    assert likelihoods([1, 2], {1: 3}) == fair
    assert likelihoods([1, 2], {1: 58}) == pytest.approx([59 / 60, 1 / 60])


def test_the_campaign_opens_with_a_passed_test():
    _, bob = school()
    with pytest.raises(NotClaimable) as refused:
        offer(bob)
    assert (refused.value.code, refused.value.data["url"]) == ("practice", "/rate/camp/practice/")
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert go_through(bob, "practice", 1, 1).passed
    assert practice_wanted(annotator=bob)
    attempt = go_through(bob, "test", 4, 5)
    assert (attempt.right, attempt.asked, attempt.passed) == (4, 4, True)
    assert offer(bob) is not None
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert AuditEntry.objects.filter(verb="pass test").count() == 1


@pytest.mark.parametrize(
    ("meaning", "grammar", "share", "tolerance", "passed"),
    [
        (3, 5, 0.75, 0, False),
        (3, 5, 0.5, 0, True),
        (3, 5, 0.75, 1, True),
        (2, 5, 0.75, 1, False),
        (5, 4, 0.75, 1, False),
        (4, 5, 1.0, 0, True),
    ],
)
def test_tolerance_and_share(meaning, grammar, share, tolerance, passed):
    _, bob = school(practice=0, share=share, tolerance=tolerance)
    assert go_through(bob, "test", meaning, grammar).passed is passed
    assert practice_wanted(annotator=bob) is not passed


def test_voices_that_are_no_people_practise_nothing():
    campaign, _bob = school()
    simulated = Annotator.objects.create(campaign=campaign, code="S1", origin="simulated")
    assert not practice_wanted(annotator=simulated)
    assert offer(simulated) is not None
