"""The board's drawings and sentences, from numbers of a made-up day."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.access import Rights
from annotation.board.page import board_view
from annotation.board.queries import BoardNow
from annotation.models import Annotator, BoardFigures, Campaign

NOW = datetime(2026, 11, 22, 12, 30, tzinfo=UTC)
HOURS = [NOW.replace(minute=0) - timedelta(hours=ago) for ago in reversed(range(24))]
RESEARCHER = Rights("researcher", False)


def view(counts=None, status="open", **numbers):
    """`counts` by the number of the hour, 23 is now."""
    given = counts or {}
    bob = Annotator(code="a-1")
    bob.last_at = NOW - timedelta(minutes=2, seconds=50)
    now = BoardNow(
        NOW,
        30,
        10,
        60,
        tuple((at, given.get(n, 0)) for n, at in enumerate(HOURS)),
        sum(given.values()),
        5,
        (bob,),
    )
    campaign = Campaign(slug="camp", status=status)
    figures = BoardFigures(numbers=numbers, made_at=NOW) if numbers else None
    return board_view(
        campaign=campaign, rights=RESEARCHER, now=now, people=[], figures=figures, alarms=[]
    )


def test_places_and_pace():
    board = view({23: 8, 20: 40})
    assert (board.places, board.share) == (100, "60 %")
    assert (board.done_until, board.claimed_until) == ("60.00%", "70.00%")
    assert (board.last_day, board.last_day_pace, board.today) == (48, "2.0", 5)
    assert board.summary == "60 % of the assignments are done. 1 person is working."


def test_hours_are_bars_beside_those_of_a_week_before():
    week = {(HOURS[20] - timedelta(days=7)).isoformat(): 20}
    hours = view({23: 10, 20: 40}, hours=week).hours
    assert len(hours.bars) == 24
    assert [hours.bars[at].height for at in (3, 20, 23)] == ["0.00%", "100.00%", "25.00%"]
    assert hours.bars[20].before_height == "50.00%"
    assert hours.summary.startswith("Assignments done in each of the last 24 hours; the most, 40")
    assert view().hours.summary == "No assignment was done in the last 24 hours."
    assert [name for _y, name in view({23: 7}).hours.ticks] == ["0", "5"]


def test_the_end_is_told_with_its_range():
    end = {"at": NOW.isoformat(), "days": 7.0, "early": 5.0, "late": 11.0}
    assert view(end=end).end == ("29 Nov", "80 %: 27 Nov – 3 Dec")
    assert view(end=end | {"late": None}).end[1] == "80 %: from 27 Nov, with no latest end"
    assert view(end=None).end == ("–", "three days of judging are needed")


@pytest.mark.parametrize(("status", "live"), [("open", True), ("paused", True), ("closed", False)])
def test_it_is_live_until_the_campaign_is_closed(status, live):
    assert view(status=status).live is live
