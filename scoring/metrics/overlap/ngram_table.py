"""A table of n-gram counts of a campaign's texts: 12 bytes each, looked up by hash."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.resources.text_index import Hashes, as_hashes, raw_bytes, raw_hash
from scoring.metrics.texts import Tokens
from scoring.metrics.values import MADE_EARLIER

# Base of a polynomial hash modulo 2^64: any odd number with mixed bits will do.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """Counts of all words of some texts, and of the longer n-grams that occur at least twice.

    A missing n-gram of known words occurs once. `words` is the total number of words, `hashes`
    (uint64, ascending) covers n-grams of all orders, `counts` (uint32) are their counts. Two
    n-grams with the same hash would be counted as one: among a million, the probability of any
    collision is 3 in 100 million.
    """

    words: int
    hashes: Hashes
    counts: NDArray[np.uint32]

    def find(self, text: Tokens, orders: int) -> list[list[int]]:
        """For each order that the text is long enough for, the counts of its n-grams by position; 0
        for those not in the table."""
        words = row = as_hashes(_raw_hashes(text))
        rows = [words]
        for order in range(1, min(orders, len(text))):
            row = row[:-1] * _FACTOR + words[order:]
            rows.append(row)
        wanted = np.concatenate(rows)
        places = self.hashes.searchsorted(wanted)
        known = self.hashes.take(places, mode="clip") == wanted
        counts = (self.counts.take(places, mode="clip") * known).tolist()
        found, start = [], 0
        for end in accumulate(map(len, rows)):
            found.append(counts[start:end])
            start = end
        return found

    def as_json(self) -> dict[str, object]:
        """The table as JSON, with arrays in base64, the most compact form."""
        return {
            "words": self.words,
            "hashes": b64encode(self.hashes.astype("<u8").tobytes()).decode(),
            "counts": b64encode(self.counts.astype("<u4").tobytes()).decode(),
        }

    @classmethod
    def of_json(cls, state: Any) -> NgramTable:
        """The table that `as_json` wrote; ValueError for any other form."""
        if not isinstance(state, dict) or state.keys() != {"words", "hashes", "counts"}:
            raise ValueError(MADE_EARLIER)
        return cls(
            state["words"],
            as_hashes(b64decode(state["hashes"])),
            np.frombuffer(b64decode(state["counts"]), dtype="<u4").astype(np.uint32),
        )


EMPTY = NgramTable(0, np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint32))


def count_ngrams(texts: Iterable[Tokens], orders: int) -> NgramTable:
    """Count the n-grams of any number of texts; 8 bytes are kept per word."""
    hashes = bytearray()
    lengths = []
    for text in texts:
        hashes += _raw_hashes(text)
        lengths.append(len(text))
    if not hashes:
        return EMPTY
    words = as_hashes(hashes)
    ends = np.repeat(np.cumsum(lengths), lengths).astype(np.uint32)
    kinds, counts = np.unique(words, return_counts=True)
    found, times = [kinds], [counts]
    places, ngrams = np.arange(len(words), dtype=np.uint32), words
    for order in range(1, orders):
        # An n-gram whose prefix occurs once occurs once.
        further = _among(ngrams, kinds[counts > 1]) & (places + order < ends[places])
        places = places[further]
        ngrams = ngrams[further] * _FACTOR + words[places + order]
        kinds, counts = np.unique(ngrams, return_counts=True)
        found.append(kinds[counts > 1])
        times.append(counts[counts > 1])
    hashed = np.concatenate(found)
    ascending = np.argsort(hashed)
    return NgramTable(
        len(words), hashed[ascending], np.concatenate(times)[ascending].astype(np.uint32)
    )


def _among(ngrams: Hashes, kinds: Hashes) -> NDArray[np.bool_]:
    if not len(kinds):
        return np.zeros(len(ngrams), dtype=bool)
    known: NDArray[np.bool_] = kinds.take(kinds.searchsorted(ngrams), mode="clip") == ngrams
    return known


def _raw_hashes(text: Tokens) -> bytes:
    return b"".join(map(_word_hash, text))


@lru_cache(maxsize=8192)
def _word_hash(word: str) -> bytes:
    return raw_hash(raw_bytes(word))
