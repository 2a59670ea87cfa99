"""Counts of n-grams against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.corpora.reading import NumberedText
from scoring.building.language_model.counting import counted

SENTENCES = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=8).filter(
    any
)


def numbered(sentences: list[list[str]]) -> NumberedText:
    words = list(dict.fromkeys(word for one in sentences for word in one))
    tokens = [at for one in sentences for at in (*(words.index(word) + 1 for word in one), 0)]
    return NumberedText(words, np.array(tokens, dtype=np.int32))


@settings(max_examples=100)
@given(SENTENCES, st.integers(1, 5))
def test_every_ngram_between_the_marks_of_its_sentence(
    sentences: list[list[str]], order: int
) -> None:
    words, levels = counted(numbered(sentences), order)
    marked = [("<s>", *one, "</s>") for one in sentences if one]
    assert len(levels) == order
    ngrams = [(words[at],) for at in range(len(words))]
    for length, level in enumerate(levels, 1):
        plain = Counter(
            one[at : at + length] for one in marked for at in range(len(one) - length + 1)
        )
        if length > 1:
            shorter = ngrams
            prefixes = level.prefix(len(words)).tolist()
            lasts = (level.keys % len(words)).tolist()
            ngrams = [(*shorter[at], words[last]) for at, last in zip(prefixes, lasts, strict=True)]
            assert [shorter[at] for at in level.suffix.tolist()] == [one[1:] for one in ngrams]
        found = dict(zip(ngrams, level.counts.tolist(), strict=True))
        assert found == ({("<unk>",): 0} if length == 1 else {}) | plain
        assert level.at_begin.tolist() == [one[0] == "<s>" for one in ngrams]
        assert (np.diff(level.keys) > 0).all()
