"""Tests between two metrics judged against the same humans, and between two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from scipy import stats

from scoring.stats.dependent import LEAST_UNITS, williams_t
from scoring.stats.paired import Sample
from scoring.stats.swaps import FEW_CLUSTERS, MOST_EXACT, Swapped, swap_correlations
from scoring.stats.table import BoolArray, FloatArray, IntArray

BLOCK_CELLS = 2_000_000
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
    if n < LEAST_UNITS:
        return TestResult(None, method, reason="undefined: needs 4 units")
    first, second, between = np.array([[r12], [r13], [r23]])
    t, p = (float(one[0]) for one in williams_t(first, second, between, n))
    if np.isnan(t):
        return TestResult(None, method, reason=SAME)
    return TestResult(p, method, t)


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
    standardised, then exchanged in whole clusters with probability 1/2: see `swap_correlations`.
    Undefined for fewer than two clusters.
    References: Yeh 2000; Deutsch, Dror and Roth 2021 (PERM-BOTH), here by cluster.
    """
    sample = Sample(("a", "b"), human, np.column_stack([first, second]), clusters, True)
    if sample.groups < 2:
        return TestResult(None, swap_method(False), reason=FEW_CLUSTERS)
    found = swap_correlations(
        sample, np.array([[0, 1]]), ranked=False, permutations=permutations, seed=seed
    )
    return TestResult(
        float(found.p_value[0]), swap_method(False, found), float(abs(found.difference[0]))
    )


def swap_method(ranked: bool, found: Swapped | None = None) -> str:
    """What a permutation test between two metrics did."""
    what = "mid-ranks" if ranked else "standardised metrics"
    name = "Spearman" if ranked else "Pearson"
    if found is None:
        return f"swap of {what} by cluster, {name}"
    if found.all_of_them:
        return f"swap of {what} by cluster, {name}, all {found.swaps} swaps"
    return f"swap of {what} by cluster, {name}, {found.swaps} permutations"


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
            found.append(TestResult(None, method, reason=FEW_CLUSTERS))
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


def ranked_groups(values: Mapping[str, float], better: Set[tuple[str, str]]) -> list[list[str]]:
    """Names from the greatest value down, cut wherever every name above is `better` than every
    name below: the clusters of significance of the WMT shared tasks."""
    ranked = [name for name, _ in sorted(values.items(), key=lambda one: (-one[1], one[0]))]
    groups: list[list[str]] = []
    for place, name in enumerate(ranked):
        above, below = ranked[:place], ranked[place:]
        if all((high, low) in better for high in above for low in below):
            groups.append([])
        groups[-1].append(name)
    return groups
