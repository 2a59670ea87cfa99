"""Counts of words and of pairs of words: those of scikit-learn's CountVectorizer, in a third of
the time, for it makes a string of every pair in every text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
_TOKEN = re.compile(r"(?u)\b\w+\b")


class WordPairs:
    """The words and pairs of neighbouring words that `min_df` of the training texts have, in the
    order of the alphabet; ValueError if there are none."""

    def __init__(self, training: Sequence[str], *, min_df: int) -> None:
        numbers: dict[str, int] = {}
        words, text = _numbered(training, numbers, grow=True)
        self._numbers, self._n = numbers, len(numbers)
        codes, rows = self._grams(words, text)
        kept, column = np.unique(codes, return_inverse=True)
        each = np.unique(column * len(training) + rows)
        often = np.bincount(each // max(1, len(training)), minlength=len(kept)) >= min_df
        if not often.any():
            raise ValueError("no words are left")
        kept = kept[often]
        names = list(numbers)
        spelt = [
            names[code] if code < self._n else f"{names[first]} {names[second]}"
            for code, first, second in zip(
                kept.tolist(), (kept // self._n - 1).tolist(), (kept % self._n).tolist(),
                strict=True,
            )
        ]  # fmt: skip
        order = sorted(range(len(kept)), key=spelt.__getitem__)
        place = np.empty(len(kept), dtype=np.int64)
        place[order] = np.arange(len(kept))
        self._codes, self._place = kept, place
        self.training: Any = self._matrix(codes, rows, len(training))

    def of(self, texts: Sequence[str]) -> Any:
        """A sparse matrix of counts with a row for each text."""
        words, text = _numbered(texts, self._numbers, grow=False)
        return self._matrix(*self._grams(words, text), len(texts))

    def _grams(self, words: Ints, text: Ints) -> tuple[Ints, Ints]:
        """Codes of words and pairs, and the text of each: a word is its number, from 0; a pair is
        (first + 1) * words + second. Unknown words, of number -1, are left out."""
        pair = (text[1:] == text[:-1]) & (words[1:] >= 0) & (words[:-1] >= 0)
        known = words >= 0
        codes = ((words[:-1] + 1) * self._n + words[1:])[pair]
        return (
            np.concatenate([words[known], codes]),
            np.concatenate([text[known], text[1:][pair]]),
        )

    def _matrix(self, codes: Ints, rows: Ints, n: int) -> Any:
        from scipy.sparse import csr_matrix

        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        here = self._codes[at] == codes
        ones = np.ones(int(here.sum()))
        shape = (n, len(self._codes))
        # Equal places are summed.
        return csr_matrix((ones, (rows[here], self._place[at[here]])), shape=shape)


def _numbered(texts: Sequence[str], numbers: dict[str, int], *, grow: bool) -> tuple[Ints, Ints]:
    """The numbers of all words (-1: unknown) and the text that each is of."""
    cut = [_TOKEN.findall(text.lower()) for text in texts]
    every = chain.from_iterable(cut)
    if grow:
        found = [numbers.setdefault(word, len(numbers)) for word in every]
    else:
        found = [numbers.get(word, -1) for word in every]
    lengths = [len(words) for words in cut]
    return np.array(found, dtype=np.int64), np.repeat(np.arange(len(texts)), lengths)
