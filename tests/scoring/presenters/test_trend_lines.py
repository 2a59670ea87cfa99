"""The course of alpha over the days, as lines with bands."""

from datetime import date

from scoring.http.overview_cards import trend_lines
from scoring.models import TrendPoint


def point(day, **numbers):
    return TrendPoint(day=date(2026, 11, day), kind="agreement", numbers=numbers)


def test_lines_run_over_days_and_skip_what_is_undefined():
    found = trend_lines(
        [
            point(1, M=[0.5, 0.4, 0.6, "a"], G=[None, None, None, "a"]),
            point(5, M=[0.6, 0.5, 0.7, "a"], G=[0.7, None, None, "a"]),
            point(11, M=[0.8, 0.7, 0.9, "a"], G=[0.6, 0.5, 0.7, "a"], X=[0.1, 0.0, 0.2, "a"]),
        ]
    )
    assert found is not None
    first, second = found.lines  # Two lines at most.
    assert first.line.startswith("M0.00 ") and "L40.00 " in first.line
    assert second.line.startswith("M40.00 ") and second.band.startswith("M100.00 ")
    assert found.summary == "M: .50, .60, .80; G: .70, .60"
    assert (found.first, found.last) == ("1 Nov", "11 Nov")


def test_one_day_is_no_line():
    assert trend_lines([point(1, M=[0.5, 0.4, 0.6, "a"])]) is None
    nothing = [point(day, M=[None, None, None, "a"]) for day in (1, 2)]
    assert trend_lines(nothing) is None
