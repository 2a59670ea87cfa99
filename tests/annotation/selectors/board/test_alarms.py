"""What gives an alarm, and what does not."""

from datetime import timedelta

import pytest

from annotation.board.queries import alarms_found, watch_of
from annotation.campaigns.services import campaign_pause
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from tests.annotation.boards import expire, found, hasty, older, paced
from tests.factories import make_annotator, make_campaign, rate_all


def kinds(campaign, **changes):
    return [one.kind for one in found(campaign, **changes)]


def test_nobody_for_a_day():
    campaign = make_campaign(items=2, k=1)
    rate_all(make_annotator(campaign), at_most=1)
    assert kinds(campaign) == []
    older(campaign, timedelta(hours=25))
    [alarm] = found(campaign)
    assert alarm.kind == "quiet" and alarm.facts["left"] == 1
    assert kinds(campaign, quiet_hours=26) == kinds(campaign, quiet_hours=None) == []
    rate_all(make_annotator(campaign, "ben"))
    older(campaign, timedelta(hours=25))
    assert kinds(campaign) == []  # Everything is done.


def test_a_paused_campaign_gives_none():
    campaign = make_campaign(items=2, k=1)
    older(campaign, timedelta(hours=25))
    assert kinds(campaign) == ["quiet"]
    assert kinds(campaign_pause(campaign=campaign, actor=None)) == []


def test_a_person_who_is_too_fast():
    campaign, bob = hasty(seconds=1.0)
    [alarm] = found(campaign)
    assert (alarm.kind, alarm.about, alarm.annotator) == ("fast", str(bob.pk), bob.pk)
    assert alarm.facts["seconds"] == pytest.approx(1.0, abs=0.1) and alarm.facts["least"] == 3
    assert kinds(campaign, fast_seconds=0.5) == kinds(campaign, fast_seconds=None) == []
    exclusion_add(target=bob, reason="was asleep", actor=None)
    assert kinds(campaign) == []


def test_who_sent_everything_at_once_after_a_while_is_not_too_fast():
    """As a browser without a network, or without scripts, does: no active time, and no haste."""
    campaign, bob = hasty(seconds=0.001)
    assert kinds(campaign) == ["fast"]
    paced(bob, 0.001, wait=timedelta(minutes=8))
    assert kinds(campaign) == []


def test_agreement_falls_only_beyond_its_interval(campaign):
    one = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 40, "before": 0.7}
    watch = watch_of(campaign=campaign)

    def falls(**changes):
        numbers = {"course": {"MEANING": one | changes}}
        alarms = alarms_found(campaign=campaign, watch=watch, numbers=numbers, now=clock.now())
        return [(alarm.kind, alarm.about) for alarm in alarms] == [("falling", "MEANING")]

    assert falls() and falls(high=None)
    assert not falls(high=0.71) and not falls(before=0.55) and not falls(value=None)
    watch.agreement_fall = None
    assert not falls()


def test_places_that_expire_again_and_again():
    campaign = make_campaign(items=1, k=1)
    expire(campaign, "bob")
    assert kinds(campaign) == []
    expire(campaign, "ben")  # bob lost it to ben, and ben's time is up.
    [alarm] = found(campaign)
    assert alarm.kind == "expired" and alarm.facts == {"places": 1, "times": 2}
    assert kinds(campaign, expired_times=3) == kinds(campaign, expired_times=None) == []
    rate_all(make_annotator(campaign, "beth"))
    assert kinds(campaign) == []
