"""Paraphrases by pivoting: two English phrases that are aligned with the same foreign phrase.

    p(e2 | e1) = sum over foreign phrases f of p(f | e1) p(e2 | f)

(Bannard and Callison-Burch, 2005), and of several texts the mean over all of them (Callison-Burch,
2008), also where a phrase is not in one. With a syntactic label s of the English phrase, all
counts are those of phrases with this label: p(e2 | e1, s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
LEAST = 0.001
MOST = 50  # Paraphrases of a phrase.
_ENTRIES = 20_000_000  # Of a block of rows of the product, at most: about 400 MB.


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """CodeCounts of one text: `left[r]` (an English phrase, or one with a label) was aligned with
    `right[r]` (a foreign phrase, or one with a label) `times[r]` times; each pair is one row."""

    left: Ints
    right: Ints
    times: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """Row by row: a phrase, its paraphrase, and p(paraphrase | phrase); sorted by phrase, then
    the most probable first, then by the number of the paraphrase."""

    phrase: Ints
    paraphrase: Ints
    probability: Floats

    def __len__(self) -> int:
        return len(self.phrase)


def pivot(
    texts: Sequence[Aligned], size: int, *, least: float = LEAST, most: int = MOST,
    min_count: int = 1, rows: Ints | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Iterator[Paraphrases]:  # fmt: skip
    """Yield the paraphrases of `rows` (default: of all phrases), block by block.

    Phrases are numbers below `size` that mean the same in all texts; the probability is the mean
    over the texts, 0 for one without the phrase. Entries below `least` are left out, and all but
    the `most` greatest of a phrase (0: none is). A pair that was seen fewer than `min_count` times
    in a text is left out, but counts in the denominators. Without cuts the probabilities of a
    phrase, with that of itself, sum to the share of texts that have it. Memory is bounded whatever
    the size.
    """
    forth, back = _matrices(texts, size, min_count)
    asked = np.flatnonzero(np.diff(forth.indptr)) if rows is None else rows
    # The entries of a row of the product are at most the sum over its foreign phrases.
    joined = (forth != 0).astype(np.int64) @ np.diff(back.indptr).astype(np.int64)
    bound = np.cumsum(joined[asked])
    start = 0
    while start < len(asked):
        before = int(bound[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(bound, before + _ENTRIES, side="right")))
        yield _cut((forth[asked[start:stop]] @ back).tocoo(), asked[start:stop], least, most)
        progress(stop / len(asked))
        start = stop


def mutual(rows: Paraphrases, size: int) -> Paraphrases:
    """The rows whose paraphrase has the phrase among its own paraphrases too.

    Of the paraphrases of a rare phrase many are frequent phrases of another meaning, which a fault
    of the alignment joins with it; among those of the frequent phrase the rare one is not.
    """
    codes = rows.phrase * size + rows.paraphrase
    kept = np.isin(codes, rows.paraphrase * size + rows.phrase)
    return Paraphrases(rows.phrase[kept], rows.paraphrase[kept], rows.probability[kept])


def _matrices(texts: Sequence[Aligned], size: int, min_count: int) -> tuple[Any, Any]:
    """p(f | e), divided by the number of texts, and p(e | f). Foreign phrases of different
    texts are different columns, so that one product sums over texts."""
    from scipy.sparse import csr_array

    left, right, forth, back = [], [], [], []
    width = 0
    for text in texts:
        of_left = np.bincount(text.left, text.times, minlength=size)
        distinct, mine = np.unique(text.right, return_inverse=True)
        of_right = np.bincount(mine, text.times, minlength=len(distinct))
        kept = text.times >= min_count
        left.append(text.left[kept])
        right.append(mine[kept] + width)
        forth.append((text.times / of_left[text.left])[kept])
        back.append((text.times / of_right[mine])[kept])
        width += len(distinct)
    rows, columns = np.concatenate(left), np.concatenate(right)
    share = np.concatenate(forth) / len(texts)
    return (
        csr_array((share, (rows, columns)), shape=(size, width)),
        csr_array((np.concatenate(back), (columns, rows)), shape=(width, size)),
    )


def _cut(product: Any, rows: Ints, least: float, most: int) -> Paraphrases:
    """The rows of a product without phrases that are their own paraphrases."""
    phrase = rows[product.row]
    other = product.col.astype(np.int64)
    value = np.minimum(product.data, 1.0)
    kept = (phrase != other) & (value >= least)
    phrase, other, value = phrase[kept], other[kept], value[kept]
    order = np.lexsort((other, -value, phrase))
    phrase, other, value = phrase[order], other[order], value[order]
    if most:
        first = np.flatnonzero(np.diff(phrase, prepend=-1))
        rank = np.arange(len(phrase)) - np.repeat(first, np.diff(first, append=len(phrase)))
        kept = rank < most
        phrase, other, value = phrase[kept], other[kept], value[kept]
    return Paraphrases(phrase, other, value)
