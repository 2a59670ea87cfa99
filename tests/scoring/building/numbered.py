"""Small texts: their words as numbers, and their n-grams counted plainly."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from scoring.building.corpora import NumberedText

SENTENCES = st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=1, max_size=8).filter(
    any
)


def numbered(sentences):
    words = list(dict.fromkeys(word for one in sentences for word in one))
    tokens = [at for one in sentences for at in (*(words.index(word) + 1 for word in one), 0)]
    return NumberedText(words, np.array(tokens, dtype=np.int32))


def ngrams(sentences, longest, shortest=1):
    return Counter(
        tuple(one[at : at + length])
        for one in sentences
        for length in range(shortest, longest + 1)
        for at in range(len(one) - length + 1)
    )
