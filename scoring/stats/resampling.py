"""Bootstrap over clusters (or units), seeded; replicates are weights wherever a statistic allows.

Paraphrases of one original are not independent, so whole clusters are drawn where there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from scoring.stats.counts import Patterns, Statistic
from scoring.stats.estimate import Estimate
from scoring.stats.table import FloatArray, IntArray, RatingTable, expand

BLOCK_CELLS = 2_000_000
LEAST_DEFINED = 0.9
LEAST_GROUPS = 5


@dataclass(frozen=True)
class Bootstrap:
    """How to make intervals: number of replicates (0: none) and the seed of the generator."""

    replicates: int = 0
    seed: int = 0


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
        why_not = f"fewer than {LEAST_GROUPS} {'clusters' if clustered else 'units'} to draw"
    if interval is None or why_not:
        return replace(estimate, options={**estimate.options, "no_interval": why_not})
    return estimate.with_interval(
        *interval,
        generalises_to="new clusters" if clustered else "new units",
        options={"bootstrap": plan.replicates, "interval": "95 % percentile"},
        seed=plan.seed,
    )


def count_replicates(
    patterns: Patterns,
    statistics: Mapping[str, Statistic],
    plan: Bootstrap,
    clusters: IntArray | None = None,
) -> dict[str, FloatArray]:
    """(B,) replicates of statistics of counts.

    clusters: (U,) code of each rated unit. Without them drawing units with replacement is exactly
    a multinomial draw over the distinct count vectors, however many units there are.
    """
    found: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    size = patterns.of_unit.size
    if clusters is None:
        probability, total, spread = patterns.weight / size, size, None
    else:
        groups = int(clusters.max()) + 1
        spread = sparse.csr_array(
            (np.ones(size), (clusters, patterns.of_unit)), shape=(groups, patterns.weight.size)
        )
        probability, total = even(groups), groups
    width = max(patterns.weight.size, patterns.levels.size)
    for drawn in draws(plan, total, probability, width):
        weights = drawn if spread is None else np.asarray((spread.T @ drawn.T).T)
        for name, statistic in statistics.items():
            found[name].append(statistic(patterns, weights))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def table_replicates(
    table: RatingTable,
    statistics: Callable[[RatingTable], Mapping[str, Estimate]],
    plan: Bootstrap,
    clusters: IntArray | None = None,
) -> dict[str, FloatArray]:
    """(B,) replicates of statistics that need to know who rated: one new table per replicate.

    clusters: (U,) code of each rated unit; None draws units.
    """
    groups = np.arange(table.rated_units.size) if clusters is None else clusters
    n_groups = int(groups.max(initial=-1)) + 1
    order = np.argsort(groups, kind="stable")
    ends = np.cumsum(np.bincount(groups, minlength=n_groups))
    starts = np.concatenate([[0], ends[:-1]])
    rng = np.random.default_rng(plan.seed)
    found: dict[str, list[float]] = {}
    for _ in range(plan.replicates):
        chosen, _owner = expand(starts, ends, rng.integers(n_groups, size=n_groups))
        drawn = table.take_units(table.rated_units[order[chosen]])
        for name, estimate in statistics(drawn).items():
            found.setdefault(name, []).append(np.nan if estimate.value is None else estimate.value)
    return {name: np.array(values) for name, values in found.items()}
