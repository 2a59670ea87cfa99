"""How intervals are made, for all statistics alike: floors, clusters, jackknife and Wilson.

Texts of one phrase (or item, where phrases are unknown) are not independent, so whole clusters are
left out one at a time: the delete-one jackknife (Tukey 1958; Efron and Tibshirani 1993, chapter
11), with Student's t and one degree of freedom fewer than there are clusters. Above 100 clusters
100 groups of clusters are left out instead (Kott 2001). Statistics with ends are moved to a scale
without (Fisher's z, logit), shares have Wilson's interval with the effective sample size. Who asks
for a bootstrap gets its percentiles. docs/statistics.md has the measured coverage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.table import (
    CLUSTERS,
    UNITS,
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Number,
    t_quantile,
)

# Clusters from which on there is an interval: of means, differences, shares, correlations and
# accuracies; of coefficients of agreement, and the verdicts on them. Only clusters count that
# contribute to the number.
LEAST_CLUSTERS = 5
LEAST_AGREEMENT = 8
# Of correlations over systems: systems; and clusters for the interval of the correlation that is
# corrected for noise.
LEAST_SYSTEMS = 5
LEAST_CORRECTED = 20
# Of boards over systems: clusters from which on submissions are told apart.
LEAST_OVER_SYSTEMS = 15
MOST_GROUPS = 100  # Left out one at a time; more clusters are put together into so many groups.
FEW_CLUSTERS = 15  # With fewer a report says how often intervals from so few were right.
# The lowest and the highest share of samples in which an interval from 5, 8 or 12 clusters held
# the true value: the table in docs/statistics.md. (Over systems, which it has apart, up to 1.00.)
MEASURED = (0.91, 0.98)
LEVEL = 0.05
TWO_SYSTEMS, TWO_METRICS = say("two systems"), say("two metrics")
LEAST_DEFINED = 0.9  # Of replicates.
BLOCK_CELLS = 2_000_000
FLAT = 1e-12

Form = Literal["plain", "z", "logit", "ratio"]
FORMS: Mapping[Form, Sentence] = {
    "plain": NOTHING,
    "z": say("Fisher's z, "),
    "logit": say("logit, "),
    "ratio": say("Fisher's z, MOVER of a ratio, "),
}
NO_WIDTH = say("every replicate has the same value: the interval would have no width")
AT_END = say("the value is at the end of its scale: the interval would have no width")
NEAR_ZERO = say("what it is divided by is not clearly above 0, and the ratio may have any value")
UNDEFINED = say("without some clusters the value is undefined")
# xgettext:no-python-format
UNDEFINED_DRAWS = say("over 10 % of the replicates are undefined")


@dataclass(frozen=True)
class Bootstrap:
    """Settings of intervals: number of bootstrap replicates (0, the default: the jackknife), seed
    of the random number generator, and the name of the clusters ("phrases")."""

    replicates: int = 0
    seed: int = 0
    clusters: Sentence = CLUSTERS

    @property
    def jackknife(self) -> bool:
        return self.replicates == 0

    def named(self, clustered: bool) -> Sentence:
        """What is left out or drawn."""
        return self.clusters if clustered else UNITS


def new(clusters: Sentence) -> Sentence:
    """Return what an interval by such clusters generalises to."""
    return say("new %(clusters)s", clusters=clusters)


NEW_UNITS = new(UNITS)


def lacking(clusters: int, least: int, named: Sentence) -> Sentence:
    """Return why so few clusters have no interval, or ""."""
    if clusters >= least:
        return NOTHING
    if clusters == 1:
        return say(
            "%(least)s %(clusters)s are needed for an interval; there is 1",
            least=least,
            clusters=named,
        )
    return say(
        "%(least)s %(clusters)s are needed for an interval; there are %(n)s",
        least=least,
        clusters=named,
        n=clusters,
    )


def few_clusters(numbers: Iterable[int]) -> Sentence | None:
    """Return the warning about intervals from few clusters, or None.

    numbers: the clusters behind each interval of a report.
    """
    fewest = min(numbers, default=FEW_CLUSTERS)
    if fewest >= FEW_CLUSTERS:
        return None
    return say(
        "Some intervals come from few originals (phrases, or items), the fewest from %(n)s. In "
        "simulations intervals of 95 %% from %(least)s to %(most)s originals contained the true "
        "value in %(low)s to %(high)s of 100 samples.",
        n=fewest,
        least=LEAST_CLUSTERS,
        most=FEW_CLUSTERS - 1,
        low=f"{100 * MEASURED[0]:.0f}",
        high=f"{100 * MEASURED[1]:.0f}",
    )


def clusters_behind(report: object) -> Iterator[int]:
    """Yield the number of clusters behind each interval of a report as JSON, however deep."""
    if isinstance(report, Mapping):
        # Of an estimate the options, of a system's number the interval.
        if "interval" in report or report.get("low") is not None:
            yield from [n] if isinstance(n := report.get("clusters"), int) else []
        for value in report.values():
            yield from clusters_behind(value)
    elif isinstance(report, list | tuple):
        for value in report:
            yield from clusters_behind(value)


def how_made(report: object) -> Sentence | None:
    """Return how the intervals of a report as JSON were made; None without any. Reports of earlier
    versions have percentiles."""
    for estimate in _estimates(report):
        options = estimate["options"]
        if n := options.get("bootstrap"):
            return say("percentiles of %(n)s bootstrap draws", n=f"{n:,}")
        if options.get("jackknife") and estimate.get("generalises_to") == NEW_UNITS:
            return say(
                "by the jackknife, leaving out one text after the other: texts are taken as "
                "independent"
            )
        if options.get("jackknife"):
            return say("by the jackknife, leaving out one phrase (or item) after the other")
    return None


def _estimates(report: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(report, Mapping):
        if isinstance(options := report.get("options"), Mapping) and "interval" in options:
            yield report
        for value in report.values():
            yield from _estimates(value)
    elif isinstance(report, list | tuple):
        for value in report:
            yield from _estimates(value)


def cannot_tell(clusters: int, what: Sentence, pairs: int = 1) -> Sentence | None:
    """Return that so few clusters cannot tell `what` ("two systems") apart; None if they can."""
    least = least_to_tell_apart(pairs)
    if not 0 < clusters < least:
        return None
    return say(
        "%(n)s phrases cannot tell %(what)s apart at .05; %(least)s are needed.",
        n=clusters,
        what=what,
        least=least,
    )


def cannot_tell_metrics(block: Mapping[str, Any], clusters: int) -> Sentence | None:
    """Return the same of the metrics on one human column of a correlation report as JSON."""
    pairs = sum(one.get("permutation_p") is not None for one in block.get("comparisons", ()))
    return cannot_tell(clusters, TWO_METRICS, pairs) if pairs else None


def least_to_tell_apart(pairs: int = 1) -> int:
    """Return the fewest clusters with which a swap test, adjusted over `pairs` by Holm, can reach
    p < .05: of n clusters the smallest two-sided p is 2 / 2^n."""
    clusters = 2
    while pairs * 2.0 ** (1 - clusters) > LEVEL:
        clusters += 1
    return clusters


# Replicates.


def groups_of(clusters: int, seed: int) -> IntArray:
    """Return for each cluster the group that it is left out with: itself, or above 100 clusters
    one of 100 groups that are drawn at random."""
    if clusters <= MOST_GROUPS:
        return np.arange(clusters)
    return np.random.default_rng(seed).permutation(clusters) % MOST_GROUPS


def left_out(cells: FloatArray, seed: int = 0) -> FloatArray:
    """Return (J, C) sums of (G, C) cells over all clusters but one, or but one group."""
    group = groups_of(cells.shape[0], seed)
    if cells.shape[0] > MOST_GROUPS:
        owner = np.zeros((MOST_GROUPS, group.size))
        owner[group, np.arange(group.size)] = 1.0
        cells = owner @ cells
    return np.asarray(cells.sum(axis=0) - cells)


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


def weights(plan: Bootstrap, clusters: int, width: int = 0) -> Iterator[FloatArray]:
    """Yield (b, G) blocks of how often each cluster is in a replicate; `width` as in `draws`.

    Of the jackknife that is 0 for what is left out, else 1.
    """
    if not plan.jackknife:
        yield from draws(plan, clusters, even(clusters), width)
        return
    group = groups_of(clusters, plan.seed)
    count = int(group.max(initial=-1)) + 1
    step = max(1, BLOCK_CELLS // max(clusters, width, 1))
    for start in range(0, count, step):
        out = np.arange(start, min(start + step, count))
        yield (group != out[:, None]).astype(np.float64)


def even(groups: int) -> FloatArray:
    """Return equal probabilities."""
    return np.full(groups, 1 / max(groups, 1))


# Intervals.


def percentile_interval(replicates: FloatArray) -> tuple[float, float] | None:
    """Return the 2.5 % and 97.5 % quantiles of the replicates; None if over 10 % are undefined."""
    defined = replicates[~np.isnan(replicates)]
    if defined.size == 0 or defined.size < LEAST_DEFINED * replicates.size:
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def is_point(low: float, high: float) -> bool:
    """Whether an interval has no width but for rounding."""
    return high - low <= FLAT * max(1.0, abs(low))


def jackknife_error(replicates: FloatArray) -> float:
    """Return the standard error from (J,) values without one cluster each: the root of
    (J - 1) / J times the sum of squared deviations from their mean."""
    j = replicates.size
    return float(np.sqrt((j - 1) / j * ((replicates - replicates.mean()) ** 2).sum()))


def jackknife_interval(
    value: float, replicates: FloatArray, form: Form = "plain"
) -> tuple[float, float] | Sentence:
    """Return the 95 % interval, or the reason for none.

    replicates  (J,) the statistic without each cluster that contributes; NaN if undefined
    form        the scale on which the interval is symmetric: as it is, Fisher's z, or logit. Where
                a replicate is at the end of its scale, the error is carried over by the derivative
    """
    defined = replicates[~np.isnan(replicates)]
    if defined.size < 2 or defined.size < LEAST_DEFINED * replicates.size:
        return UNDEFINED
    if jackknife_error(defined) <= FLAT * max(1.0, abs(value)):
        return NO_WIDTH
    reach = float(t_quantile(0.975, defined.size - 1))
    if form == "plain":
        reach *= jackknife_error(defined)
        return value - reach, value + reach
    least = -1.0 if form == "z" else 0.0
    # Both are atanh: the logit of p is twice atanh(2 p - 1).
    centre, moved = 2 * (value - least) / (1 - least) - 1, 2 * (defined - least) / (1 - least) - 1
    if not abs(centre) < 1 - FLAT:
        return AT_END
    if (np.abs(moved) < 1 - FLAT).all():
        error = jackknife_error(np.arctanh(moved))
    else:
        error = jackknife_error(moved) / (1 - centre**2)
    ends = np.tanh(np.arctanh(centre) + np.array([-1, 1]) * reach * error)
    low, high = (least + (1 - least) * (float(end) + 1) / 2 for end in ends)
    return min(low, value), max(high, value)


def ratio_interval(
    value: float, below: float, replicates: FloatArray
) -> tuple[float, float] | Sentence:
    """Return the 95 % interval of a ratio of two correlated coefficients, or the reason for none.

    It holds the ratios c for which the interval of the first minus c times the second holds 0. That
    interval recovers variances from the two of Fisher's z, so that it is as skewed as they are
    (MOVER: Zou 2007, of correlated estimates; of a ratio Donner and Zou 2012, Newcombe 2016).

    value, below  the ratio, and what it is divided by
    replicates    (J, 2) both numbers without each cluster that contributes; NaN if undefined
    """
    defined = replicates[~np.isnan(replicates).any(axis=1)]
    if len(defined) < 2 or len(defined) < LEAST_DEFINED * len(replicates):
        return UNDEFINED
    own, other = value * below, jackknife_interval(below, defined[:, 1], "z")
    one = jackknife_interval(own, defined[:, 0], "z")
    if isinstance(one, str):
        return one
    if isinstance(other, str):
        return other
    if other[0] <= 0:
        return NEAR_ZERO
    alike = float(np.asarray(np.corrcoef(defined.T))[0, 1])

    def end(limit: float, way: int) -> float:
        # Where the ratio is above 0, it is least where the second is greatest.
        at = other[1] if (limit > 0) == (way < 0) else other[0]
        apart, across = own - limit, at - below
        square = below**2 - across**2
        middle = own * below - abs(apart * across) * alike
        root = middle**2 - square * (own**2 - apart**2)
        return float((middle + way * np.sqrt(max(root, 0.0))) / square)

    return end(one[0], -1), end(one[1], 1)


def jackknife_method(clusters: int, named: Sentence, form: Form = "plain") -> Sentence:
    """Return what the interval is called."""
    if clusters > MOST_GROUPS:
        return say(
            "95 %% jackknife, %(n)s %(clusters)s in %(groups)s groups, %(form)sStudent's t",
            n=clusters,
            clusters=named,
            groups=MOST_GROUPS,
            form=FORMS[form],
        )
    return say(
        "95 %% jackknife, %(n)s %(clusters)s, %(form)sStudent's t",
        n=clusters,
        clusters=named,
        form=FORMS[form],
    )


def without_interval(estimate: Estimate, why: Sentence) -> Estimate:
    """Return the estimate with the reason for no interval in its options."""
    return replace(estimate, options={**estimate.options, "no_interval": why})


def attach(
    estimate: Estimate,
    replicates: FloatArray,
    plan: Bootstrap,
    clusters: int,
    clustered: bool,
    *,
    form: Form = "plain",
    least: int = LEAST_CLUSTERS,
    ends: tuple[float, float] = (-np.inf, np.inf),
    contributing: BoolArray | None = None,
    below: float = 1.0,
) -> Estimate:
    """Return the estimate with the interval from its replicates, or the reason for none in its
    options.

    replicates    (B,) of `weights`, or (J,) of `left_out`; of a ratio (B, 2), what is divided and
                  what it is divided by, whose value is `below`
    clusters      number of clusters (or units) left out or drawn
    least         floor of `clusters`
    ends          of the scale, where `form` has none of its own
    contributing  (G,) which clusters change the number; default: all
    """
    if estimate.value is None:
        return estimate
    named, some = plan.named(clustered), clusters
    if contributing is not None:
        some = int(contributing.sum())
        if plan.jackknife and replicates.size:
            group = groups_of(clusters, plan.seed)
            replicates = replicates[np.bincount(group, contributing) > 0]
    if why := lacking(some, least, named):
        return without_interval(estimate, why)
    if plan.jackknife:
        interval = (
            ratio_interval(estimate.value, below, replicates)
            if form == "ratio"
            else jackknife_interval(estimate.value, replicates, form)
        )
        options: dict[str, object] = {
            "interval": jackknife_method(some, named, form),
            "jackknife": min(some, MOST_GROUPS),
        }
    else:
        if form == "ratio":
            replicates = replicates[:, 0] / replicates[:, 1]
        interval = percentile_interval(replicates) or UNDEFINED_DRAWS
        options = {"bootstrap": plan.replicates, "interval": say("95 % percentile")}
    if not isinstance(interval, str) and is_point(*interval):
        interval = NO_WIDTH
    if isinstance(interval, str):
        return without_interval(estimate, interval)
    low, high = max(interval[0], ends[0]), min(interval[1], ends[1])
    return estimate.with_interval(
        min(low, estimate.value),
        max(high, estimate.value),
        generalises_to=new(named),
        options={**options, "clusters": some},
        seed=None if plan.jackknife and clusters <= MOST_GROUPS else plan.seed,
    )


# Shares.


def wilson_ends(share: Number, n: Number, critical: Number) -> tuple[FloatArray, FloatArray]:
    """Return the score interval of shares of n trials; NaN if n is. Source: Wilson 1927."""
    square = np.asarray(critical) ** 2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - np.asarray(share)) + square / 4)) / (1 + square)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def effective_wilson(
    share: FloatArray, error: FloatArray, clusters: IntArray, critical: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of shares whose cluster-robust standard `error` is known.

    The effective sample size is the number of independent trials with the same error (Korn and
    Graubard 1998), or the number of clusters where all of them are alike.
    """
    alike = ~(error > FLAT)
    n = share * (1 - share) / np.where(alike, np.nan, error) ** 2
    return wilson_ends(share, np.where(alike, np.maximum(clusters, 1), n), critical)


def critical_t(clusters: IntArray, least: int = LEAST_CLUSTERS) -> FloatArray:
    """Return t for 95 % with one degree of freedom fewer than clusters (at most 100); NaN below
    the floor."""
    enough = np.clip(clusters, least, MOST_GROUPS).astype(np.float64) - 1
    return np.where(clusters >= least, t_quantile(0.975, enough), np.nan)
