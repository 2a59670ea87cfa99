"""Complete-case samples of a human column and one or more metrics.

Columns have equal length with NaN for missing values. A coefficient uses the rows where its two
columns are present; a comparison of two metrics those where the human column and both are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, joined, say
from scoring.stats.intervals import Bootstrap, weights
from scoring.stats.resampling import ratio
from scoring.stats.table import NORMAL_95, BoolArray, FloatArray, IntArray, normal_above

LEAST_UNITS = 3  # Two always lie on a line.
FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows without missing values.

    x          (n,) human values
    y          (n, M) metrics, named by `names`
    codes      (n,) cluster of each row, 0 to groups - 1; without clusters each row is its own
    clustered  whether clusters were given
    rows       bit mask of these rows in the full columns, as bytes
    items      (n,) code of what pairs of rows stay within, 0 to items - 1; default: the cluster
    """

    names: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    codes: IntArray
    clustered: bool
    rows: bytes = b""
    items: IntArray | None = None

    @property
    def n(self) -> int:
        return int(self.x.size)

    @property
    def groups(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    @property
    def within(self) -> IntArray:
        """(n,) code of what pairs stay within."""
        return self.codes if self.items is None else self.items

    @property
    def cluster_of(self) -> IntArray:
        """(items,) cluster of each of these."""
        clusters = np.zeros(int(self.within.max(initial=-1)) + 1, dtype=np.int64)
        clusters[self.within] = self.codes
        return clusters

    def by_cluster(self, cells: FloatArray) -> FloatArray:
        """Return (G, C) sums of (items, C) cells over the items of each cluster."""
        return by_group(cells, self.cluster_of, self.groups)

    def column(self, name: str) -> FloatArray:
        return self.y[:, self.names.index(name)]

    def only(self, names: Sequence[str]) -> Sample:
        """Return the same rows with some of the metrics."""
        at = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), y=self.y[:, at])

    def by_group(self, cells: FloatArray) -> FloatArray:
        """Return (G, C) sums of (n, C) cells over the rows of each cluster."""
        return by_group(cells, self.codes, self.groups)


def by_group(cells: FloatArray, codes: IntArray, groups: int) -> FloatArray:
    """Return (G, C) sums of (n, C) cells by code."""
    owner = scipy.sparse.csr_array(
        (np.ones(codes.size), (codes, np.arange(codes.size))), shape=(groups, codes.size)
    )
    return np.asarray(owner @ cells)


def dense(codes: IntArray) -> IntArray:
    """Recode as 0, 1, 2, ... without gaps."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def paired(
    human: FloatArray, metric: FloatArray, clusters: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the rows present in both, and cluster codes from 0; default: one cluster per row."""
    if human.shape != metric.shape or human.ndim != 1:
        raise ValueError("the columns must be one-dimensional and equally long")
    both = np.isfinite(human) & np.isfinite(metric)
    codes = np.arange(human.size) if clusters is None else clusters
    if codes.shape != human.shape:
        raise ValueError("the clusters must be as long as the columns")
    return human[both], metric[both], dense(codes[both])


def samples(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None,
    items: IntArray | None = None,
) -> list[Sample]:
    """Group metrics with the same rows into one sample, so that they share resamples."""
    groups: dict[bytes, list[str]] = {}
    for name, metric in metrics.items():
        paired(human, metric, clusters)  # refuses unequal shapes
        there = np.isfinite(human) & np.isfinite(metric)
        groups.setdefault(np.packbits(there).tobytes(), []).append(name)
    return [
        sample_of(human, {name: metrics[name] for name in names}, clusters, items)
        for names in groups.values()
    ]


def sample_of(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None,
    items: IntArray | None = None,
) -> Sample:
    """Return the rows where the human column and all of these metrics are present.

    items  (n,) codes of what pairs stay within, each in one cluster; default: the clusters
    """
    none = np.zeros((human.size, 0))
    y = np.column_stack([none, *metrics.values()]).astype(np.float64, copy=False)
    rows: BoolArray = np.isfinite(human) & np.isfinite(y).all(axis=1)
    codes = np.arange(human.size) if clusters is None else clusters
    return Sample(
        tuple(metrics),
        human[rows],
        y[rows],
        dense(codes[rows]),
        clusters is not None,
        np.packbits(rows).tobytes(),
        None if items is None else dense(items[rows]),
    )


