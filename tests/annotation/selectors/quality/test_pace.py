"""Checks that need no control: sheets done too fast, the same value in long runs."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.quality.checks import chance_of_run, likelihoods
from annotation.quality.overview import outcome
from tests.annotation.selectors.quality.watched import PLAN, by_role, share
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.quality.acts import judge, work
from tests.factories import make_annotator, make_campaign


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
