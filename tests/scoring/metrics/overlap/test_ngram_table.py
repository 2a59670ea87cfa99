"""The counts of n-grams beside those of a counter."""

import pytest

from scoring.metrics.overlap.nist import EMPTY, count_ngrams


@pytest.mark.parametrize("texts", [[], [()], [(), ()]])
def test_nothing_counted_knows_nothing(texts):
    table = count_ngrams(texts, 5)
    assert table.words == 0
    assert table.find(("a", "b"), 5) == EMPTY.find(("a", "b"), 5) == [[0, 0], [0]]
