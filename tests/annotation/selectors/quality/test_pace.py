"""Checks that need no control: sheets done too fast, the same value in long runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.selectors.quality.overview import outcome
from annotation.selectors.quality.pace import chance_of_run, likelihoods
from annotation.services.collecting.claiming import claim_next
from tests.annotation.selectors.quality.watched import PLAN, share
from tests.annotation.services.quality.acts import judge, work
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db


def test_too_fast_is_by_sheet_and_the_servers_clock() -> None:
    campaign = make_campaign(items=4, systems=2, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    work(bob, lambda text, scale: 3, seconds=1.5)
    work(ben, lambda text, scale: 3, seconds=0.4)
    assert share(bob, "fast") == (4, 0)
    assert share(ben, "fast") == (4, 4)


def test_answers_that_come_together_are_not_too_fast() -> None:
    """A form without JavaScript, and a browser that was offline, send all of a sheet at once."""
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign, "bob")
    now = timezone.now()
    for number in range(4):
        at = now + timedelta(minutes=number)
        sheet = claim_next(annotator=bob, now=at)
        assert sheet is not None
        judge(bob, sheet, lambda text, scale: 3, at=at + timedelta(seconds=30), seconds=0)
    assert share(bob, "fast") == (4, 0)


def test_a_sheet_claimed_early_is_timed_from_the_save_before() -> None:
    """The browser fetches the next sheet ahead."""
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign, "bob")
    now = timezone.now()
    first = claim_next(annotator=bob, now=now)
    assert first is not None
    judge(bob, first, lambda text, scale: 3, at=now + timedelta(seconds=60))
    second = claim_next(annotator=bob, now=now + timedelta(seconds=1))
    assert second is not None
    late = now + timedelta(seconds=60 + 3 * 2 * first.entries.count())
    judge(bob, second, lambda text, scale: 3, at=late, seconds=0.1)
    assert share(bob, "fast") == (2, 1)


def test_long_runs_are_compared_with_chance() -> None:
    campaign = make_campaign(items=20, systems=2, k=3)
    bob, ben, beth = (make_annotator(campaign, name) for name in ("bob", "ben", "beth"))
    turn = iter(range(10_000))
    work(beth, lambda text, scale: 1 + next(turn) % 5)
    turn = iter(range(10_000))
    work(ben, lambda text, scale: 1 + (next(turn) * 7 // 3) % 5)
    work(bob, lambda text, scale: 3)
    assert share(ben, "straight")[1] == 0
    n, failed = share(bob, "straight")
    assert n == failed > 40
    figures = outcome(annotator=bob, check="straight", plan=PLAN).figures
    assert figures["longest"] == n / 2 and figures["chance"] < 1e-6


def test_a_value_that_everybody_gives_may_come_often() -> None:
    campaign = make_campaign(items=20, systems=2, k=3)
    voices = [make_annotator(campaign, name) for name in ("ben", "beth", "bob")]
    for voice in voices:
        work(voice, lambda text, scale: 5)
    assert share(voices[2], "straight")[1] == 0


def test_the_chance_of_a_run() -> None:
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
