"""The n-grams of a text with their counts, by order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.corpora.reading import NumberedText
from scoring.metrics.resources.language_model import BEGIN, END, UNKNOWN, Keys
from scoring.metrics.resources.text_index import TextIndex, index_of

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CountedLevel:
    """The distinct n-grams of one order, sorted by `keys` (see `Level`).

    `counts` are their occurrences; `suffix` is the index, one order below, of each without its
    first word; `at_begin` is true where the first word is `<s>`.
    """

    keys: Keys
    counts: Numbers
    suffix: Numbers
    at_begin: NDArray[np.bool_]

    def prefix(self, n_words: int) -> Numbers:
        """The index, one order below, of each without its last word."""
        return self.keys // n_words

    def __len__(self) -> int:
        return len(self.keys)


def counted(text: NumberedText, order: int) -> tuple[TextIndex, list[CountedLevel]]:
    """The vocabulary with `<s>`, `</s>` and `<unk>`, and the n-grams of orders 1 to `order`.

    A sentence is `<s> words </s>`; lines without words are left out. Order 1 has every word of the
    vocabulary, `<unk>` with 0. Takes about 40 bytes a word of the text.
    """
    words, ids = index_of([END, *text.words, BEGIN, UNKNOWN])
    begin = int(ids[-2])
    stream, within = _stream(text.tokens, ids[:-2], begin)
    numbers = np.arange(len(words), dtype=np.int64)
    counts = np.bincount(stream, minlength=len(words)).astype(np.int64)
    levels = [CountedLevel(numbers, counts, np.zeros_like(numbers), numbers == begin)]
    # By place in the stream: the n-gram of the order below that ends there.
    below, places = stream, np.arange(len(stream), dtype=np.int32)
    for length in range(2, order + 1):
        places = places[within[places] >= length - 1]
        keys = below[places - 1].astype(np.int64) * len(words) + stream[places]
        level, found = _level(keys, below[places], levels[-1].at_begin, len(words))
        levels.append(level)
        if length < order:
            below = np.full(len(stream), -1, dtype=np.int32)
            below[places] = found
    return words, levels


def _stream(
    tokens: NDArray[np.int32], ids: NDArray[np.int32], begin: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The text with `<s>` before each sentence and `</s>`, which is ids[0], after it; and the place
    of each within its sentence."""
    before = np.concatenate((np.zeros(1, np.int32), tokens[:-1]))
    tokens = tokens[(tokens != 0) | (before != 0)]
    is_first = np.concatenate(([True], tokens[:-1] == 0))
    places = np.arange(len(tokens)) + np.cumsum(is_first)
    stream = np.full(len(tokens) + int(is_first.sum()), begin, dtype=np.int32)
    stream[places] = ids[tokens]
    starts = places[is_first] - 1
    lengths = np.diff(starts, append=len(stream))
    within = np.arange(len(stream), dtype=np.int32) - np.repeat(starts, lengths).astype(np.int32)
    return stream, within


def _level(
    keys: Keys, below: NDArray[np.int32], at_begin: NDArray[np.bool_], n_words: int
) -> tuple[CountedLevel, NDArray[np.int32]]:
    """The distinct n-grams among these, and the index of each; `below` has their suffixes."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = keys[1:] != keys[:-1]
    found = np.empty(len(keys), dtype=np.int32)
    found[order] = np.cumsum(is_new, dtype=np.int32) - 1
    firsts = np.flatnonzero(is_new)
    keys = keys[firsts]
    return CountedLevel(
        keys,
        np.diff(firsts, append=len(order)),
        below[order[firsts]].astype(np.int64),
        at_begin[keys // n_words],
    ), found
