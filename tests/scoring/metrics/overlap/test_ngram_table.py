"""The counts of n-grams beside those of a counter."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics.overlap.nist import EMPTY, NgramTable, count_ngrams

WORD = st.sampled_from(["a", "b", "c", "ab", "é", "🙂", "\ud800", "한국", "a" * 5000])
TEXTS = st.lists(st.lists(WORD, max_size=8).map(tuple), max_size=8)


def counter(texts, orders):
    return Counter(
        text[at : at + order]
        for text in texts
        for order in range(1, orders + 1)
        for at in range(len(text) - order + 1)
    )


@given(TEXTS, TEXTS, st.integers(1, 9))
def test_words_are_counted_and_longer_ngrams_from_two_on(texts, others, orders):
    table = NgramTable.of_json(json.loads(json.dumps(count_ngrams(texts, orders).as_json())))
    counts = counter(texts, orders)
    assert table.words == sum(map(len, texts))
    for text in filter(None, [*texts, *others]):
        found = table.find(text, orders)
        assert len(found) == min(orders, len(text))
        for order, row in enumerate(found, 1):
            each = [counts[text[at : at + order]] for at in range(len(text) - order + 1)]
            assert row == [n if n > 1 or order == 1 else 0 for n in each]


@pytest.mark.parametrize("texts", [[], [()], [(), ()]])
def test_nothing_counted_knows_nothing(texts):
    table = count_ngrams(texts, 5)
    assert table.words == 0
    assert table.find(("a", "b"), 5) == EMPTY.find(("a", "b"), 5) == [[0, 0], [0]]
