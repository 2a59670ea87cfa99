"""Permutation tests between metrics, swapping the values of two metrics in whole clusters.

Sources: Yeh 2000; Deutsch, Dror and Roth 2021 (PERM-BOTH), here by cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.significance.paired import Sample, mid_ranks, standard
from scoring.stats.table import FloatArray, IntArray

BLOCK_CELLS = 2_000_000
MOST_EXACT = 13  # Maximum clusters for an exact test: all 8,192 swaps are enumerated.
FEW_CLUSTERS = say("undefined: needs two clusters to swap")


@dataclass(frozen=True, eq=False)
class Swapped:
    """(P,) p-values and differences of pairs; number of swaps, and whether all were enumerated."""

    p_value: FloatArray
    difference: FloatArray
    swaps: int
    all_of_them: bool


def swap_correlations(
    sample: Sample, pairs: IntArray, *, ranked: bool, permutations: int, seed: int
) -> Swapped:
    """Test |r(human, A) - r(human, B)| by swapping A and B in random clusters.

    sample   non-constant columns, at least two clusters; pairs  (P, 2) positions of the metrics
    ranked   Spearman: mid-ranks are computed once and swapped, not re-ranked after each swap
             (the test is valid for any statistic of the swapped values)
    Columns are standardised, then swapped by cluster with probability 1/2; all pairs share the
    swaps. Up to 13 clusters the test is exact; above, p = (1 + count) / (permutations + 1), so
    never 0.
    """
    human, metrics = sample.x, sample.y
    if ranked:
        human, metrics = mid_ranks(human), mid_ranks(metrics)
    h, a = standard(human), standard(metrics)
    n, m = a.shape
    cells = sample.by_group(np.hstack([h[:, None] * a, a, a * a])).reshape(-1, 3, m)
    total = cells.sum(axis=0)
    first, second = pairs.T
    difference = _r(total[None, :, first], n)[0] - _r(total[None, :, second], n)[0]
    count, swaps = np.zeros(first.size), 0
    for chosen in _patterns(sample.groups, permutations, seed, 6 * max(first.size, m)):
        moved = (chosen @ cells.reshape(sample.groups, 3 * m)).reshape(-1, 3, m)
        change = moved[:, :, second] - moved[:, :, first]
        left = _r(total[None, :, first] + change, n)
        right = _r(total[None, :, second] - change, n)
        count += (np.abs(left - right) >= np.abs(difference) - 1e-12).sum(axis=0)
        swaps += chosen.shape[0]
    exact = sample.groups <= MOST_EXACT
    p_value = count / swaps if exact else (1 + count) / (swaps + 1)
    return Swapped(p_value, difference, swaps, exact)


def _r(sums: FloatArray, n: int) -> FloatArray:
    """Return r from (b, 3, P) sums of h*a, a, a^2; h is standardised, so its sums are 0 and n."""
    spread = np.sqrt(np.maximum(n * sums[:, 2] - sums[:, 1] ** 2, 0))
    result = np.zeros(spread.shape)
    np.divide(sums[:, 0], spread, out=result, where=spread > 1e-9)
    return result


def _patterns(groups: int, permutations: int, seed: int, width: int) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of 1 (swapped) and 0: all patterns for few clusters, else random."""
    step = max(1, BLOCK_CELLS // max(groups, width))
    if groups <= MOST_EXACT:
        numbers = np.arange(2**groups)
        for start in range(0, numbers.size, step):
            block = numbers[start : start + step, None] >> np.arange(groups)
            yield (block & 1).astype(np.float64)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), groups)
        yield rng.integers(0, 2, size=size, dtype=np.int8).astype(np.float64)
