"""CodeCounts of phrase pairs."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.paraphrases import counting
from scoring.building.paraphrases.counting import count, count_pairs
from tests.scoring.building.paraphrases.linked import as_linked, brute, texts


def as_dict(text, found):
    names = zip(text.english.texts(found.english), text.foreign.texts(found.foreign), strict=True)
    return dict(zip(names, found.times.tolist(), strict=True))


@given(texts())
def test_counts_are_those_of_the_definition(text):
    linked = as_linked(*text)
    assert as_dict(linked, count_pairs(linked, longest=5)) == brute(*text, 5)


@given(st.lists(st.lists(st.integers(0, 5)), max_size=20))
def test_parts_are_counted_as_one(parts):
    found = count(np.array(part, dtype=np.int64) for part in parts)
    every = Counter(code for part in parts for code in part)
    assert dict(zip(found.codes.tolist(), found.times.tolist(), strict=True)) == every
    assert found.codes.tolist() == sorted(every)


def test_blocks_of_sentences_change_no_count(monkeypatch):
    text = ([["a", "b", "c"]] * 5, [["x", "y"]] * 5, [[(0, 1), (2, 0)]] * 5)
    whole = count_pairs(as_linked(*text), longest=3)
    monkeypatch.setattr(counting, "_BLOCK", 2)
    parts = count_pairs(as_linked(*text), longest=3)
    assert parts.times.tolist() == whole.times.tolist() != []
    assert parts.english.tolist() == whole.english.tolist()
