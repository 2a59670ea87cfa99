"""Seeded bootstrap and jackknife over clusters or units, as weights if a statistic allows it.

Paraphrases of one original are not independent, so whole clusters are resampled if there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.table import (
    CLUSTERS,
    UNITS,
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    RatingTable,
    align,
    combine,
    t_quantile,
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
    """Return the share of pairs at most one point apart, pooled over units."""
    return ratio(w @ p.near, w @ p.pairs)


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


BLOCK_CELLS = 2_000_000
LEAST_DEFINED = 0.9
LEAST_GROUPS = 5
JACKKNIFE_GROUPS = 100
FEW_ORIGINALS = 15  # With fewer originals a report on systems or metrics warns.
NO_WIDTH = say("every replicate has the same value: the interval would have no width")


def few_originals(groups: int | None) -> Sentence | None:
    """Return the warning that intervals from so few originals are too narrow, or that there are
    none, or None.

    Measured coverage: docs/gold-and-results.md.
    """
    if groups is None or not 0 < groups < FEW_ORIGINALS:
        return None
    if groups < LEAST_GROUPS:
        return say(
            "Originals (phrases, or items): %(n)s. Intervals that draw originals need %(least)s, "
            "and those that treat each judgment as independent are too narrow.",
            n=groups,
            least=LEAST_GROUPS,
        )
    return say(
        "Only %(n)s originals (phrases, or items): with under %(least)s, intervals of 95 %% are "
        "too narrow. In simulations they contained the true value in 87 to 91 of 100 samples.",
        n=groups,
        least=FEW_ORIGINALS,
    )


@dataclass(frozen=True)
class Bootstrap:
    """Settings of resampling: number of replicates (0: no intervals), seed of the random number
    generator, and the name of the clusters ("phrases")."""

    replicates: int = 0
    seed: int = 0
    clusters: Sentence = CLUSTERS


def draws(
    plan: Bootstrap, total: int, probability: FloatArray, width: int = 0
) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of multinomial counts of G groups, with `total` draws per replicate.

    width: cells per replicate in the caller's arrays; blocks are limited to about 2 million cells.
    """
    rng = np.random.default_rng(plan.seed)
    step = max(1, BLOCK_CELLS // max(probability.size, width, 1))
    for start in range(0, plan.replicates, step):
        size = min(step, plan.replicates - start)
        yield rng.multinomial(total, probability, size=size).astype(np.float64)


def even(groups: int) -> FloatArray:
    """Return equal probabilities."""
    return np.full(groups, 1 / max(groups, 1))


def percentile_interval(replicates: FloatArray) -> tuple[float, float] | None:
    """Return the 2.5 % and 97.5 % quantiles of the replicates; None if over 10 % are undefined."""
    defined = replicates[~np.isnan(replicates)]
    if defined.size == 0 or defined.size < LEAST_DEFINED * replicates.size:
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def attach(
    estimate: Estimate, replicates: FloatArray, plan: Bootstrap, groups: int, clustered: bool
) -> Estimate:
    """Return the estimate with its percentile interval, or the reason for none in its options.

    groups: number of clusters (or units) resampled. With too few the interval is far too narrow
    (of zero width for one), so none is given; nor if all replicates are equal, as where all agree.
    """
    if estimate.value is None:
        return estimate
    interval = percentile_interval(replicates)
    # xgettext:no-python-format
    why_not = NOTHING if interval else say("over 10 % of the replicates are undefined")
    if groups < LEAST_GROUPS:
        why_not = say(
            "fewer than %(least)s %(clusters)s to draw",
            least=LEAST_GROUPS,
            clusters=plan.clusters if clustered else UNITS,
        )
    if interval and not why_not and _is_point(*interval):
        why_not = NO_WIDTH
    if interval is None or why_not:
        return replace(estimate, options={**estimate.options, "no_interval": why_not})
    return estimate.with_interval(
        *interval,
        generalises_to=say("new %(clusters)s", clusters=plan.clusters if clustered else UNITS),
        options={"bootstrap": plan.replicates, "interval": say("95 % percentile")},
        seed=plan.seed,
    )


def _is_point(low: float, high: float) -> bool:
    return high - low <= 1e-12 * max(1.0, abs(low))


@dataclass(frozen=True, eq=False)
class Draws:
    """A resampling scheme over the rated units.

    group      (U,) codes from 0 of the groups of rated units that are resampled together
    clustered  whether groups are clusters rather than single units
    jackknife  False: `plan.replicates` bootstrap samples of groups. True: one replicate per group,
               omitting it (delete-a-group jackknife, Kott 2001), for statistics too expensive to
               bootstrap.
    """

    group: IntArray
    plan: Bootstrap
    clustered: bool = False
    jackknife: bool = False

    @classmethod
    def of(cls, table: RatingTable, plan: Bootstrap, clusters: IntArray | None) -> Draws:
        """Build for the rated units of `table`. clusters: (n_units,) codes, None for units."""
        if clusters is None:
            return cls(np.arange(table.rated_units.size), plan)
        group = np.unique(clusters[table.rated_units], return_inverse=True)[1]
        return cls(group.astype(np.int64), plan, clustered=True)

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
        """Return the jackknife over the same units, with groups randomly merged into about 100."""
        shuffled = np.random.default_rng(self.plan.seed).permutation(self.groups)
        merged = shuffled % min(JACKKNIFE_GROUPS, max(self.groups, 1))
        return replace(self, group=merged[self.group], jackknife=True)

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

    def attach(self, estimate: Estimate, replicates: FloatArray) -> Estimate:
        """Return the estimate with the interval from its replicates (see `attach`)."""
        if not self.jackknife:
            return attach(estimate, replicates, self.plan, self.groups, self.clustered)
        return _attach_jackknife(estimate, replicates, self)


def _attach_jackknife(estimate: Estimate, replicates: FloatArray, draws: Draws) -> Estimate:
    """Add the interval value +- t times the jackknife standard error, with upper limit 1."""
    if estimate.value is None:
        return estimate
    defined = replicates[~np.isnan(replicates)]
    j = defined.size
    if j < max(LEAST_GROUPS, LEAST_DEFINED * replicates.size):
        why_not = say("too few replicates of the jackknife are defined")
        return replace(estimate, options={**estimate.options, "no_interval": why_not})
    error = float(np.sqrt((j - 1) / j * ((defined - defined.mean()) ** 2).sum()))
    reach = float(t_quantile(0.975, j - 1)) * error
    if _is_point(-reach, reach):
        return replace(estimate, options={**estimate.options, "no_interval": NO_WIDTH})
    return estimate.with_interval(
        estimate.value - reach,
        max(estimate.value, min(1.0, estimate.value + reach)),
        generalises_to=say(
            "new %(clusters)s", clusters=draws.plan.clusters if draws.clustered else UNITS
        ),
        options={
            "interval": say("95 %% delete-a-group jackknife, %(n)s groups, t", n=j),
            "jackknife": j,
        },
        seed=draws.plan.seed,
    )


def count_replicates(
    patterns: Patterns, statistics: Mapping[str, Statistic], draws_of: Draws
) -> dict[str, FloatArray]:
    """Return (B,) replicates of count-based statistics.

    Resampling units with replacement is equivalent to a multinomial draw over the distinct count
    vectors, at a cost independent of the number of units.
    """
    found: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    size = patterns.of_unit.size
    width = max(patterns.weight.size, patterns.levels.size)
    if draws_of.clustered:
        cells = scipy.sparse.csr_array(
            (np.ones(size), (np.arange(size), patterns.of_unit)),
            shape=(size, patterns.weight.size),
        )
        blocks = draws_of.sums(cells)
    else:
        blocks = draws(draws_of.plan, size, patterns.weight / size, width)
    for weights in blocks:
        for name, statistic in statistics.items():
            found[name].append(statistic(patterns, weights))
    return {name: np.concatenate(parts) for name, parts in found.items()}


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
