"""Coefficients of many metrics in many bootstrap samples at once.

A kernel answers, for (b, G) weights saying how often each cluster counts, with the (b, M)
coefficients of the rows so weighted; NaN where one is undefined. They equal the coefficient of the
repeated rows, and are made by sums over clusters and sorted columns, never by a sample of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.paired import FLAT, Sample, unit_scale
from scoring.stats.resampling import Bootstrap, draws, even
from scoring.stats.table import FloatArray, IntArray

Kernel = Callable[[FloatArray], FloatArray]

LEAST_BLOCK = 250_000  # Cells per replicate at most: blocks hold 8 replicates or more.
ROW_BLOCK = 500


def replicate(
    kernels: Mapping[str, Kernel], plan: Bootstrap, groups: int, n: int
) -> dict[str, FloatArray]:
    """(B, M) replicates by each kernel, all of the same draws of clusters."""
    found: dict[str, list[FloatArray]] = {name: [] for name in kernels}
    # About 64 replicates of 2,000 rows stay in the processor's cache.
    for drawn in draws(plan, groups, even(groups), width=min(16 * n, LEAST_BLOCK)):
        for name, kernel in kernels.items():
            found[name].append(kernel(drawn))
    return {name: np.concatenate(parts) for name, parts in found.items()}


@dataclass(frozen=True, eq=False)
class Store:
    """Replicates of one human column with one plan, kept for whoever asks for the same again."""

    kept: dict[tuple[str, bytes], tuple[tuple[str, ...], FloatArray]] = field(default_factory=dict)

    def keep(self, kind: str, sample: Sample, block: FloatArray) -> None:
        self.kept[kind, sample.rows] = (sample.names, block)

    def find(self, kind: str, sample: Sample) -> FloatArray | None:
        """(B, M) of the sample's metrics, if all of them were kept."""
        names, block = self.kept.get((kind, sample.rows), ((), np.zeros((0, 0))))
        if not set(sample.names) <= set(names):
            return None
        return block[:, [names.index(name) for name in sample.names]]


def pearson_kernel(sample: Sample) -> Kernel:
    """Pearson's r; columns must vary."""
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
    """n times the sum of squared deviations; 0 where only rounding is left."""
    spread = n * squares - total**2
    return np.where(spread <= FLAT * n * squares, 0.0, spread)


@dataclass(frozen=True, eq=False)
class Sorted:
    """A column in ascending order.

    order   (n,) rows; starts  (K,) where each distinct value begins; of  (n,) class of each row
    group   (n,) cluster of each row in that order: weights are gathered from the small table of
            clusters, which stays in the processor's cache, not from one of all rows
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
        """(n, b) in this order, from (G, b)."""
        return np.take(by_group, self.group, axis=0)

    def fold(self, ordered: FloatArray) -> FloatArray:
        """(K, b) sums of (n, b) rows, already in this order, over equal values."""
        if self.starts.size == self.order.size:
            return ordered
        return np.add.reduceat(ordered, self.starts, axis=0)


def _ranks(times: FloatArray) -> FloatArray:
    """(K, b) mid-rank less one half of values in ascending order, each so many times there."""
    rank = _running(times)
    rank -= 0.5 * times
    return rank


def _running(times: FloatArray) -> FloatArray:
    """(K, b) cumulative sums. Each addition waits for the one before it, so two replicates are
    added as one complex number: that halves the time."""
    if times.shape[1] % 2 or not times.flags.c_contiguous:
        return np.cumsum(times, axis=0)
    return np.asarray(np.cumsum(times.view(np.complex128), axis=0).view(np.float64))


def _rank_spread(times: FloatArray, n: FloatArray) -> FloatArray:
    """(b,) 12 times the sum of squared deviations of mid-ranks: n^3 less t^3 of every tie."""
    return np.asarray(n**3 - np.einsum("kb,kb->b", times * times, times))


def spearman_kernel(sample: Sample) -> Kernel:
    """Spearman's rho on mid-ranks, ranked anew in every replicate."""
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
            # The ranks of one side are centred, so those of the other need not be.
            cross = np.einsum("kb,kb->b", metric.fold(ranked), _ranks(times))
            found[:, place] = ratio(12 * cross, np.sqrt(spread) * np.sqrt(own))
        return found

    return compute


def roc_kernel(sample: Sample) -> Kernel:
    """Area under the ROC curve; `sample.x` holds 1 (pass) and 0."""
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
    """tau-b, then tau-c: (b, 2 M).

    C - D of a weighted sample is w' S w / 2, where S sums over two clusters the products of the
    directions of all their pairs of rows. S is made once, so each replicate is a product.
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
    """(n, n) -1, 0 or 1 as int8: how row i compares with row j."""
    return np.asarray(
        (classes[:, None] > classes).astype(np.int8) - (classes[:, None] < classes).astype(np.int8)
    )


def _cluster_signs(people: FloatArray, classes: IntArray, starts: IntArray) -> FloatArray:
    """(G, G) sums of products of directions; rows sorted by cluster.

    Single rows stay in 32 bits: all sums are whole numbers below 2 to the 24, so exact.
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
