"""What the board reads: people, texts, alarms, in a constant number of statements."""

from datetime import timedelta

import pytest

from annotation.board.figures import people_figures, text_figures
from annotation.board.queries import alarms_found, board_annotators, board_now, watch_of
from annotation.campaigns.services import campaign_pause
from annotation.models import Annotator, Participant
from annotation.panels.services import panel_create
from paraanno import clock
from tests.annotation.boards import expire, found, hasty, older, paced
from tests.clients import captured
from tests.factories import exclude, make_annotator, make_campaign, rate_all


def test_whose_part_in_a_panel_is_over_is_not_at_work():
    campaign = make_campaign(items=3, k=3)
    ann, dan, eve = (make_annotator(campaign, name) for name in ("ann", "dan", "eve"))
    panel = panel_create(
        campaign=campaign, actor=None, name="Crowd", sheets_per_person=1, minutes=9
    )
    Annotator.objects.filter(campaign=campaign).update(origin=Annotator.Origin.PARTICIPANT)
    entered = clock.now() - timedelta(minutes=8)
    for one, outcome, at in (
        (ann, "complete", entered),
        (dan, "", entered),
        (eve, "", entered - timedelta(minutes=9)),
    ):
        rate_all(one, at_most=1)
        Participant.objects.create(
            panel=panel,
            annotator=one,
            platform_id=one.code,
            entered_at=at,
            outcome=outcome,
            ended_at=at if outcome else None,
            quota=1,
            sheets_before=0,
        )
    assert [one.code for one in board_now(campaign=campaign).working] == [dan.code]


def test_everybody_is_listed_with_what_takes_them_out():
    campaign = make_campaign(items=2, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    rate_all(bob)
    exclude(bob)
    with captured() as queries:
        rows = {one.pk: one for one in board_annotators(campaign=campaign)}
    assert len(queries) == 3
    assert rows[bob.pk].in_force and rows[bob.pk].last_at is not None
    assert rows[ben.pk].last_at is None and not rows[ben.pk].in_force


def test_work_and_active_time_of_excluded_people_too():
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign)
    rate_all(bob, at_most=2)
    paced(bob, 20.0)
    exclude(bob)
    figures = people_figures(campaign=campaign, now=clock.now())
    [(pk, one)] = figures.items()
    texts = one["texts"]
    assert pk == str(bob.pk) and texts in (3, 4)  # Every third item has one text of both systems.
    assert (one["places"], one["counted"]) == (2, 0)
    assert (one["judgments"], one["judgments_counted"]) == (2 * texts, 0)
    assert one["seconds"] == one["recent_seconds"] == 20 * texts
    assert one["week"] == [0, 0, 0, 0, 0, 0, 2] and one["recent_texts"] == texts


def test_the_last_day_is_told_apart():
    campaign, bob = hasty()
    older(campaign, timedelta(hours=50))
    one = people_figures(campaign=campaign, now=clock.now())[str(bob.pk)]
    assert one["recent_texts"] == one["recent_seconds"] == 0 and one["texts"] > 10
    assert one["week"][-3] == one["places"] == 8


def test_texts_are_complete_when_all_places_of_their_sheet_are_done():
    campaign = make_campaign(items=4, systems=2, k=2)
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 0, "begun": 0}
    rate_all(make_annotator(campaign))
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 0, "begun": 7}
    rate_all(make_annotator(campaign, "ben"))
    assert text_figures(campaign=campaign) == {"all": 7, "complete": 7, "begun": 7}


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
    exclude(bob)
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

    assert falls() and not falls(high=None)
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
