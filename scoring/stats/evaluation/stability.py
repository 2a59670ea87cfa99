"""Stability of a coefficient by the number of originals and of annotators.

Random subsets of the data are drawn repeatedly; bands contain 95 % of their coefficients. Subsets
overlap more as they grow, so the bands shrink to zero at the full size: they show what smaller
samples would have given, not the uncertainty of the full-sample value (see its interval).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from paraanno.common.progress import steps
from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.evaluation.json_types import CurveJson, PowerJson
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    number_of_pairs,
    pair_decisions,
    why_undecided,
)
from scoring.stats.intervals import (
    LEAST_CLUSTERS,
    Bootstrap,
    attach,
    jackknife_error,
    least_to_tell_apart,
    left_out,
)
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import (
    LEAST_UNITS,
    Kernel,
    Sample,
    is_constant,
    mid_ranks,
    pearson_kernel,
    replicate,
    sample_of,
    samples,
    spearman_kernel,
    why_not,
)
from scoring.stats.table import (
    Estimate,
    FloatArray,
    IntArray,
    RatingTable,
    normal_above,
    normal_below,
    normal_quantile,
    undefined,
)

DRAWS = 200
POINTS = 10
MOST_ANNOTATORS = 10
SHARE = 0.9
DEFINED = 0.9
CELLS = 2_000_000
NO_VARIATION = say("undefined: a column does not vary")
FEW_RATINGS = say("undefined: needs 3 units with two ratings each and a value of the metric")


@dataclass(frozen=True)
class StabilityPoint:
    """One point: size is the number of originals (units) or annotators.

    mean, low, high  over the draws; None if more than a tenth of them is undefined
    """

    size: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Curve:
    """Curve of one coefficient of one metric; `units` is the number of units used."""

    metric: str
    coefficient: str
    points: tuple[StabilityPoint, ...]
    units: int
    draws: int
    seed: int
    reason: Sentence = NOTHING

    def to_json(self) -> CurveJson:
        return {
            "metric": self.metric,
            "coefficient": self.coefficient,
            "units": self.units,
            "draws": self.draws,
            "seed": self.seed,
            "points": [
                {"size": point.size, "mean": point.mean, "low": point.low, "high": point.high}
                for point in self.points
            ],
            "reason": self.reason or None,
        }


def by_items(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    *,
    items: IntArray | None = None,
    sizes: Sequence[int] | None = None,
    times: int = DRAWS,
    seed: int = 0,
) -> list[Curve]:
    """Return curves by number of clusters (without any: units), drawn without replacement.

    Coefficients are pearson and spearman, and with clusters pairwise_accuracy, whose pairs stay
    within `items`, by default the clusters. sizes: default ten
    equal steps up to all originals; larger sizes are ignored.
    """
    curves: list[Curve] = []
    for sample in samples(human, metrics, clusters, items):
        kernels, dead = _kernels(sample)
        if sample.groups < LEAST_CLUSTERS:
            dead = dict.fromkeys(sample.names, _too_few(sample.groups))
        curves += [
            Curve(name, one, (), sample.n, times, seed, reason)
            for name, reason in dead.items()
            for one in ("pearson", "spearman")
        ]
        if sample.groups < LEAST_CLUSTERS:
            continue
        at = _sizes(sample.groups, sizes)
        for one, (names, kernel) in steps(list(kernels.items())):
            made = [_drawn(kernel, sample, size, times, seed) for size in at]
            for place, name in enumerate(names):
                points = tuple(
                    _point(size, block[:, place]) for size, block in zip(at, made, strict=True)
                )
                curves.append(Curve(name, one, points, sample.n, times, seed))
    return curves


def _kernels(sample: Sample) -> tuple[dict[str, tuple[Sequence[str], Kernel]], dict[str, Sentence]]:
    """Return kernels by coefficient with their metrics, and the reason for metrics without."""
    flat = sample.n < LEAST_UNITS or is_constant(sample.x)
    dead = {n: NO_VARIATION for n in sample.names if flat or is_constant(sample.column(n))}
    alive = sample.only([name for name in sample.names if name not in dead])
    kernels: dict[str, tuple[Sequence[str], Kernel]] = {}
    if alive.names:
        kernels["pearson"] = (alive.names, pearson_kernel(alive))
        kernels["spearman"] = (alive.names, spearman_kernel(alive))
    if sample.clustered and number_of_pairs(sample.within) <= MOST_PAIRS:
        decisions = pair_decisions(sample.x, sample.y, sample.within).by_cluster(sample)

        def accuracy(drawn: FloatArray) -> FloatArray:
            return ratio(drawn @ decisions.credit, (drawn @ decisions.pairs)[:, None])

        kernels["pairwise_accuracy"] = (sample.names, accuracy)
    return kernels, dead


def _too_few(groups: int) -> Sentence:
    return say("%(n)s phrases are needed; there are %(has)s", n=LEAST_CLUSTERS, has=groups)


def _sizes(groups: int, sizes: Sequence[int] | None) -> list[int]:
    if sizes is None:
        sizes = [round(groups * step / POINTS) for step in range(1, POINTS + 1)]
    return sorted({size for size in sizes if LEAST_CLUSTERS <= size <= groups})


def _drawn(kernel: Kernel, sample: Sample, size: int, times: int, seed: int) -> FloatArray:
    """Return (times, M) coefficients of random subsets of `size` clusters."""
    rng = np.random.default_rng(seed)
    step = max(1, CELLS // max(sample.n, 1))
    blocks = []
    for start in range(0, times, step):
        some = min(step, times - start)
        order = np.argsort(rng.random((some, sample.groups)), axis=1)[:, :size]
        drawn = np.zeros((some, sample.groups))
        np.put_along_axis(drawn, order, 1.0, axis=1)
        blocks.append(kernel(drawn))
    return np.concatenate(blocks)


def _point(size: int, values: FloatArray) -> StabilityPoint:
    defined = values[~np.isnan(values)]
    if defined.size < DEFINED * values.size or not defined.size:
        return StabilityPoint(size, None, None, None)
    low, high = np.quantile(defined, [0.025, 0.975])
    return StabilityPoint(size, float(defined.mean()), float(low), float(high))


def by_annotators(
    table: RatingTable,
    metrics: Mapping[str, FloatArray],
    *,
    most: int = MOST_ANNOTATORS,
    times: int = DRAWS,
    seed: int = 0,
) -> list[Curve]:
    """Return curves of pearson and spearman by number of ratings per human value.

    table   ratings of the units of the metrics' columns (n_units,)
    Each draw shuffles the ratings of every unit and takes the mean of the first 1, 2, ... of them.
    The largest size is the number of ratings that at least 90 % of rated units have, at most
    `most`; units with fewer ratings are omitted, so that all points use the same units.
    """
    n = table.ratings_per_unit
    rated = n[n > 0]
    size = min(most, int(np.quantile(rated, 1 - SHARE, method="lower"))) if rated.size else 0
    curves = []
    for name, column in steps(list(metrics.items())):
        units = np.flatnonzero((n >= max(size, 1)) & np.isfinite(column))
        y = column[units]
        reason = FEW_RATINGS if size < 2 or units.size < LEAST_UNITS else NOTHING
        if not reason and is_constant(y):
            reason = NO_VARIATION
        if reason:
            curves += [
                Curve(name, one, (), units.size, times, seed, reason)
                for one in ("pearson", "spearman")
            ]
            continue
        made = _by_ratings(table, units, y, size, times, seed)
        for place, one in enumerate(("pearson", "spearman")):
            points = tuple(_point(k + 1, made[place, k]) for k in range(size))
            curves.append(Curve(name, one, points, units.size, times, seed))
    return curves


def _by_ratings(
    table: RatingTable, units: IntArray, y: FloatArray, size: int, times: int, seed: int
) -> FloatArray:
    """Return (2, size, times) Pearson and Spearman of the mean of the first 1 ... size ratings."""
    rng = np.random.default_rng(seed)
    unit, _, value = table.by_unit
    row = np.isin(unit, units)
    unit, value = np.searchsorted(units, unit[row]), value[row]
    starts = np.searchsorted(unit, np.arange(units.size))
    targets = [_unit_length(column) for column in (y, mid_ranks(y))]
    correlations = np.full((2, size, times), np.nan)
    for draw in range(times):
        order = np.argsort(unit + rng.random(unit.size))
        total = np.zeros(units.size)
        for k in range(size):
            total = total + value[order[starts + k]]
            if is_constant(total):
                continue
            for place, column in enumerate((total, mid_ranks(total.round(9)))):
                correlations[place, k, draw] = _unit_length(column) @ targets[place]
    return correlations


def _unit_length(values: FloatArray) -> FloatArray:
    centred = values - values.mean()
    return np.asarray(centred / np.sqrt((centred**2).sum()))


# Sample size and power for detecting the difference between two metrics.
#
# The standard error of the difference is that of the jackknife by cluster, and is inversely
# proportional to the square root of the number of originals. The observed difference is used as the
# true effect; after a small study it is imprecise, and an overestimate gives too small a sample
# size.


ALPHA = 0.05
POWER = 0.8
MULTIPLES = (0.25, 0.5, 1, 2, 4, 8)
METHODS = {
    "pearson": say("difference of Pearson, a - b"),
    "pairwise_accuracy": say("difference of pairwise accuracy within originals, a - b"),
}


@dataclass(frozen=True)
class Power:
    """Power analysis of one pair of metrics.

    difference        with its 95 % interval by cluster; `error` is its standard error
    originals, units  number of clusters and units used
    power     of a two-sided test at .05 with the same number of originals; None of fewer than a
              swap test at .05 needs
    needed    originals for the requested power, at least as many as a swap test at .05 needs;
              units_needed at the mean number per original
    curve     (originals, power)
    """

    a: str
    b: str
    coefficient: str
    difference: Estimate
    originals: int = 0
    units: int = 0
    error: float | None = None
    power: float | None = None
    needed: int | None = None
    units_needed: int | None = None
    curve: tuple[tuple[int, float], ...] = ()

    def to_json(self) -> PowerJson:
        return {
            "a": self.a,
            "b": self.b,
            "coefficient": self.coefficient,
            "difference": self.difference.as_json(),
            "originals": self.originals,
            "units": self.units,
            "error": self.error,
            "power": self.power,
            "needed": self.needed,
            "units_needed": self.units_needed,
            "curve": [list(point) for point in self.curve],
        }


def powers(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    *,
    coefficient: str = "pearson",
    power: float = POWER,
    plan: Bootstrap = Bootstrap(),
) -> list[Power]:
    """Return the power analysis of every pair of metrics, on the units with all three values.

    coefficient  pearson, or pairwise_accuracy (needs clusters); raises ValueError for another, or
                 for a power outside 0.05 to 1
    plan         names the clusters
    """
    if coefficient not in METHODS or not ALPHA < power < 1:
        raise ValueError(f"coefficient is one of {', '.join(METHODS)}, power between .05 and 1")
    if coefficient == "pairwise_accuracy" and clusters is None:
        raise ValueError("pairwise accuracy needs the column of the originals")
    return [
        _of_pair(human, (a, metrics[a]), (b, metrics[b]), clusters, coefficient, power, plan)
        for a, b in steps(list(combinations(metrics, 2)))
    ]


def _of_pair(
    human: FloatArray,
    first: tuple[str, FloatArray],
    second: tuple[str, FloatArray],
    clusters: IntArray | None,
    coefficient: str,
    power: float,
    plan: Bootstrap,
) -> Power:
    sample = sample_of(human, {"a": first[1], "b": second[1]}, clusters)
    names, method = (first[0], second[0]), METHODS[coefficient]
    plan, groups, reason = replace(plan, replicates=0), sample.groups, NOTHING
    if coefficient == "pearson":
        reason = why_not(sample.x, sample.y[:, 0]) or why_not(sample.x, sample.y[:, 1])
        if not reason:
            kernel, n = pearson_kernel(sample), sample.n
            r = kernel(np.ones((1, groups)))[0]
            gap, made = float(r[0] - r[1]), replicate({"r": kernel}, plan, groups, n)["r"]
            gaps = made[:, 0] - made[:, 1]
    else:
        every = number_of_pairs(sample.codes)
        decisions = None if every > MOST_PAIRS else pair_decisions(sample.x, sample.y, sample.codes)
        if decisions is None or not decisions.pairs.sum():
            reason = why_undecided(every)
        else:
            credit, n = decisions.credit[:, 0] - decisions.credit[:, 1], int(decisions.pairs.sum())
            some = decisions.pairs > 0
            gap, groups = float(credit.sum()) / n, int(some.sum())
            rest = left_out(np.column_stack([credit, decisions.pairs])[some], plan.seed)
            gaps = ratio(rest[:, 0], rest[:, 1])
    if reason:
        none = undefined(reason, method=method)
        return Power(*names, coefficient, none, sample.groups, sample.n)
    estimate = attach(
        Estimate(gap, n=n, method=method), gaps, plan, groups, sample.clustered, ends=(-2.0, 2.0)
    )
    comparison = Power(*names, coefficient, estimate, sample.groups, sample.n)
    if groups < LEAST_CLUSTERS:
        return comparison
    return _planned(comparison, jackknife_error(gaps[~np.isnan(gaps)]), power)


def _planned(comparison: Power, error: float, power: float) -> Power:
    gap = abs(comparison.difference.value or 0.0)
    fields = {**comparison.__dict__, "error": error}
    if gap < 1e-12 or error < 1e-15:
        return Power(**fields)
    reach = float(normal_quantile(1 - ALPHA / 2) + normal_quantile(power))
    # Fewer cannot reach .05 by swaps, however great the difference.
    least = least_to_tell_apart()
    needed = max(math.ceil(comparison.originals * (error * reach / gap) ** 2), least)
    sizes = sorted({max(least, round(needed * many)) for many in MULTIPLES})
    per_original = comparison.units / comparison.originals
    return Power(
        **{
            **fields,
            "power": _power(gap, error) if comparison.originals >= least else None,
            "needed": needed,
            "units_needed": math.ceil(needed * per_original),
            "curve": tuple(
                (size, _power(gap, error * math.sqrt(comparison.originals / size)))
                for size in sizes
            ),
        }
    )


def _power(gap: float, error: float) -> float:
    """Return the power of a two-sided normal test at .05."""
    limit = float(normal_quantile(1 - ALPHA / 2))
    return float(normal_above(limit - gap / error) + normal_below(-limit - gap / error))
