"""Metric against human: correlations, and which of two paraphrases of one original is better.

Inputs are two columns on the same units with NaN for a missing value; a unit enters where both are
present. Undefined for fewer than three units (two always lie on a line) and for constant input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse, stats

from scoring.stats.counts import ratio
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.resampling import Bootstrap, attach, draws, even
from scoring.stats.table import BoolArray, FloatArray, IntArray

KENDALL_EXACT = 33
KENDALL_BOOTSTRAP = 5000
MOST_PAIRS = 200_000_000


def _paired(
    human: FloatArray, metric: FloatArray, clusters: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """The rows present in both, and cluster codes from 0 (each row its own without clusters)."""
    if human.shape != metric.shape or human.ndim != 1:
        raise ValueError("the columns must be one-dimensional and equally long")
    both = np.isfinite(human) & np.isfinite(metric)
    codes = np.arange(human.size) if clusters is None else clusters
    if codes.shape != human.shape:
        raise ValueError("the clusters must be as long as the columns")
    dense = np.unique(codes[both], return_inverse=True)[1].astype(np.int64)
    return human[both], metric[both], dense


def _is_constant(values: FloatArray) -> bool:
    """Equal up to rounding: what is left of a mean of equal numbers is no variation."""
    return bool(np.ptp(values) <= 1e-12 * np.abs(values).max())


def _why_not(x: FloatArray, y: FloatArray) -> str:
    if x.size < 3:
        return f"undefined: needs 3 units, has {x.size}"
    if _is_constant(x):
        return "undefined: the human values are all equal"
    if _is_constant(y):
        return "undefined: the metric's values are all equal"
    return ""


def _unit_scale(values: FloatArray) -> FloatArray:
    """Centred and scaled into [-1, 1], so that no square overflows or cancels."""
    centred = values / np.abs(values).max()
    centred = centred - centred.mean()
    return np.asarray(centred / np.abs(centred).max())


def _estimate(
    x: FloatArray, y: FloatArray, method: str, compute: Callable[[], tuple[float, float]]
) -> Estimate:
    reason = _why_not(x, y)
    if reason:
        return undefined(reason, n=x.size, method=method, details={"p_value": None})
    value, p_value = compute()
    return Estimate(value, n=x.size, method=method, details={"p_value": p_value})


def pearson(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Pearson's r; p by the t distribution; interval by drawing clusters."""
    x, y, codes = _paired(human, metric, clusters)

    def compute() -> tuple[float, float]:
        found = stats.pearsonr(_unit_scale(x), _unit_scale(y))
        return float(found.statistic), float(found.pvalue)

    estimate = _estimate(x, y, "Pearson, p by t distribution (two-sided)", compute)
    return _with_interval(
        estimate, plan, clusters, codes, lambda p: pearson_replicates(x, y, codes, p)
    )


