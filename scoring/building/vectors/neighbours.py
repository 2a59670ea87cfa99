"""The nearest words of many words at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.resources.vectors import Vectors

MOST_RANKS = 3
_BLOCK = 1000  # Words compared with the vocabulary at a time,
_CELLS = 2**25  # or fewer, so that their cosines take at most 128 MB.


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Row r belongs to word r of those asked for: `rows` (n, k) are rows of the vectors, the
    nearest first, and `cosines` (n, k) float32 are to these."""

    rows: NDArray[np.int64]
    cosines: NDArray[np.float32]


def nearest(
    vectors: Vectors, asked: Sequence[int], *, k: int = MOST_RANKS,
    progress: Callable[[float], None] = lambda share: None,
) -> Nearest:  # fmt: skip
    """The k words nearest to each row asked for, by cosine, without the word itself; a row may be
    that of a word made of subwords.

    Words at the same cosine stand in the order of the vectors, so that the result is one.
    O(asked x vocabulary x size). ValueError if the vocabulary has no k other words.
    """
    matrix = vectors.matrix
    if len(matrix) <= k:
        raise ValueError(f"{len(matrix)} words have no {k} others each")
    rows = np.empty((len(asked), k), dtype=np.int64)
    cosines = np.empty((len(asked), k), dtype=np.float32)
    step = max(1, min(_BLOCK, _CELLS // len(matrix)))
    for start in range(0, len(asked), step):
        mine = np.array(asked[start : start + step], dtype=np.intp)
        near = vectors.of(mine.tolist()) @ matrix.T
        inside = np.flatnonzero(mine < len(matrix))
        near[inside, mine[inside]] = -np.inf
        block = slice(start, start + len(mine))
        rows[block] = found = _first(near, k)
        cosines[block] = np.take_along_axis(near, found, axis=1)
        progress((start + len(mine)) / len(asked))
    return Nearest(rows, cosines)


def _first(near: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The columns of the k greatest values of each row; of equal values the first columns."""
    place = near.shape[1] - k
    least = np.partition(near, place, axis=1)[:, place]
    row, column = np.nonzero(near >= least[:, None])  # More than k where some are equal.
    order = np.lexsort((column, -near[row, column], row))
    row, column = row[order], column[order]
    starts = np.searchsorted(row, np.arange(len(near)))
    first: NDArray[np.int64] = column[starts[:, None] + np.arange(k)]
    return first
