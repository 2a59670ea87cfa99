"""Bar charts as data."""

from datetime import date

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.http.overview_cards import trend_lines
from scoring.models import TrendPoint
from scoring.templatetags.drawings import BINS, HEIGHT, LEAST, TOP, bars


def test_heights_are_proportional_and_end_on_one_line():
    found = bars({"1": 2, "2": 0, "3": 4}).bars
    assert [(bar.label, bar.n) for bar in found] == [("1", 2), ("2", 0), ("3", 4)]
    assert [float(bar.height) for bar in found] == [HEIGHT / 2, 0, HEIGHT]
    assert {float(bar.y) + float(bar.height) for bar in found} == {TOP + HEIGHT}
    assert sorted(bar.x for bar in found) == [bar.x for bar in found]


def test_negative_values_have_minus_signs_and_places_a_point():
    with translation.override("de"):
        [bar, _] = bars({"-0.5": 1, "0": 3}).bars
    assert bar.label.startswith("−0") and "," not in bar.y + bar.height + bar.middle


def test_nothing_to_count_is_no_error():
    for counts in ({}, {"1": 0}):
        chart = bars(counts)
        assert chart.width == LEAST and len(chart.bars) == len(counts)


@given(
    st.dictionaries(
        st.integers(-1000, 1000).map(lambda n: str(n / 8)), st.integers(0, 50), min_size=BINS + 1
    )
)
def test_many_values_are_binned_and_none_is_lost(counts):
    found = bars(counts).bars
    assert len(found) == BINS
    assert sum(bar.n for bar in found) == sum(counts.values())
    low, high = min(map(float, counts)), max(map(float, counts))
    first = sum(n for value, n in counts.items() if float(value) < low + (high - low) / BINS)
    assert found[0].n == first


def test_the_last_bin_holds_the_highest_value_too():
    found = bars({str(n): 1 for n in range(2 * BINS + 1)}).bars
    assert [bar.n for bar in found] == [2] * (BINS - 1) + [3]
    assert [bar.label for bar in found] == [str(2 * place) for place in range(BINS)]


# The course of alpha over the days, as lines with bands.


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
