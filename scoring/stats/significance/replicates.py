"""Vectorised bootstrap replicates of the coefficients of many metrics.

A kernel maps (b, G) cluster weights to the (b, M) coefficients of the weighted rows, NaN if
undefined. The result equals the coefficient of the resampled rows, but is computed from cluster
sums and sorted columns without building the resample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.resampling import Bootstrap, draws, even
from scoring.stats.significance.paired import FLAT, Sample, unit_scale
from scoring.stats.table import FloatArray, IntArray

Kernel = Callable[[FloatArray], FloatArray]

LEAST_BLOCK = 250_000  # Maximum cells per replicate, so that blocks hold at least 8 replicates.
ROW_BLOCK = 500


def replicate(
    kernels: Mapping[str, Kernel], plan: Bootstrap, groups: int, n: int
) -> dict[str, FloatArray]:
    """Return (B, M) replicates by each kernel, all from the same cluster resamples."""
    found: dict[str, list[FloatArray]] = {name: [] for name in kernels}
    # About 64 replicates of 2,000 rows fit into the CPU cache.
    for drawn in draws(plan, groups, even(groups), width=min(16 * n, LEAST_BLOCK)):
        for name, kernel in kernels.items():
            found[name].append(kernel(drawn))
    return {name: np.concatenate(parts) for name, parts in found.items()}


@dataclass(frozen=True, eq=False)
class Store:
    """A cache of replicates for one human column and one plan."""

    kept: dict[tuple[str, bytes], tuple[tuple[str, ...], FloatArray]] = field(default_factory=dict)

    def keep(self, kind: str, sample: Sample, block: FloatArray) -> None:
        self.kept[kind, sample.rows] = (sample.names, block)

    def find(self, kind: str, sample: Sample) -> FloatArray | None:
        """Return (B, M) replicates of the sample's metrics, or None if one is missing."""
        names, block = self.kept.get((kind, sample.rows), ((), np.zeros((0, 0))))
        if not set(sample.names) <= set(names):
            return None
        return block[:, [names.index(name) for name in sample.names]]


def pearson_kernel(sample: Sample) -> Kernel:
    """Return a kernel for Pearson's r of non-constant columns."""
    u, v = unit_scale(sample.x)[:, None], unit_scale(sample.y)
    m = v.shape[1]
    sums = sample.by_group(np.hstack([np.ones_like(u), u, u * u, v, v * v, u * v]))

    def compute(drawn: FloatArray) -> FloatArray:
        total = drawn @ sums
        n, su, suu = (total[:, [place]] for place in range(3))
        sv, svv, suv = (total[:, 3 + m * k : 3 + m * (k + 1)] for k in range(3))
        first, second = _spread(n, su, suu), _spread(n, sv, svv)
        return ratio(n * suv - su * sv, np.sqrt(first * second))

    return compute


def _spread(n: FloatArray, total: FloatArray, squares: FloatArray) -> FloatArray:
    """Return n times the sum of squared deviations, 0 if it is only rounding error."""
    spread = n * squares - total**2
    return np.where(spread <= FLAT * n * squares, 0.0, spread)


@dataclass(frozen=True, eq=False)
class Sorted:
    """A column in ascending order.

    order   (n,) rows; starts  (K,) start of each distinct value; of  (n,) value index of each row
    group   (n,) cluster of each row in that order: weights are gathered by cluster, from an array
            small enough for the CPU cache
    """

    order: IntArray
    starts: IntArray
    of: IntArray
    group: IntArray

    @classmethod
    def by(cls, values: FloatArray, codes: IntArray) -> Sorted:
        order = np.argsort(values, kind="stable")
        new = np.concatenate([[True], np.diff(values[order]) != 0])
        of = np.empty(values.size, dtype=np.int64)
        of[order] = np.cumsum(new) - 1
        return cls(order, np.flatnonzero(new), of, codes[order])

    def weights(self, by_group: FloatArray) -> FloatArray:
        """Return (n, b) row weights in this order from (G, b) cluster weights."""
        return np.take(by_group, self.group, axis=0)

    def fold(self, ordered: FloatArray) -> FloatArray:
        """Return (K, b) sums over equal values of (n, b) rows in this order."""
        if self.starts.size == self.order.size:
            return ordered
        return np.add.reduceat(ordered, self.starts, axis=0)


def _ranks(times: FloatArray) -> FloatArray:
    """Return (K, b) mid-ranks minus one half, from the frequencies of ascending values."""
    rank = _running(times)
    rank -= 0.5 * times
    return rank


def _running(times: FloatArray) -> FloatArray:
    """Return (K, b) cumulative sums. Pairs of replicates are summed as complex numbers, which
    halves the time, because each addition depends on the previous one."""
    if times.shape[1] % 2 or not times.flags.c_contiguous:
        return np.cumsum(times, axis=0)
    return np.asarray(np.cumsum(times.view(np.complex128), axis=0).view(np.float64))


def _rank_spread(times: FloatArray, n: FloatArray) -> FloatArray:
    """Return (b,) 12 times the sum of squared deviations of mid-ranks: n^3 - sum of t^3."""
    return np.asarray(n**3 - np.einsum("kb,kb->b", times * times, times))


