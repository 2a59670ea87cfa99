"""Suffix arrays over words, by prefix doubling (Manber and Myers 1993) to a limited depth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DEPTH = 8  # Words by which suffixes are sorted: as many as phrases that are looked up often have.
_BITS = 62  # Of a sort key, which stays positive in 64 bits.

Positions = NDArray[np.int32] | NDArray[np.int64]


def suffix_array(tokens: NDArray[np.int32], *, depth: int = DEPTH) -> Positions:
    """The positions of all words in the order of the `depth` words that begin there, then of the
    position. Positions of sentence ends (0 in `tokens`) are left out.

    Beyond the last token there are zeros. int32, or int64 for a text of over 2^31 tokens. Sorts
    by as many words as fit a key, then doubles: O(n log n) each round, about 24 bytes a token.
    """
    n = len(tokens)
    width = max(1, int(tokens.max(initial=0)).bit_length())
    sorted_by = min(depth, max(1, _BITS // width))
    keys = np.zeros(n, dtype=np.int64)
    for shift in range(sorted_by):
        keys <<= width
        keys[: max(0, n - shift)] += tokens[shift:]
    order = np.argsort(keys, kind="stable")
    while sorted_by < depth:
        ranks = _ranks(keys, order)
        shift = min(sorted_by, depth - sorted_by)
        keys[:] = ranks
        keys *= int(ranks.max()) + 1
        keys[: max(0, n - shift)] += ranks[shift:]
        del ranks
        order = np.argsort(keys, kind="stable")
        sorted_by += shift
    kept = order[int(np.count_nonzero(tokens == 0)) :]
    return kept.astype(np.int32) if n < 2**31 else kept


def _ranks(keys: NDArray[np.int64], order: NDArray[np.int64]) -> Positions:
    """The rank of each position (equal keys share one): 0 are zeros alone, as past the end."""
    ordered = keys[order]
    steps = np.empty(len(keys), dtype=np.int32 if len(keys) < 2**31 else np.int64)
    steps[0] = ordered[0] != 0
    steps[1:] = ordered[1:] != ordered[:-1]
    np.cumsum(steps, out=steps)
    ranks = np.empty_like(steps)
    ranks[order] = steps
    return ranks
