"""The greedy search of TER for the block of words whose move saves most edits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from tests.scoring.metrics.overlap.ter_texts import random_pair, ter


@settings(max_examples=150)
@given(st.integers(0, 10**9), st.sampled_from([6, 15, 24, 26]))
def test_blocks_are_moved_as_sacrebleu_moves_them(seed, most):
    text, reference = random_pair(random.Random(seed), most)
    expected = TER().sentence_score(text, [reference]).score
    assert ter(text, [reference]).value == pytest.approx(expected, abs=1e-9)


def test_the_search_stops_where_sacrebleu_stops():
    # More than a thousand candidates for a move.
    rng = random.Random(5)
    text, reference = (" ".join(rng.choice("ab") for _ in range(40)) for _ in range(2))
    expected = TER().sentence_score(text, [reference]).score
    assert ter(text, [reference]).value == pytest.approx(expected, abs=1e-9)