def spearman(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Spearman's rho on mid-ranks; p by the t approximation; ranks anew in every replicate."""
    x, y, codes = _paired(human, metric, clusters)

    def compute() -> tuple[float, float]:
        found = stats.spearmanr(x, y)
        return float(found.statistic), float(found.pvalue)

    estimate = _estimate(x, y, "Spearman, p by t approximation (two-sided)", compute)
    return _with_interval(
        estimate, plan, clusters, codes, lambda p: _spearman_replicates(x, y, codes, p)
    )


def kendall(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Kendall's tau-b; p exact for up to 33 units without ties, else normal (said in method).

    No interval beyond 5,000 units, where resampling a rank count takes too long.
    """
    x, y, codes = _paired(human, metric, clusters)
    ties = np.unique(x).size < x.size or np.unique(y).size < y.size
    exact = not ties and x.size <= KENDALL_EXACT
    method = f"Kendall tau-b, p {'exact' if exact else 'by normal approximation'} (two-sided)"

    def compute() -> tuple[float, float]:
        found = stats.kendalltau(x, y, method="exact" if exact else "asymptotic")
        return float(found.statistic), float(found.pvalue)

    estimate = _estimate(x, y, method, compute)
    if x.size > KENDALL_BOOTSTRAP:
        return estimate
    return _with_interval(
        estimate, plan, clusters, codes, lambda p: _kendall_replicates(x, y, codes, p)
    )


def _with_interval(
    estimate: Estimate,
    plan: Bootstrap | None,
    clusters: IntArray | None,
    codes: IntArray,
    replicates: Callable[[Bootstrap], FloatArray],
) -> Estimate:
    if estimate.value is None or plan is None or plan.replicates < 1:
        return estimate
    return attach(estimate, replicates(plan), plan, np.unique(codes).size, clusters is not None)


def pearson_replicates(
    x: FloatArray, y: FloatArray, codes: IntArray, plan: Bootstrap
) -> FloatArray:
    """(B,) r of clusters drawn with replacement; the same plan draws the same clusters."""
    groups = int(codes.max()) + 1
    u, v = _unit_scale(x), _unit_scale(y)
    columns = (np.ones(u.size), u, v, u * u, v * v, u * v)
    sums = np.column_stack([np.bincount(codes, c, minlength=groups) for c in columns])
    blocks = []
    for drawn in draws(plan, groups, even(groups)):
        n, su, sv, suu, svv, suv = (drawn @ sums).T
        spread = np.sqrt(np.maximum(n * suu - su**2, 0) * np.maximum(n * svv - sv**2, 0))
        blocks.append(ratio(n * suv - su * sv, spread))
    return np.concatenate(blocks)


def _spearman_replicates(
    x: FloatArray, y: FloatArray, codes: IntArray, plan: Bootstrap
) -> FloatArray:
    groups = int(codes.max()) + 1
    classes = [np.unique(column, return_inverse=True)[1] for column in (x, y)]
    blocks = []
    for drawn in draws(plan, groups, even(groups), width=4 * x.size):
        weight = drawn[:, codes]
        n = weight.sum(axis=1)
        left, right = (_centred_ranks(weight, c, n) for c in classes)
        cross = (weight * left * right).sum(axis=1)
        spread = np.sqrt((weight * left**2).sum(axis=1) * (weight * right**2).sum(axis=1))
        blocks.append(ratio(cross, spread))
    return np.concatenate(blocks)


def _centred_ranks(weight: FloatArray, classes: IntArray, n: FloatArray) -> FloatArray:
    """(b, n) mid-rank minus the mean rank, each unit counted `weight` times."""
    one_hot = sparse.csr_array((np.ones(classes.size), (np.arange(classes.size), classes)))
    total = np.asarray((one_hot.T @ weight.T).T)
    rank = np.cumsum(total, axis=1) - total / 2 - n[:, None] / 2
    return np.asarray(rank[:, classes])


def _kendall_replicates(
    x: FloatArray, y: FloatArray, codes: IntArray, plan: Bootstrap
) -> FloatArray:
    groups = int(codes.max()) + 1
    found = []
    for drawn in draws(plan, groups, even(groups), width=x.size):
        for weight in drawn[:, codes].astype(np.int64):
            rows = np.repeat(np.arange(x.size), weight)
            found.append(stats.kendalltau(x[rows], y[rows], method="asymptotic").statistic)
    return np.array(found, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PairDecisions:
    """Per cluster: pairs the humans told apart, and how many of them a metric ordered alike."""

    pairs: FloatArray
    right: FloatArray
    tied: FloatArray


def cluster_pairs(codes: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """All pairs of rows within a cluster, one block per distance after sorting by cluster."""
    order = np.argsort(codes, kind="stable")
    largest = int(np.bincount(codes).max(initial=0))
    sorted_codes = codes[order]
    for step in range(1, largest):
        row = np.flatnonzero(sorted_codes[step:] == sorted_codes[:-step])
        yield order[row], order[row + step]


def direction(values: FloatArray, i: IntArray, j: IntArray) -> IntArray:
    """-1, 0 or 1: how values[i] compares with values[j]; rounding noise is a tie."""
    difference = values[i] - values[j]
    noise = 1e-9 * np.abs(values).max(initial=0.0)
    return np.asarray(np.sign(difference) * (np.abs(difference) > noise), dtype=np.int64)


def number_of_pairs(codes: IntArray) -> int:
    """Pairs of rows within a cluster."""
    sizes = np.bincount(codes)
    return int((sizes * (sizes - 1) // 2).sum())


def pair_decisions(human: FloatArray, metric: FloatArray, codes: IntArray) -> PairDecisions:
    """Count pairs within clusters (codes from 0, no missing values)."""
    groups = int(codes.max(initial=-1)) + 1
    totals = np.zeros((3, groups))
    for i, j in cluster_pairs(codes):
        people, machine = direction(human, i, j), direction(metric, i, j)
        told: BoolArray = people != 0
        for row, chosen in enumerate((told, told & (people == machine), told & (machine == 0))):
            totals[row] += np.bincount(codes[i[chosen]], minlength=groups)
    return PairDecisions(totals[0], totals[1], totals[2])


def pairwise_accuracy(
    human: FloatArray,
    metric: FloatArray,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Estimate:
    """Share of pairs within an original that the metric orders as the humans do.

    Pairs that the humans tie are left out. A tie of the metric counts half: that is what guessing
    would earn, so a coarse metric is not punished and .5 is chance. `details` has `strict`, where
    such a tie is wrong. Without clusters all rows are one cluster, and there is no interval.
    n counts pairs. Compare White 2012; Deutsch, Foster and Freitag 2023.
    """
    x, y, codes = _paired(human, metric, clusters)
    where = "all pairs of units" if clusters is None else "pairs within a cluster"
    method = f"{where} that humans tell apart, half credit for a tie of the metric"
    if clusters is None:
        codes = np.zeros(x.size, dtype=np.int64)
    if number_of_pairs(codes) > MOST_PAIRS:
        reason = f"undefined: over {MOST_PAIRS:,} pairs; name the column of the clusters"
        return undefined(reason, method=method, details={"strict": None})
    found = pair_decisions(x, y, codes)
    total = float(found.pairs.sum())
    if total == 0:
        reason = "undefined: humans tell no pair apart"
        return undefined(reason, method=method, details={"strict": None})
    credit = found.right + found.tied / 2
    estimate = Estimate(
        float(credit.sum()) / total,
        n=int(total),
        method=method,
        details={"strict": float(found.right.sum()) / total},
    )
    if clusters is None or plan is None or plan.replicates < 1:
        return estimate
    groups = found.pairs.size
    replicates = [
        ratio(drawn @ credit, drawn @ found.pairs) for drawn in draws(plan, groups, even(groups))
    ]
    return attach(estimate, np.concatenate(replicates), plan, groups, clustered=True)
