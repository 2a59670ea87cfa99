"""Bar charts as data."""

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

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
