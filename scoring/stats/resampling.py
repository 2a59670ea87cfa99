"""Replicates of statistics of agreement: units grouped by their counts of values, and what is
left out or drawn of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.intervals import (
    BLOCK_CELLS,
    LEAST_AGREEMENT,
    Bootstrap,
    Form,
    attach,
    draws,
    groups_of,
)
from scoring.stats.table import (
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    RatingTable,
    align,
    combine,
)

# Formulas of agreement coefficients, from counts: percent, Fleiss, Gwet, Krippendorff's alpha.
#
# They depend only on the number of annotators per level and unit.
#
# A unit enters only through its vector of counts, so equal vectors are stored once (`Patterns`) and
# every statistic is a function of the frequencies of the vectors. Weights of shape (1, P) give the
# point value; a bootstrap is the same call with (B, P) weights. NaN marks an undefined result;
# `agreement/coefficients.py` replaces it by a reason.


Statistic = Callable[["Patterns", FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Patterns:
    """The P distinct count vectors of a table's rated units.

    counts  (P, V) sparse: number of annotators who gave each level
    levels  (V,) ascending values of the full scale, used or not
    size    (P,) number of ratings in the vector
    same, near   (P,) number of ordered pairs of equal ratings, and of ratings at most one apart
    weight  (P,) number of units with the vector
    of_unit (U,) vector of each rated unit, in the order of table.rated_units
    """

    counts: scipy.sparse.csr_array
    levels: FloatArray
    size: FloatArray
    same: FloatArray
    near: FloatArray
    weight: FloatArray
    of_unit: IntArray

    @classmethod
    def of(cls, table: RatingTable, levels: FloatArray) -> Patterns:
        """Group the rated units of `table`; levels are ascending and include every value."""
        sizes = table.ratings_per_unit[table.rated_units]
        order = np.argsort(table.unit * max(levels.size, 1) + table.codes(levels), kind="stable")
        codes = table.codes(levels)[order]
        starts = np.cumsum(sizes) - sizes
        of_unit = np.zeros(sizes.size, dtype=np.int64)
        rows: list[IntArray] = []
        total = 0
        for size in np.unique(sizes):
            units = np.flatnonzero(sizes == size)
            block = codes[starts[units][:, None] + np.arange(size)]
            distinct, inverse = _unique_rows(block, levels.size)
            of_unit[units] = inverse + total
            total += len(distinct)
            rows.extend(distinct)
        return cls._from_rows(rows, levels, of_unit)

    @classmethod
    def _from_rows(cls, rows: list[IntArray], levels: FloatArray, of_unit: IntArray) -> Patterns:
        size = np.array([len(row) for row in rows], dtype=np.int64)
        column = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        owner = np.repeat(np.arange(size.size), size)
        counts = scipy.sparse.csr_array(
            (np.ones(column.size), (owner, column)), shape=(size.size, levels.size)
        )
        counts.sum_duplicates()
        reach = np.searchsorted(levels, levels + 1 + 1e-9, side="right")
        key = owner * max(levels.size, 1) + column
        upper = np.searchsorted(key, owner * max(levels.size, 1) + reach[column], side="left")
        later = np.bincount(owner, upper - np.arange(key.size) - 1, minlength=size.size)
        return cls(
            counts,
            levels,
            size.astype(np.float64),
            np.asarray(counts.multiply(counts).sum(axis=1)).ravel() - size,
            2.0 * later.astype(np.float64),
            np.bincount(of_unit, minlength=size.size).astype(np.float64),
            of_unit,
        )

    @property
    def pairs(self) -> FloatArray:
        """(P,) number of ordered pairs of ratings."""
        return self.size * (self.size - 1)


def _unique_rows(block: IntArray, base: int) -> tuple[IntArray, IntArray]:
    """Return the distinct rows, and the position of each row among them."""
    size = block.shape[1]
    if size * np.log2(max(base, 2)) >= 62:
        distinct, inverse = np.unique(block, axis=0, return_inverse=True)
        return distinct, inverse.ravel()
    key = block @ (base ** np.arange(size, dtype=np.int64))
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return block[first], inverse.ravel()


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, NaN if the denominator is 0 (up to rounding)."""
    result: FloatArray = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=np.abs(denominator) > 1e-12)
    return result


