"""An annotator's own page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from annotation.models import JudgmentVersion
from annotation.sheets.own_work import own_day, own_work, work_of
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_all

PAGE = "/rate/camp/own/"
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def at(*minutes):
    return [NOON + timedelta(minutes=one) for one in minutes]


@pytest.mark.parametrize(
    ("times", "minutes", "seconds_each"),
    [
        (at(), 0, None),
        (at(0), 0, None),
        (at(0, 1, 2), 2, 60),
        (at(0, 1, 7, 8), 2, 40),  # six minutes are a pause, and one gap less is work
        (at(0, 5), 5, 300),
    ],
)
def test_work_is_the_time_between_saves_without_pauses(times, minutes, seconds_each):
    work = work_of(times)
    assert (work.saves, work.minutes, work.seconds_each) == (len(times), minutes, seconds_each)


def spread(annotator, *times):
    """The annotator's saves, one after the other, at these times."""
    saves = JudgmentVersion.objects.filter(judgment__annotator=annotator).order_by("pk")
    for one, time in zip(saves, times, strict=True):
        JudgmentVersion.objects.filter(pk=one.pk).update(recorded_at=time)


@pytest.fixture
def bob():
    """With two sheets of four answers each."""
    bob = make_annotator(make_campaign(items=2, k=1))
    assert rate_all(bob) == 2
    return bob


def test_today_and_the_session_by_the_servers_clock(bob):
    spread(bob, *at(-1442, -1441, -200, -199, -10, -9, -8, -7))
    work = own_work(annotator=bob, now=NOON)
    assert (work.recent.saves, work.today.saves, work.session.saves) == (8, 6, 4)
    assert own_work(annotator=bob, now=NOON + timedelta(hours=1)).session.saves == 0


def test_the_day_in_one_look(bob):
    spread(bob, *at(-1500, -1499, -1498, -1497, -180, -179, -100, -98))
    for slot, time in zip(bob.slots.order_by("pk"), at(-1497, -98), strict=True):
        bob.slots.filter(pk=slot.pk).update(done_at=time)
    day = own_day(annotator=bob, work=own_work(annotator=bob, now=NOON), now=NOON)
    assert (day.work.began, day.sheets, day.substitutions, day.cannot) == (at(-180)[0], 1, 2, 0)
    assert (day.work.minutes, day.seconds_each, day.sheets_an_hour) == (3, 90, 20)
    later = NOON + timedelta(days=1)
    empty = own_day(annotator=bob, work=own_work(annotator=bob, now=later), now=later)
    assert (empty.work.began, empty.seconds_each, empty.sheets_an_hour) == (None, None, None)
    assert "Nothing yet today." in text_of(client_of("bob").get(PAGE))


def test_the_queries_do_not_grow(bob, django_assert_max_num_queries):
    client = client_of("bob")
    asks_the_clock = connection.vendor == "postgresql"
    with django_assert_max_num_queries(20 + 2 * asks_the_clock):
        client.get(PAGE)