def is_constant(values: FloatArray) -> bool:
    """Return whether all values are equal up to rounding error."""
    return values.size == 0 or bool(np.ptp(values) <= FLAT * np.abs(values).max())


def why_not(x: FloatArray, y: FloatArray) -> Sentence:
    """Return why the correlation of two columns is undefined, or ""."""
    if x.size < LEAST_UNITS:
        return say("undefined: needs 3 units, has %(n)s", n=x.size)
    if is_constant(x):
        return say("undefined: the human values are all equal")
    if is_constant(y):
        return say("undefined: the metric's values are all equal")
    return NOTHING


def unit_scale(values: FloatArray) -> FloatArray:
    """Centre non-constant (n,) or (n, M) columns and scale them into [-1, 1] to avoid overflow."""
    centred = values / np.abs(values).max(axis=0)
    centred = centred - centred.mean(axis=0)
    return np.asarray(centred / np.abs(centred).max(axis=0))


def standard(values: FloatArray) -> FloatArray:
    """Standardise non-constant (n,) or (n, M) columns to mean 0 and standard deviation 1."""
    centred = unit_scale(values)
    return np.asarray(centred / centred.std(axis=0))


def mid_ranks(values: FloatArray) -> FloatArray:
    """Return (n,) or (n, M) mid-ranks, from 1, of each column."""
    columns = values if values.ndim == 2 else values[:, None]
    ranks = np.empty(columns.shape)
    for place, column in enumerate(columns.T):
        _, of, times = np.unique(column, return_inverse=True, return_counts=True)
        ranks[:, place] = (np.cumsum(times) - (times - 1) / 2)[of]
    return ranks if values.ndim == 2 else ranks[:, 0]


# Vectorised replicates of the coefficients of many metrics.
#
# A kernel maps (b, G) cluster weights to the (b, M) coefficients of the weighted rows, NaN if
# undefined. The result equals the coefficient of the resampled rows, but is computed from cluster
# sums and sorted columns without building the resample.


Kernel = Callable[[FloatArray], FloatArray]

LEAST_BLOCK = 250_000  # Maximum cells per replicate, so that blocks hold at least 8 replicates.
ROW_BLOCK = 500


def replicate(
    kernels: Mapping[str, Kernel], plan: Bootstrap, groups: int, n: int
) -> dict[str, FloatArray]:
    """Return (B, M) replicates by each kernel, all from the same weights of clusters."""
    replicates: dict[str, list[FloatArray]] = {name: [] for name in kernels}
    # About 64 replicates of 2,000 rows fit into the CPU cache.
    for drawn in weights(plan, groups, width=min(16 * n, LEAST_BLOCK)):
        for name, kernel in kernels.items():
            replicates[name].append(kernel(drawn))
    return {name: np.concatenate(parts) for name, parts in replicates.items()}


@dataclass(frozen=True, eq=False)
class Store:
    """A cache of replicates for one human column and one plan."""

    blocks: dict[tuple[str, bytes], tuple[tuple[str, ...], FloatArray]] = field(
        default_factory=dict
    )

    def keep(self, kind: str, sample: Sample, block: FloatArray) -> None:
        self.blocks[kind, sample.rows] = (sample.names, block)

    def find(self, kind: str, sample: Sample) -> FloatArray | None:
        """Return (B, M) replicates of the sample's metrics, or None if one is missing."""
        names, block = self.blocks.get((kind, sample.rows), ((), np.zeros((0, 0))))
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
        replicates = np.empty((drawn.shape[0], len(metrics)))
        for place, (metric, of) in enumerate(zip(metrics, human_of, strict=True)):
            weight = metric.weights(by_group)
            times = metric.fold(weight)
            own = _rank_spread(times, n)
            ranked = np.take(ranks, of, axis=0)
            ranked *= weight
            # Centring the ranks of one side is enough.
            cross = np.einsum("kb,kb->b", metric.fold(ranked), _ranks(times))
            replicates[:, place] = ratio(12 * cross, np.sqrt(spread) * np.sqrt(own))
        return replicates

    return compute