def spearman_kernel(sample: Sample) -> Kernel:
    """Return a kernel for Spearman's rho, re-ranking the rows in every replicate."""
    human = Sorted.by(sample.x, sample.codes)
    metrics = [Sorted.by(column, sample.codes) for column in sample.y.T]
    human_of = [human.of[metric.order] for metric in metrics]

    def compute(drawn: FloatArray) -> FloatArray:
        by_group = np.ascontiguousarray(drawn.T)
        times = human.fold(human.weights(by_group))
        n = times.sum(axis=0)
        spread = _rank_spread(times, n)
        ranks = _ranks(times) - n / 2
        found = np.empty((drawn.shape[0], len(metrics)))
        for place, (metric, of) in enumerate(zip(metrics, human_of, strict=True)):
            weight = metric.weights(by_group)
            times = metric.fold(weight)
            own = _rank_spread(times, n)
            ranked = np.take(ranks, of, axis=0)
            ranked *= weight
            # Centring the ranks of one side is enough.
            cross = np.einsum("kb,kb->b", metric.fold(ranked), _ranks(times))
            found[:, place] = ratio(12 * cross, np.sqrt(spread) * np.sqrt(own))
        return found

    return compute


def roc_kernel(sample: Sample) -> Kernel:
    """Return a kernel for the area under the ROC curve; `sample.x` is 1 (pass) or 0."""
    metrics = [Sorted.by(column, sample.codes) for column in sample.y.T]

    def compute(drawn: FloatArray) -> FloatArray:
        by_group = np.ascontiguousarray(drawn.T)
        found = np.empty((drawn.shape[0], len(metrics)))
        for place, metric in enumerate(metrics):
            weight = metric.weights(by_group)
            passed = weight * sample.x[metric.order, None]
            weight -= passed
            passed, failed = metric.fold(passed), metric.fold(weight)
            pairs = passed.sum(axis=0) * failed.sum(axis=0)
            found[:, place] = ratio(np.einsum("kb,kb->b", passed, _ranks(failed)), pairs)
        return found

    return compute


def kendall_kernel(sample: Sample) -> Kernel:
    """Return a kernel for tau-b and tau-c, concatenated as (b, 2 M).

    C - D of a weighted sample is w' S w / 2, where S[g, h] sums sign products over all row pairs
    of clusters g and h. S is computed once, so that a replicate is a quadratic form.
    """
    by_cluster = np.argsort(sample.codes, kind="stable")
    starts = np.flatnonzero(np.diff(sample.codes[by_cluster], prepend=-1))
    codes = sample.codes[by_cluster]
    human = Sorted.by(sample.x[by_cluster], codes)
    metrics = [Sorted.by(column, codes) for column in sample.y[by_cluster].T]
    people = _directions(human.of)
    signs = [_cluster_signs(people, metric.of, starts) for metric in metrics]

    def compute(drawn: FloatArray) -> FloatArray:
        by_group = np.ascontiguousarray(drawn.T)
        times = human.fold(human.weights(by_group))
        n = times.sum(axis=0)
        apart, values = n**2 - (times**2).sum(axis=0), (times > 0).sum(axis=0)
        found = np.empty((drawn.shape[0], 2 * len(metrics)))
        exact = drawn.astype(signs[0].dtype)
        for place, (metric, sign) in enumerate(zip(metrics, signs, strict=True)):
            gap = np.einsum("bg,bg->b", exact @ sign, drawn)
            times = metric.fold(metric.weights(by_group))
            other = n**2 - (times**2).sum(axis=0)
            fewest = np.minimum(values, (times > 0).sum(axis=0)).astype(np.float64)
            found[:, place] = ratio(gap, np.sqrt(apart) * np.sqrt(other))
            found[:, len(metrics) + place] = ratio(gap * fewest, n**2 * (fewest - 1))
        return found

    return compute


def _directions(classes: IntArray) -> FloatArray:
    """Return the (n, n) signs of differences between rows i and j, as int8."""
    return np.asarray(
        (classes[:, None] > classes).astype(np.int8) - (classes[:, None] < classes).astype(np.int8)
    )


def _cluster_signs(people: FloatArray, classes: IntArray, starts: IntArray) -> FloatArray:
    """Return (G, G) sums of sign products; rows must be sorted by cluster.

    Clusters of one row use float32: all sums are integers below 2^24 and therefore exact.
    """
    if starts.size == classes.size:
        return np.asarray(people * _directions(classes), dtype=np.float32)
    ends = np.append(starts[1:], classes.size)
    found = np.empty((starts.size, starts.size))
    for first in range(0, starts.size, ROW_BLOCK):
        last = min(first + ROW_BLOCK, starts.size)
        rows = slice(starts[first], ends[last - 1])
        mine = classes[rows, None]
        product = people[rows] * ((mine > classes).astype(np.int8) - (mine < classes))
        cut = starts[first:last] - starts[first]
        inside = np.add.reduceat(product, cut, axis=0, dtype=np.int32)
        found[first:last] = np.add.reduceat(inside, starts, axis=1)
    return found
