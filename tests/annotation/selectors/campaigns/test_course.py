"""The course of the work: places by hour, days of 24 hours back from now, in two queries."""

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Slot
from annotation.sheets.progress import HOUR, WorkCourse, work_course
from tests.factories import make_annotator, make_campaign, rate_all

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
    with CaptureQueriesContext(connection) as queries:
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