def roc_kernel(sample: Sample) -> Kernel:
    """Return a kernel for the area under the ROC curve; `sample.x` is 1 (pass) or 0."""
    metrics = [Sorted.by(column, sample.codes) for column in sample.y.T]

    def compute(drawn: FloatArray) -> FloatArray:
        by_group = np.ascontiguousarray(drawn.T)
        replicates = np.empty((drawn.shape[0], len(metrics)))
        for place, metric in enumerate(metrics):
            weight = metric.weights(by_group)
            passed = weight * sample.x[metric.order, None]
            weight -= passed
            passed, failed = metric.fold(passed), metric.fold(weight)
            pairs = passed.sum(axis=0) * failed.sum(axis=0)
            replicates[:, place] = ratio(np.einsum("kb,kb->b", passed, _ranks(failed)), pairs)
        return replicates

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
        replicates = np.empty((drawn.shape[0], 2 * len(metrics)))
        exact = drawn.astype(signs[0].dtype)
        for place, (metric, sign) in enumerate(zip(metrics, signs, strict=True)):
            gap = np.einsum("bg,bg->b", exact @ sign, drawn)
            times = metric.fold(metric.weights(by_group))
            other = n**2 - (times**2).sum(axis=0)
            fewest = np.minimum(values, (times > 0).sum(axis=0)).astype(np.float64)
            replicates[:, place] = ratio(gap, np.sqrt(apart) * np.sqrt(other))
            replicates[:, len(metrics) + place] = ratio(gap * fewest, n**2 * (fewest - 1))
        return replicates

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
    totals = np.empty((starts.size, starts.size))
    for first in range(0, starts.size, ROW_BLOCK):
        last = min(first + ROW_BLOCK, starts.size)
        rows = slice(starts[first], ends[last - 1])
        block = classes[rows, None]
        product = people[rows] * ((block > classes).astype(np.int8) - (block < classes))
        cut = starts[first:last] - starts[first]
        inside = np.add.reduceat(product, cut, axis=0, dtype=np.int32)
        totals[first:last] = np.add.reduceat(inside, starts, axis=1)
    return totals


# Design effect and true level of tests that assume paraphrases of one original independent.


TOO_BOLD = 0.075  # Warn if a nominal .05 test has a higher type I error rate than this.


class ClusteringJson(TypedDict):
    """`Clustering` in a report."""

    icc: float | None
    design_effect: float | None
    level: float | None


@dataclass(frozen=True)
class Clustering:
    """Clustering of the units' influences on a difference between two metrics.

    icc            one-way intraclass correlation of the influences by cluster (ANOVA); None if
                   every cluster has one unit
    design_effect  cluster-robust variance / variance for independent units
    level          type I error rate of a nominal .05 test that assumes independent units, by the
                   normal approximation; None without a design effect
    """

    icc: float | None
    design_effect: float | None

    @property
    def level(self) -> float | None:
        if self.design_effect is None:
            return None
        return float(2 * normal_above(NORMAL_95 / np.sqrt(max(self.design_effect, 1e-12))))

    @property
    def too_bold(self) -> bool:
        return self.level is not None and self.level > TOO_BOLD

    def to_json(self) -> ClusteringJson:
        return {"icc": self.icc, "design_effect": self.design_effect, "level": self.level}


def correlation_shares(sample: Sample) -> FloatArray:
    """Return the (n, M) influence of each unit on Pearson's r of each metric; columns sum to 0.

    The influence on a difference of two metrics is the difference of their influences; the sum of
    squared cluster sums gives its variance (infinitesimal jackknife). Source: Hampel 1974.
    """
    h, a = standard(sample.x)[:, None], standard(sample.y)
    r = (h * a).mean(axis=0)
    return np.asarray(h * a - r * (h * h + a * a) / 2)


