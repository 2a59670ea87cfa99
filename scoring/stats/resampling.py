"""Seeded bootstrap and jackknife over clusters or units, as weights if a statistic allows it.

Paraphrases of one original are not independent, so whole clusters are resampled if there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.counts import Patterns, Statistic
from scoring.stats.distributions import t_quantile
from scoring.stats.estimate import CLUSTERS, UNITS, Estimate
from scoring.stats.table import FloatArray, IntArray, RatingTable

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
