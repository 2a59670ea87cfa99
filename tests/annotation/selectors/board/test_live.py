"""What the board reads at every poll, in a constant number of statements."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.board.queries import board_annotators, board_now
from annotation.models import Annotator, Participant
from annotation.panels.services import panel_create
from annotation.people.exclusions import exclusion_add
from paraanno import clock
from tests.factories import make_annotator, make_campaign, rate_all


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
