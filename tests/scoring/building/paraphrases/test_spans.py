"""Extraction of phrase pairs against their definition."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.paraphrases.counting import extract
from tests.scoring.building.paraphrases.linked import (
    ENGLISH,
    FOREIGN,
    LINKS,
    PAIRS,
    as_linked,
    brute,
    texts,
)


def extracted(english, foreign, links, longest, blocks):
    text = as_linked(english, foreign, links)
    flat = [[word for words in side for word in words] for side in (english, foreign)]
    found = Counter()
    for first, last in blocks:
        pairs = extract(
            text.links,
            text.english.starts,
            text.foreign.starts,
            longest=longest,
            first=first,
            last=last,
        )
        columns = (
            pairs.english_start,
            pairs.english_length,
            pairs.foreign_start,
            pairs.foreign_length,
        )
        assert len(pairs) == len(columns[0])
        for e, n, f, m in zip(*(column.tolist() for column in columns), strict=True):
            found[" ".join(flat[0][e : e + n]), " ".join(flat[1][f : f + m])] += 1
    return found


def test_every_pair_of_the_example():
    assert extracted(ENGLISH, FOREIGN, LINKS, 5, [(0, 3)]) == PAIRS


@settings(max_examples=100)
@given(texts(), st.integers(1, 5), st.integers(0, 4))
def test_pairs_are_those_of_the_definition(text, longest, cut):
    blocks = [(0, min(cut, len(text[0]))), (min(cut, len(text[0])), len(text[0]))]
    assert extracted(*text, longest, blocks) == brute(*text, longest)


def test_free_words_of_the_next_sentence_are_none_of_this_one():
    text = [["a"], ["b"]], [["x"], ["y", "z"]], [[(0, 0)], [(0, 1)]]
    pairs = {("a", "x"): 1, ("b", "z"): 1, ("b", "y z"): 1}
    assert extracted(*text, 2, [(0, 2)]) == pairs
