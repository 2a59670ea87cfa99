"""Counts of n-grams against plain counting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.language_model import counted
from tests.scoring.building.numbered import SENTENCES, ngrams, numbered


@settings(max_examples=100)
@given(SENTENCES, st.integers(1, 5))
def test_every_ngram_between_the_marks_of_its_sentence(sentences, order):
    words, levels = counted(numbered(sentences), order)
    marked = [("<s>", *one, "</s>") for one in sentences if one]
    assert len(levels) == order
    grams = [(words[at],) for at in range(len(words))]
    for length, level in enumerate(levels, 1):
        plain = ngrams(marked, length, length)
        if length > 1:
            shorter = grams
            prefixes = level.prefix(len(words)).tolist()
            lasts = (level.keys % len(words)).tolist()
            grams = [(*shorter[at], words[last]) for at, last in zip(prefixes, lasts, strict=True)]
            assert [shorter[at] for at in level.suffix.tolist()] == [one[1:] for one in grams]
        found = dict(zip(grams, level.counts.tolist(), strict=True))
        assert found == ({("<unk>",): 0} if length == 1 else {}) | plain
        assert level.at_begin.tolist() == [one[0] == "<s>" for one in grams]
        assert (np.diff(level.keys) > 0).all()
