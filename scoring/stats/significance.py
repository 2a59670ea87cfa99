"""Tests between two metrics judged against the same humans, and between two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from scoring.stats.table import BoolArray, FloatArray, IntArray

BLOCK_CELLS = 2_000_000
MOST_EXACT = 13  # Clusters: 8,192 ways to swap them are gone through one by one.
SAME = "undefined: the two metrics order everything alike"


@dataclass(frozen=True)
class TestResult:
    """A p-value (two-sided) or the reason why there is none; statistic where the test has one."""

    p_value: float | None
    method: str
    statistic: float | None = None
    reason: str = ""

    __test__ = False  # the name is no test case


def williams(r12: float, r13: float, r23: float, n: int) -> TestResult:
    """Williams' t for two dependent Pearson correlations that share one variable.

    r12, r13: metrics A and B with the humans; r23: A with B; n: units. Use it for Pearson only,
    and read it beside the permutation by cluster: it takes units for independent, which
    paraphrases of one original are not. Undefined for n < 4 and for metrics that correlate
    perfectly. References: Williams 1959; Steiger 1980, eq. 7; Graham and Baldwin 2014.
    """
    method = "Williams 1959, Pearson, units taken as independent"
    if n < 4:
        return TestResult(None, method, reason="undefined: needs 4 units")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    variance = 2 * max(determinant, 0) * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if variance <= 1e-14 or 1 - r23 <= 1e-12:
        return TestResult(None, method, reason=SAME)
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(variance)
    return TestResult(float(2 * stats.t.sf(abs(t), n - 3)), method, t)


def mcnemar(only_first: int, only_second: int) -> TestResult:
    """Exact McNemar test on the decisions that only one of two metrics (or systems) got right.

    p = 1 without any such decision: two equal metrics do not differ.
    References: McNemar 1947; Fagerland, Lydersen and Laake 2013.
    """
    method = "McNemar, exact binomial"
    if only_first < 0 or only_second < 0:
        raise ValueError("counts of decisions cannot be negative")
    total = only_first + only_second
    if total == 0:
        return TestResult(1.0, method, 0.0)
    fewer = min(only_first, only_second)
    return TestResult(float(stats.binomtest(fewer, total).pvalue), method, float(fewer))


def permutation(
    human: FloatArray,
    first: FloatArray,
    second: FloatArray,
    clusters: IntArray,
    *,
    permutations: int = 1000,
    seed: int = 0,
) -> TestResult:
    """Is |r(human, A) - r(human, B)| larger than when A and B are swapped at random by cluster?

    Arrays (n,) without missing values, none constant; clusters (n,) codes from 0. Both metrics are
    standardised, then exchanged in whole clusters with probability 1/2. p = (1 + count) /
    (permutations + 1), so never 0. Undefined for fewer than two clusters.
    References: Yeh 2000; Deutsch, Dror and Roth 2021 (PERM-BOTH), here by cluster.
    """
    groups = int(clusters.max(initial=-1)) + 1
    method = f"swap of standardised metrics by cluster, Pearson, {permutations} permutations"
    if groups < 2:
        return TestResult(None, method, reason="undefined: needs two clusters to swap")
    h, a, b = (_standard(values) for values in (human, first, second))
    cells = [
        np.bincount(clusters, weights, minlength=groups)
        for weights in (h * a, a, a * a, h * b, b, b * b)
    ]
    straight, swapped = np.array(cells[:3]), np.array(cells[3:])
    change = swapped - straight
    n = human.size
    observed = abs(
        _pearson(straight.sum(axis=1)[:, None], n) - _pearson(swapped.sum(axis=1)[:, None], n)
    )[0]
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_CELLS // groups)
    count = 0
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        moved = change @ rng.integers(0, 2, size=(groups, size))
        left = _pearson(straight.sum(axis=1)[:, None] + moved, n)
        right = _pearson(swapped.sum(axis=1)[:, None] - moved, n)
        count += int((np.abs(left - right) >= observed - 1e-12).sum())
    return TestResult((1 + count) / (permutations + 1), method, float(observed))


def sign_flip(
    total: FloatArray, there: BoolArray, *, permutations: int = 10_000, seed: int = 0
) -> list[TestResult]:
    """Is the sum of paired differences larger than when whole clusters swap their two sides?

    total  (P, G) sum of the differences of each pair in each cluster; there (P, G) which clusters
           have any. All pairs share the same swaps.
    Swapping a cluster turns the sign of its sum. Up to 13 clusters with a difference all swaps are
    gone through; beyond, p = (1 + count) / (permutations + 1), so never 0. Clusters whose sum is 0
    (exact ties) change no swap. Undefined for fewer than two clusters.
    References: Fisher 1935, section 21; Noreen 1989; here by cluster as in Yeh 2000.
    """
    observed = np.abs(total.sum(axis=1))
    slack = 1e-9 * np.maximum(1.0, np.abs(total).sum(axis=1))
    moving = np.abs(total) > slack[:, None] / max(total.shape[1], 1)
    drawn = _drawn_swaps(total, observed - slack, moving, permutations, seed)
    found = []
    for row in range(total.shape[0]):
        groups, free = int(there[row].sum()), int(moving[row].sum())
        method = f"swap of whole clusters, two-sided, {groups} clusters"
        if groups < 2:
            reason = "undefined: needs two clusters to swap"
            found.append(TestResult(None, method, reason=reason))
            continue
        if free <= MOST_EXACT:
            p, way = _all_swaps(total[row, moving[row]], observed[row] - slack[row]), "all swaps"
        else:
            p = (1 + int(drawn[row])) / (permutations + 1)
            way = f"{permutations} random swaps"
        found.append(TestResult(p, f"{method}, {way}", float(total[row].sum())))
    return found


def _all_swaps(total: FloatArray, least: float) -> float:
    """Share of the sign patterns whose sum is at least as far from 0."""
    sums = np.zeros(1)
    for one in total:
        sums = np.concatenate([sums + one, sums - one])
    return float((np.abs(sums) >= least).mean())


def _drawn_swaps(
    total: FloatArray, least: FloatArray, moving: BoolArray, permutations: int, seed: int
) -> IntArray:
    """(P,) how many random swaps lead at least as far from 0; 0 where all are gone through."""
    count = np.zeros(total.shape[0], dtype=np.int64)
    many = np.flatnonzero(moving.sum(axis=1) > MOST_EXACT)
    if not many.size:
        return count
    used = np.flatnonzero(moving[many].any(axis=0))
    sums = np.ascontiguousarray(total[np.ix_(many, used)].T)
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_CELLS // max(sums.shape))
    for start in range(0, permutations, step):
        size = min(step, permutations - start)
        signs = rng.integers(0, 2, size=(size, used.size), dtype=np.int8) * 2.0 - 1.0
        count[many] += (np.abs(signs @ sums) >= least[many]).sum(axis=0)
    return count


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p-values of one family by Holm 1979; None stays None and counts for nothing."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        adjusted[place] = highest
    return adjusted


def _standard(values: FloatArray) -> FloatArray:
    deviation = values - values.mean()
    deviation = deviation / np.abs(deviation).max()
    return np.asarray(deviation / deviation.std())


def _pearson(sums: FloatArray, n: int) -> FloatArray:
    """r from rows (sum h*a, sum a, sum a^2); h standardised, so its own sums are 0 and n."""
    spread = np.sqrt(np.maximum(n * sums[2] - sums[1] ** 2, 0))
    result = np.zeros(spread.shape)
    np.divide(sums[0], spread, out=result, where=spread > 1e-9)
    return result