def _mean_over_pairable(p: Patterns, w: FloatArray, share: FloatArray) -> FloatArray:
    pairable = p.size >= 2
    return ratio(w[:, pairable] @ share[pairable], w[:, pairable].sum(axis=1))


def _per_pair(p: Patterns, total: FloatArray) -> FloatArray:
    return total / np.maximum(p.pairs, 1)


def percent_agreement(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the mean share of agreeing pairs over units with two or more ratings."""
    return _mean_over_pairable(p, w, _per_pair(p, p.same))


def within_one(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the mean share of pairs at most one point apart over units with two ratings."""
    return _mean_over_pairable(p, w, _per_pair(p, p.near))


def _shares(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the (B, V) mean over rated units of the share of each level (Gwet 2014)."""
    share = scipy.sparse.diags_array(1 / p.size) @ p.counts
    return np.asarray((share.T @ w.T).T / w.sum(axis=1, keepdims=True))


def _chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return ratio(observed - expected, 1 - expected)


def fleiss_kappa(p: Patterns, w: FloatArray) -> FloatArray:
    """Fleiss 1971; with unequal numbers of ratings Gwet's 2014 generalisation."""
    return _chance_corrected(percent_agreement(p, w), (_shares(p, w) ** 2).sum(axis=1))


def gwet_ac1(p: Patterns, w: FloatArray) -> FloatArray:
    """Gwet 2008, with the full scale as categories."""
    share = _shares(p, w)
    expected = (share * (1 - share)).sum(axis=1) / (p.levels.size - 1)
    return _chance_corrected(percent_agreement(p, w), expected)


def brennan_prediger(p: Patterns, w: FloatArray) -> FloatArray:
    """Brennan and Prediger 1981, with the full scale as categories."""
    observed = percent_agreement(p, w)
    return _chance_corrected(observed, np.full_like(observed, 1 / p.levels.size))


def gwet_ac2(p: Patterns, w: FloatArray) -> FloatArray:
    """Gwet 2014, with quadratic weights 1 - (x - y)^2 / range^2 over the full scale."""
    x = p.levels - p.levels.mean()
    span, q = float(x[-1] - x[0]), x.size
    spread = 2 * (p.size * (p.counts @ x**2) - (p.counts @ x) ** 2)
    observed = _mean_over_pairable(p, w, 1 - _per_pair(p, spread) / span**2)
    weights_total = q**2 - 2 * q * float((x**2).sum()) / span**2
    share = _shares(p, w)
    expected = weights_total / (q * (q - 1)) * (share * (1 - share)).sum(axis=1)
    return _chance_corrected(observed, expected)


def alpha_nominal(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the nominal difference."""
    weights, counts, size, pairable = _pairable(p, w)
    level_total = np.asarray((counts.T @ weights.T).T)
    n = level_total.sum(axis=1)
    within = weights @ ((size * (size - 1) - p.same[pairable]) / (size - 1))
    between = n**2 - (level_total**2).sum(axis=1)
    return 1 - ratio(within * (n - 1), between)


def alpha_interval(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the interval difference (x - y)^2."""
    return _alpha_on_scores(p, w, lambda totals: np.broadcast_to(p.levels, totals.shape))


def alpha_ordinal(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the ordinal difference.

    It is the squared difference of the levels' mid-ranks among all pairable ratings, so ordinal
    alpha is interval alpha computed on mid-ranks.
    """
    return _alpha_on_scores(p, w, lambda totals: np.cumsum(totals, axis=1) - totals / 2)


def _pairable(
    p: Patterns, w: FloatArray
) -> tuple[FloatArray, scipy.sparse.csr_array, FloatArray, IntArray]:
    index = np.flatnonzero(p.size >= 2)
    return w[:, index], p.counts[index], p.size[index], index


def _alpha_on_scores(
    p: Patterns, w: FloatArray, scores: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Return 1 - D_o / D_e from sums of squares; `scores` maps (B, V) totals to (B, V) values."""
    weights, counts, size, _ = _pairable(p, w)
    totals = np.asarray((counts.T @ weights.T).T)
    n = totals.sum(axis=1)
    score = scores(totals)
    # Centre and scale for numerical precision; alpha is invariant. Without variation the scores
    # would be rounding noise, so they are set to 0.
    score = score - ratio((totals * score).sum(axis=1), n)[:, None]
    score = np.where((totals > 0).sum(axis=1, keepdims=True) > 1, score, 0.0)
    score = score / np.maximum(np.abs(score).max(axis=1, initial=0.0, keepdims=True), 1e-300)
    first, second = counts @ score.T, counts @ (score**2).T
    spread = 2 * (size[:, None] * second - first**2) / (size - 1)[:, None]
    within = (weights.T * spread).sum(axis=0)
    return 1 - ratio(within * (n - 1), 2 * n * (totals * score**2).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Draws:
    """What is left out, or drawn, of the rated units.

    group      (U,) codes from 0 of the groups of rated units that are left out or drawn together
    clusters   (U,) codes from 0 of the clusters; a group is one of them, or several (`groups_of`)
    clustered  whether clusters were given, rather than each unit being its own
    jackknife  True: one replicate per group, without it. False: `plan.replicates` bootstrap samples
               of groups.
    """

    group: IntArray
    plan: Bootstrap
    clustered: bool = False
    jackknife: bool = False
    clusters: IntArray | None = None

    @classmethod
    def of(cls, table: RatingTable, plan: Bootstrap, clusters: IntArray | None) -> Draws:
        """Build for the rated units of `table`. clusters: (n_units,) codes, None for units."""
        rated = table.rated_units
        codes = np.arange(rated.size) if clusters is None else clusters[rated]
        codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
        draws = cls(codes, plan, clusters is not None, clusters=codes)
        return draws.without_groups() if plan.jackknife else draws

    @cached_property
    def groups(self) -> int:
        return int(self.group.max(initial=-1)) + 1

    @property
    def count(self) -> int:
        """Number of replicates."""
        return self.groups if self.jackknife else self.plan.replicates

    @cached_property
    def members(self) -> list[IntArray]:
        """Positions of the units of each group."""
        order = np.argsort(self.group, kind="stable")
        ends = np.cumsum(np.bincount(self.group, minlength=self.groups))
        return np.split(order, ends[:-1])

    def without_groups(self) -> Draws:
        """Return the jackknife over the same units."""
        codes = self.group if self.clusters is None else self.clusters
        groups = groups_of(int(codes.max(initial=-1)) + 1, self.plan.seed)
        return replace(self, group=groups[codes], jackknife=True)

    def weights(self, width: int = 0) -> Iterator[FloatArray]:
        """Yield (b, groups) blocks of bootstrap weights; `width` as in `draws`."""
        rng = np.random.default_rng(self.plan.seed)
        step = max(1, BLOCK_CELLS // max(self.groups, width, 1))
        for start in range(0, self.plan.replicates, step):
            size = min(step, self.plan.replicates - start)
            drawn = rng.integers(self.groups, size=(size, self.groups))
            cell = drawn + self.groups * np.arange(size)[:, None]
            times = np.bincount(cell.ravel(), minlength=size * self.groups)
            yield times.reshape(size, self.groups).astype(np.float64)

    def sums(self, cells: FloatArray | scipy.sparse.csr_array) -> Iterator[FloatArray]:
        """Yield (b, C) blocks of weighted sums of `cells`, (U, C), over units."""
        owner = scipy.sparse.csr_array(
            (np.ones(self.group.size), (self.group, np.arange(self.group.size))),
            shape=(self.groups, self.group.size),
        )
        by_group = owner @ cells
        if self.jackknife:
            dense = by_group.toarray() if scipy.sparse.issparse(by_group) else by_group
            yield dense.sum(axis=0) - dense
            return
        for block in self.weights(cells.shape[1]):
            yield np.asarray((by_group.T @ block.T).T)

    @property
    def codes(self) -> IntArray:
        """(U,) the cluster of each unit, also where clusters are left out in groups."""
        return self.group if self.clusters is None else self.clusters

    def contributing(self, used: BoolArray) -> BoolArray:
        """Return which clusters have a unit that is used."""
        return np.asarray(
            np.bincount(self.codes, used, minlength=int(self.codes.max(initial=-1)) + 1) > 0
        )

    def attach(
        self,
        estimate: Estimate,
        replicates: FloatArray,
        form: Form = "plain",
        used: BoolArray | None = None,
        ends: tuple[float, float] = (-np.inf, 1.0),
    ) -> Estimate:
        """Return the estimate with the interval from its replicates, or the reason for none.

        used  (U,) the units that the coefficient is made of; default: all. Clusters without one do
              not count.
        """
        some = None if used is None else self.contributing(used)
        return attach(
            estimate,
            replicates,
            replace(self.plan, replicates=0) if self.jackknife else self.plan,
            int(self.codes.max(initial=-1)) + 1,
            self.clustered,
            form=form,
            least=LEAST_AGREEMENT,
            ends=ends,
            contributing=some,
        )


def count_replicates(
    patterns: Patterns, statistics: Mapping[str, Statistic], draws_of: Draws
) -> dict[str, FloatArray]:
    """Return (B,) replicates of count-based statistics.

    Resampling units with replacement is equivalent to a multinomial draw over the distinct count
    vectors, at a cost independent of the number of units.
    """
    replicates: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    size = patterns.of_unit.size
    width = max(patterns.weight.size, patterns.levels.size)
    if draws_of.clustered or draws_of.jackknife:
        cells = scipy.sparse.csr_array(
            (np.ones(size), (np.arange(size), patterns.of_unit)),
            shape=(size, patterns.weight.size),
        )
        blocks = draws_of.sums(cells)
    else:
        blocks = draws(draws_of.plan, size, patterns.weight / size, width)
    for weights in blocks:
        for name, statistic in statistics.items():
            replicates[name].append(statistic(patterns, weights))
    return {name: np.concatenate(parts) for name, parts in replicates.items()}


# Pass decisions: whether one annotator's ratings of a unit reach every threshold.


SLACK = 1e-9


@dataclass(frozen=True)
class Threshold:
    """A pass threshold, inclusive."""

    value: float
    higher_is_better: bool = True

    def reached(self, values: FloatArray) -> BoolArray:
        """Return which values pass, with a tolerance for rounding error of means."""
        if self.higher_is_better:
            return values >= self.value - SLACK
        return values <= self.value + SLACK


def pass_table(
    tables: Mapping[str, RatingTable], thresholds: Mapping[str, Threshold]
) -> RatingTable:
    """Return a table with 1 if an annotator's ratings of a unit reach every threshold, else 0.

    Only scales with a threshold are used, and only annotators who rated the unit on all of them.
    Raises ValueError without a threshold, or for a threshold without a table.
    """
    missing = [scale for scale in thresholds if scale not in tables]
    if missing or not thresholds:
        raise ValueError(f"no ratings on the scale {missing[0]}" if missing else "no threshold")
    chosen = [tables[scale] for scale in thresholds]
    _, values = align(chosen)
    reached = [t.reached(v) for t, v in zip(thresholds.values(), values, strict=True)]
    return replace(combine(chosen), value=np.logical_and.reduce(reached).astype(np.float64))
