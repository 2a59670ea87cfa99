"""What the board reads at every poll, in a constant number of statements."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.board.queries import board_annotators, board_now, watch_of
from annotation.collecting.claiming import claim_next
from annotation.models import Annotator, Participant
from annotation.panels.services import panel_create
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from tests.annotation.boards import older
from tests.factories import add_judgments, make_annotator, make_campaign, rate_all


def test_places_hours_and_who_is_at_work():
    campaign = make_campaign(items=4, k=2)
    rate_all(make_annotator(campaign), at_most=3)
    older(campaign, timedelta(hours=30))
    ben = make_annotator(campaign, "ben")
    rate_all(ben, at_most=2)
    claim_next(annotator=ben)
    row = {
        "item": "item-0",
        "paraphrase": "system 0 paraphrase 0",
        "annotator": "robot",
        "scale": "MEANING",
        "value": 4,
    }
    add_judgments(campaign, [row])
    with CaptureQueriesContext(connection) as queries:
        now = board_now(campaign=campaign)
    assert len(queries) <= 4  # PostgreSQL is asked for the time, too.
    assert (now.done, now.claimed, now.free, now.places) == (5, 1, 2, 8)
    assert now.last_day == 2 and sum(n for _at, n in now.hours) == 2 and len(now.hours) == 24
    assert now.today in (0, 2) or now.hours_today == 1.0  # The site's day may just have begun.
    # Who was imported works nowhere, and bob worked yesterday.
    assert [one.code for one in now.working] == [ben.code]


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
    exclusion_add(target=bob, reason="was asleep", actor=None)
    with CaptureQueriesContext(connection) as queries:
        rows = {one.pk: one for one in board_annotators(campaign=campaign)}
    assert len(queries) == 3
    assert rows[bob.pk].in_force and rows[bob.pk].last_at is not None
    assert rows[ben.pk].last_at is None and not rows[ben.pk].in_force


def test_alarms_have_thresholds_without_being_asked():
    watch = watch_of(campaign=make_campaign(items=1))
    assert (watch.quiet_hours, watch.expired_times, watch.mail_to) == (24, 2, "")
