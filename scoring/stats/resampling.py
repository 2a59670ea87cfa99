"""Bootstrap over clusters (or units), seeded; replicates are weights wherever a statistic allows.

Paraphrases of one original are not independent, so whole clusters are drawn where there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy import stats as distributions

from scoring.stats.counts import Patterns, Statistic
from scoring.stats.estimate import Estimate
from scoring.stats.table import FloatArray, IntArray, RatingTable

BLOCK_CELLS = 2_000_000
LEAST_DEFINED = 0.9
LEAST_GROUPS = 5
JACKKNIFE_GROUPS = 100


@dataclass(frozen=True)
class Bootstrap:
    """How to make intervals: number of replicates (0: none), the seed of the generator, and what
    the clusters are, where whole ones are drawn ("phrases")."""

    replicates: int = 0
    seed: int = 0
    clusters: str = "clusters"


def draws(
    plan: Bootstrap, total: int, probability: FloatArray, width: int = 0
) -> Iterator[FloatArray]:
    """(b, G) blocks of how often each of G groups is drawn, `total` draws per replicate.

    width: cells per replicate the caller will make of it; blocks stay near 2 million cells.
    """
    rng = np.random.default_rng(plan.seed)
    step = max(1, BLOCK_CELLS // max(probability.size, width, 1))
    for start in range(0, plan.replicates, step):
        size = min(step, plan.replicates - start)
        yield rng.multinomial(total, probability, size=size).astype(np.float64)


def even(groups: int) -> FloatArray:
    """Equal probabilities."""
    return np.full(groups, 1 / max(groups, 1))


def percentile_interval(replicates: FloatArray) -> tuple[float, float] | None:
    """2.5 % and 97.5 % points of the defined replicates; None where over 10 % are undefined."""
    defined = replicates[~np.isnan(replicates)]
    if defined.size == 0 or defined.size < LEAST_DEFINED * replicates.size:
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def attach(
    estimate: Estimate, replicates: FloatArray, plan: Bootstrap, groups: int, clustered: bool
) -> Estimate:
    """The estimate with its percentile interval, or with the reason for none in its options.

    groups: how many clusters (or units) there are to draw. Too few give an interval far too short,
    down to none at all for a single one, so none is shown.
    """
    if estimate.value is None:
        return estimate
    interval = percentile_interval(replicates)
    why_not = "" if interval else "over 10 % of the replicates are undefined"
    if groups < LEAST_GROUPS:
        why_not = f"fewer than {LEAST_GROUPS} {plan.clusters if clustered else 'units'} to draw"
    if interval is None or why_not:
        return replace(estimate, options={**estimate.options, "no_interval": why_not})
    return estimate.with_interval(
        *interval,
        generalises_to=f"new {plan.clusters if clustered else 'units'}",
        options={"bootstrap": plan.replicates, "interval": "95 % percentile"},
        seed=plan.seed,
    )


@dataclass(frozen=True, eq=False)
class Draws:
    """Replicates of a sample of units: how often each unit counts in each of them.

    group      (U,) codes from 0 on of the rated units: what is drawn or left out as a whole
    clustered  the groups are clusters of units, not single units
    jackknife  False: `plan.replicates` bootstrap samples of groups. True: as many as there are
               groups, each without one of them (delete-a-group jackknife, Kott 2001). It serves
               statistics whose replicates are too dear to be made a thousand times.
    """

    group: IntArray
    plan: Bootstrap
    clustered: bool = False
    jackknife: bool = False

    @classmethod
    def of(cls, table: RatingTable, plan: Bootstrap, clusters: IntArray | None) -> Draws:
        """Of the rated units of `table`. clusters: (n_units,) codes, or None to draw units."""
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
        """The units of each group."""
        order = np.argsort(self.group, kind="stable")
        ends = np.cumsum(np.bincount(self.group, minlength=self.groups))
        return np.split(order, ends[:-1])

    def without_groups(self) -> Draws:
        """The jackknife over the same units: groups thrown together until there are about 100."""
        shuffled = np.random.default_rng(self.plan.seed).permutation(self.groups)
        merged = shuffled % min(JACKKNIFE_GROUPS, max(self.groups, 1))
        return replace(self, group=merged[self.group], jackknife=True)

    def weights(self, width: int = 0) -> Iterator[FloatArray]:
        """(b, groups) blocks of bootstrap weights; `width` as in `draws`."""
        rng = np.random.default_rng(self.plan.seed)
        step = max(1, BLOCK_CELLS // max(self.groups, width, 1))
        for start in range(0, self.plan.replicates, step):
            size = min(step, self.plan.replicates - start)
            drawn = rng.integers(self.groups, size=(size, self.groups))
            cell = drawn + self.groups * np.arange(size)[:, None]
            times = np.bincount(cell.ravel(), minlength=size * self.groups)
            yield times.reshape(size, self.groups).astype(np.float64)

    def sums(self, cells: FloatArray | sparse.csr_array) -> Iterator[FloatArray]:
        """(b, C) blocks of sums over the units of `cells`, (U, C), each times its weight."""
        owner = sparse.csr_array(
            (np.ones(self.group.size), (self.group, np.arange(self.group.size))),
            shape=(self.groups, self.group.size),
        )
        by_group = owner @ cells
        if self.jackknife:
            dense = by_group.toarray() if sparse.issparse(by_group) else by_group
            yield dense.sum(axis=0) - dense
            return
        for block in self.weights(cells.shape[1]):
            yield np.asarray((by_group.T @ block.T).T)

    def attach(self, estimate: Estimate, replicates: FloatArray) -> Estimate:
        """The estimate with the interval that its replicates give (see `attach`)."""
        if not self.jackknife:
            return attach(estimate, replicates, self.plan, self.groups, self.clustered)
        return _attach_jackknife(estimate, replicates, self)


def _attach_jackknife(estimate: Estimate, replicates: FloatArray, draws: Draws) -> Estimate:
    """value +- t times the jackknife's standard error, at most 1."""
    if estimate.value is None:
        return estimate
    defined = replicates[~np.isnan(replicates)]
    j = defined.size
    if j < max(LEAST_GROUPS, LEAST_DEFINED * replicates.size):
        why_not = "too few replicates of the jackknife are defined"
        return replace(estimate, options={**estimate.options, "no_interval": why_not})
    error = float(np.sqrt((j - 1) / j * ((defined - defined.mean()) ** 2).sum()))
    reach = float(distributions.t.ppf(0.975, j - 1)) * error
    return estimate.with_interval(
        estimate.value - reach,
        max(estimate.value, min(1.0, estimate.value + reach)),
        generalises_to=f"new {draws.plan.clusters if draws.clustered else 'units'}",
        options={"interval": f"95 % delete-a-group jackknife, {j} groups, t", "jackknife": j},
        seed=draws.plan.seed,
    )


def count_replicates(
    patterns: Patterns, statistics: Mapping[str, Statistic], draws_of: Draws
) -> dict[str, FloatArray]:
    """(B,) replicates of statistics of counts.

    Where units are drawn, drawing them with replacement is exactly a multinomial draw over the
    distinct count vectors, however many units there are.
    """
    found: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    size = patterns.of_unit.size
    width = max(patterns.weight.size, patterns.levels.size)
    if draws_of.clustered:
        cells = sparse.csr_array(
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
