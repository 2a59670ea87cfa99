"""Simultaneous tests of many paired differences, and rank intervals: max-T with sign flips.

All pairs share one random sign for each cluster, so the largest of their statistics is compared
with the largest in each draw. That keeps the error of the family without dividing the level by the
number of pairs, and needs no more draws for many pairs.

Sources: Westfall and Young 1993 and Romano and Wolf 2005 for the step-down; Mogstad, Romano, Shaikh
and Wilhelm 2024 for directions and ranks. They draw from centred differences; sign flips of the
differences themselves (Fisher 1935) keep the level with few clusters too, where centred ones reject
up to three times too often (docs/gold-and-results.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

import numpy as np

from scoring.stats.significance.swaps import MOST_EXACT
from scoring.stats.table import BoolArray, FloatArray

BLOCK_CELLS = 2_000_000
SLACK = 1e-9


def max_t(
    total: FloatArray, there: BoolArray, *, permutations: int = 10_000, seed: int = 0
) -> list[float | None]:
    """Return a two-sided p-value for each pair, adjusted over all pairs by step-down max-T.

    total, there  (P, G) as for `sign_flip`. None for a pair with fewer than two clusters.
    The statistic of a pair is its sum divided by the root of the sum of squares, which is one to
    one with Student's t. A rejected pair stays in the family in the direction not found, so that
    the family of both directions keeps its level (as in Mogstad et al.). Up to 13 clusters all sign
    patterns are gone through.
    """
    tested = np.flatnonzero(there.sum(axis=1) >= 2)
    adjusted: list[float | None] = [None] * total.shape[0]
    if not tested.size:
        return adjusted
    z = _scaled(total[tested])
    observed = z.sum(axis=1)
    order = np.argsort(-np.abs(observed), kind="stable")
    turned = z[order] * np.where(observed[order] < 0, -1.0, 1.0)[:, None]
    least = np.abs(observed[order]) - SLACK
    count, draws = np.zeros(order.size), 0
    for signs in _signs(total.shape[1], order.size, permutations, seed):
        drawn = signs @ turned.T
        # The largest of the pairs that are no further from 0, in either direction, and of all
        # others in the direction that was not found.
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        np.maximum(largest, (-drawn).max(axis=1, keepdims=True), out=largest)
        count += (largest >= least).sum(axis=0)
        draws += signs.shape[0]
    exact = total.shape[1] <= MOST_EXACT
    p_value = np.maximum.accumulate(count / draws if exact else (1 + count) / (1 + draws))
    for place, p in zip(tested[order].tolist(), p_value.tolist(), strict=True):
        adjusted[place] = p
    return adjusted


def _scaled(total: FloatArray) -> FloatArray:
    """Divide each row by the root of its sum of squares; exact ties stay 0."""
    largest = np.abs(total).max(axis=1, keepdims=True)
    rows = np.divide(total, largest, out=np.zeros(total.shape), where=largest > 0)
    norm = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, norm, out=rows, where=norm > 0))


def _signs(groups: int, width: int, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of 1 and -1: all patterns for few clusters, else random ones."""
    step = max(1, BLOCK_CELLS // max(groups, width))
    if groups <= MOST_EXACT:
        patterns = (np.arange(2**groups)[:, None] >> np.arange(groups)) & 1
        for start in range(0, len(patterns), step):
            yield 2 * patterns[start : start + step].astype(np.float64) - 1
        return
    rng = np.random.default_rng(seed)
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), groups)
        yield 2 * rng.integers(0, 2, size=size, dtype=np.int8).astype(np.float64) - 1


def rank_intervals(
    values: Mapping[str, float], better: Set[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """Return the lowest and the highest rank of each name, 1 for the best, ordered by value.

    better  pairs (the better, the worse) that a simultaneous test of level .05 tells apart: then
            all intervals together contain all true ranks with 95 %.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic Studies 91(1).
    """
    known = sorted(values, key=lambda name: (-values[name], name))
    found = [(high, low) for high, low in better if high in values and low in values]
    return {
        name: (
            1 + sum(low == name for _, low in found),
            len(known) - sum(high == name for high, _ in found),
        )
        for name in known
    }
