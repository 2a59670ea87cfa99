"""The greedy search of TER for the block of words whose move saves most edits."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.metrics.overlap.ter_texts import assert_as_sacrebleu, random_pair


@settings(max_examples=150)
@given(st.integers(0, 10**9), st.sampled_from([6, 15, 24, 26]))
def test_blocks_are_moved_as_sacrebleu_moves_them(seed, most):
    assert_as_sacrebleu(*random_pair(random.Random(seed), most))


@pytest.mark.slow
def test_the_search_stops_where_sacrebleu_stops():
    # More than a thousand candidates for a move.
    rng = random.Random(5)
    assert_as_sacrebleu(*(" ".join(rng.choices("ab", k=40)) for _ in range(2)))
