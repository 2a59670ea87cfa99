"""Compact letters: two share one exactly if no test tells them apart."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.significance.swaps import compact_letters, letters_in


def shared(letters, a, b):
    return bool(set(letters_in(letters[a])) & set(letters_in(letters[b])))


def assert_exact(names, apart, letters):
    """The property that defines them."""
    told = {frozenset(pair) for pair in apart}
    assert list(letters) == list(names) and all(letters.values())
    for a, b in combinations(names, 2):
        assert shared(letters, a, b) != (frozenset((a, b)) in told)


@given(st.data(), st.integers(0, 9))
def test_two_share_a_letter_exactly_if_no_test_tells_them_apart(data, n):
    names = [f"S{at}" for at in range(n)]
    pairs = list(combinations(names, 2))
    apart = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [pair[::-1] if data.draw(st.booleans()) else pair for pair in apart]
    letters = compact_letters(names, turned)
    assert_exact(names, apart, letters)
    assert letters == compact_letters(names, apart[::-1])  # The order of the pairs is no matter.
    # No letter says what another one says already, none is skipped, and the best has the first.
    held = {}
    for name, text in letters.items():
        for letter in letters_in(text):
            held.setdefault(letter, set()).add(name)
    assert sorted(held) == list("abcdefghijklmnopqrstuvwxyz"[: len(held)])
    assert not any(one < other for one in held.values() for other in held.values())
    if names:
        assert letters[names[0]].startswith("a")


@pytest.mark.parametrize(
    ("ranked", "apart", "letters"),
    [
        # A gap: B differs from both of its neighbours, which are alike.
        ("ABC", [("A", "B"), ("B", "C")], {"A": "a", "B": "b", "C": "a"}),
        # Runs that overlap: the first three, the middle three, the last three.
        (
            ["T1", "T2", "T3", "T4", "T5"],
            [("T1", "T4"), ("T1", "T5"), ("T2", "T5")],
            {"T1": "a", "T2": "ab", "T3": "abc", "T4": "bc", "T5": "c"},
        ),
        # A pair with somebody who is not ranked says nothing here.
        ("AB", [("A", "X")], {"A": "a", "B": "a"}),
    ],
)
def test_small_cases_by_hand(ranked, apart, letters):
    assert compact_letters(list(ranked), apart) == letters


def test_many_letters_stay_few_and_exact():
    """Twenty pairs that each differ would need 2^20 columns; swept, fewer than there are pairs."""
    names = [f"S{at:02}" for at in range(40)]
    apart = list(zip(names[::2], names[1::2], strict=True))
    letters = compact_letters(names, apart)
    assert_exact(names, apart, letters)
    all_apart = compact_letters(names, combinations(names, 2))
    assert_exact(names, list(combinations(names, 2)), all_apart)
    assert (all_apart["S25"], all_apart["S26"], all_apart["S39"]) == ("z", "a2", "n2")
    assert letters_in("zab2c13") == ["z", "a", "b2", "c13"]


def test_a_name_that_is_given_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        compact_letters(["A", "A"], [])