def clustering(shares: FloatArray, codes: IntArray, pairs: IntArray) -> list[Clustering]:
    """Return the clustering for each pair (P, 2) of columns of `shares` (n, M)."""
    n, groups = shares.shape[0], int(codes.max()) + 1
    sizes = np.bincount(codes).astype(np.float64)
    sums = by_group(shares, codes, groups)
    within, between = _gap(shares.T @ shares, pairs), _gap(sums.T @ sums, pairs)
    means = _gap(sums.T @ (sums / sizes[:, None]), pairs)
    effect = ratio(between * groups / max(groups - 1, 1), within * n / max(n - 1, 1))
    icc = np.full(len(pairs), np.nan)
    if n > groups > 1:
        above, below = means / (groups - 1), (within - means) / (n - groups)
        usual = (n - (sizes**2).sum() / n) / (groups - 1)
        icc = ratio(above - below, above + (usual - 1) * below)
    return [
        Clustering(_number_or_none(i), _number_or_none(e)) for i, e in zip(icc, effect, strict=True)
    ]


def _gap(gram: FloatArray, pairs: IntArray) -> FloatArray:
    """Return squared norms of the differences of column pairs, from the Gram matrix."""
    first, second = pairs.T
    gap = gram[first, first] + gram[second, second] - 2 * gram[first, second]
    return np.asarray(np.maximum(gap, 0))


def _number_or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def mcnemar_clustering(right: FloatArray, only: FloatArray, pairs: IntArray) -> list[Clustering]:
    """Return the clustering of the discordant pairs of McNemar's test.

    right (G, M): pairs ordered as by humans, per cluster; only (M, M): pairs correct by the row's
    metric but not by the column's.
    """
    return [
        decision_clustering(right[:, a] - right[:, b], float(only[a, b] + only[b, a]))
        for a, b in pairs
    ]


def decision_clustering(gap: FloatArray, discordant: float) -> Clustering:
    """Return the clustering of one pair's decisions that differ.

    gap  (G,) per cluster, those of the first alone minus those of the second alone
    """
    groups = gap.size
    if groups < 2 or discordant <= 0:
        return Clustering(None, None)
    between = float(((gap - gap.mean()) ** 2).sum()) * groups / (groups - 1)
    return Clustering(None, between / discordant)


# What looking at a test again and again, while judgments arrive, does to its level.


# Share of samples in which two equal systems were called different at .05 at least once, by number
# of looks, each after 20 more originals: 12,000 samples of tests/scoring/stats/significance/
# test_max_t.py. Standard error at most .004.
FALSE_ALARMS = {
    1: 0.0452,
    2: 0.0751,
    3: 0.1007,
    5: 0.1352,
    10: 0.1918,
    20: 0.2508,
    50: 0.3324,
}
UNKNOWN = say("It is not known how often they were looked at before looks were counted.")


class LooksJson(TypedDict):
    """How many states of the judgments were looked at so far, this one included.

    unknown_before  whether there were looks before they were counted
    false_alarms    how often two equal systems are called different at least once in `simulated`
                    looks, the largest known number that is not above `states`; both None without
                    any look
    told            the same as a sentence; None for a single look, with none before
    """

    states: int
    unknown_before: bool
    simulated: int | None
    false_alarms: float | None
    told: Sentence | None


def looks_told(states: int, *, unknown_before: bool = False) -> LooksJson:
    """Return the effect on the tests of looking at that many states of the judgments."""
    of = max((looks for looks in FALSE_ALARMS if looks <= states), default=None)
    sentences = []
    if of is not None and states > 1:
        sentences.append(
            say(
                "These comparisons were made from %(states)s states of the judgments since the "
                "campaign began. Each look is another chance to find a difference that is not "
                "there: in simulations, two equal systems were called different at .05 at least "
                "once in %(share)s %% of samples after %(of)s looks, each with as many new "
                "judgments, and in %(once)s %% after one. Decide beforehand how many judgments "
                "there will be, and use the tests once, when all are there.",
                states=states,
                share=f"{100 * FALSE_ALARMS[of]:.0f}",
                of=of,
                once=f"{100 * FALSE_ALARMS[1]:.0f}",
            )
        )
    if unknown_before:
        sentences.append(UNKNOWN)
    return {
        "states": states,
        "unknown_before": unknown_before,
        "simulated": of,
        "false_alarms": None if of is None else FALSE_ALARMS[of],
        "told": joined(" ", sentences) if sentences else None,
    }
