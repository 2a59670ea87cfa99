"""The overview of a campaign: the drawn course, what is told of the end, needs by urgency."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.access import Rights
from annotation.campaigns import overview
from annotation.campaigns.overview import (
    Need,
    WorkNow,
    end_told,
    needs_of,
    pace_told,
    progress_chart,
    work_now,
)
from annotation.models import Annotator, BoardFigures, Campaign
from annotation.sheets.progress import WorkCourse

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def course(days, places):
    """Each day's work in one hour, the newest an hour ago."""
    hours = tuple(
        (NOW - timedelta(days=len(days) - 1 - at, hours=1), n) for at, n in enumerate(days) if n
    )
    return WorkCourse(NOW, places, sum(days), hours)


def test_the_fan_opens_from_now_and_ends_at_the_goal():
    work = course([0, 12, 8, 11, 9, 10], 100)
    found = work.forecast()
    chart = progress_chart(work, found)
    assert found is not None and found.late is not None and chart is not None
    assert chart.fan.endswith("Z") and chart.expected_line.startswith("M")
    assert chart.end_x is not None and chart.now_x < chart.end_x
    assert chart.goal == "0.00%" and chart.now_y == "50.00%"
    assert "0.00" in chart.fan  # The upper end reaches the goal.
    assert end_told(work, found)[1].startswith("80 %: ")
    assert pace_told(found)[0] == "10"


def test_a_short_course_is_drawn_without_an_end():
    work = course([5], 10)
    chart = progress_chart(work, work.forecast())
    assert chart is not None and (chart.fan, chart.expected_line, chart.end_x) == ("", "", None)
    assert "three days" in end_told(work, None)[1] and pace_told(None) == ("–", "")
    assert progress_chart(course([], 10), None) is None


def test_a_far_end_is_cut_off():
    work = course([0, 0, 0, 0, 1, 0, 0, 1], 100_000)
    chart = progress_chart(work, work.forecast())
    assert chart is not None and chart.end_x is None and chart.expected_line


@pytest.mark.parametrize(
    ("places", "done", "told"), [(0, 0, "not opened"), (5, 5, "everything is done")]
)
def test_no_end_where_nothing_is_left(places, done, told):
    assert told in end_told(WorkCourse(NOW, places, done, ()), None)[1]


def test_what_goes_on_now_is_told_of_the_stored_figures():
    person = {"texts": 10, "seconds": 200, "places": 5}
    idle = {"texts": 0, "seconds": 0, "places": 40}  # Of a file: nobody knows how long it took.
    figures = BoardFigures(numbers={"people": {"1": person, "2": idle, "3": person}})
    people = [Annotator(code=code) for code in ("A", "B", "C", "D")]
    told = work_now(course([4], 34), people, figures)
    assert told == WorkNow(people=4, codes="A, B, C…", seconds="20.0", left="about 20 min")
    assert work_now(course([4], 1004), [], figures).left == "about 11 h"
    assert work_now(course([4], 34), [], None) == WorkNow(0, "", "–", "–")


def test_the_most_urgent_stands_first_and_only_what_one_may_do(
    monkeypatch,
):
    needs = [
        Need("later", "a", "", "runs", "Run"),
        Need("now", "b", "", "quality", "Decide", "research"),
        Need("soon", "c", "", "people", "Invite"),
    ]
    ask = [lambda courses: [(campaign, need) for campaign in courses for need in needs]]
    monkeypatch.setattr(overview, "NEEDS", ask)
    for role, wanted in (("owner", "bca"), ("viewer", "ca")):
        campaign = Campaign(pk=1)
        found = needs_of(
            courses={campaign: course([], 0)}, rights={campaign: Rights(role, site_admin=False)}
        )
        assert "".join(need.sentence for _one, need in found) == wanted
        assert [need.sign for _one, need in found][-1] == "•"
