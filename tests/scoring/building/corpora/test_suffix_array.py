"""Suffix arrays against sorting in plain Python."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.building import corpora
from scoring.building.corpora import suffix_array


def plainly_sorted(tokens, depth):
    padded = tokens + [0] * depth
    places = [at for at, token in enumerate(tokens) if token]
    return sorted(places, key=lambda at: (padded[at : at + depth], at))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(1, 9))
def test_few_words_repeated_often(tokens, depth):
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=depth)
    assert found.tolist() == plainly_sorted(tokens, depth)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from([0, 1, 2, 2**30, 2**31 - 1]), min_size=1, max_size=40),
    st.integers(1, 9),
)
@example([1, 0, 0, 2**30, 1], 3)  # Zeros, and the end, after the same word.
def test_doubling_where_a_key_holds_few_words(tokens, depth):
    """Two words of 31 bits fill a key, so that all depths beyond need rounds of doubling."""
    assert corpora._BITS // 31 == 2
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=depth)
    assert found.tolist() == plainly_sorted(tokens, depth)


def test_the_fifth_word_decides_in_the_second_round_of_doubling():
    tokens = [1, 1, 1, 1, 3, 1, 1, 1, 1, 2, 0, 2**31 - 1]
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=5)
    assert found.tolist() == plainly_sorted(tokens, 5)
