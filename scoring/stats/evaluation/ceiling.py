"""Human ceiling: the correlation between annotators, on a scale or a combination of scales.

It is the yardstick for a metric's correlation with the mean rating: an annotator against the mean
of the others, and one random half of each unit's ratings against the other half. Both are valid for
K-of-N designs; split halves need no annotator identities.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, no_pairs
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.json_types import AgainstCeilingJson
from scoring.stats.intervals import Bootstrap, attach, weights
from scoring.stats.resampling import ratio
from scoring.stats.table import Estimate, FloatArray, IntArray, RatingTable, undefined

SPLITS = 50  # Random splits; fewer in large tables, where splits vary little.
LEAST_SPLITS = 5
SPLIT_ROWS = 2_000_000
LEAST_UNITS = 3
NO_VARIATION = say("undefined: no variation, all values of one side are equal")
FEW_SHARED = say("undefined: no annotator rated %(n)s units that others rated too", n=LEAST_UNITS)
DIGITS = 9  # Means of equal values in a different order may differ by rounding.
NAMED = {name: catalogue.COEFFICIENTS[name].named for name in catalogue.at("people")}
METHODS = {
    "leave_one_out": {
        name: say(
            "%(label)s of an annotator with the mean of the rest, mean over annotators",
            label=label,
        )
        for name, label in NAMED.items()
    },
    "split_half": {
        name: say(
            "%(label)s of two random halves of each unit's annotators, mean over halvings",
            label=label,
        )
        for name, label in NAMED.items()
    },
}


@dataclass(frozen=True, eq=False)
class PairedValues:
    """Paired values of units in several groups (annotators or splits), tabulated as cells.

    group, x, y   (C,) the distinct pairs of values of each group, sorted by group and x
    count         (clusters, C) frequency of each pair in each cluster
    weight        (groups,) number of units, the weight in the mean over groups
    """

    group: IntArray
    x: FloatArray
    y: FloatArray
    count: scipy.sparse.csr_array
    weight: FloatArray

    @classmethod
    def of(cls, group: IntArray, cluster: IntArray, x: FloatArray, y: FloatArray) -> PairedValues:
        """Build from (R,) rows; groups of fewer than three units are omitted."""
        size = np.bincount(group)
        valid = size[group] >= LEAST_UNITS
        group = np.unique(group[valid], return_inverse=True)[1]
        levels = [np.unique(column[valid].round(DIGITS), return_inverse=True) for column in (x, y)]
        (first, i), (second, j) = levels
        key = (group * max(first.size, 1) + i) * max(second.size, 1) + j
        cells, cell = np.unique(key, return_inverse=True)
        clusters = np.unique(cluster, return_inverse=True)[1][valid]
        count = scipy.sparse.csr_array(
            (np.ones(cell.size), (clusters, cell)),
            shape=(int(np.unique(cluster).size), cells.size),
        )
        owner, rest = np.divmod(cells, max(first.size, 1) * max(second.size, 1))
        at_x, at_y = np.divmod(rest, max(second.size, 1))
        weight = np.bincount(group).astype(np.float64)
        return cls(owner, first[at_x], second[at_y], count, weight)


def ceiling(
    table: RatingTable,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, dict[str, Estimate]]:
    """Return {leave_one_out, split_half: {pearson, spearman: Estimate}}.

    leave_one_out   an annotator against the mean of the others on the same units: mean over
                    annotators with at least three such units, weighted by their number; `details`
                    has `one_more`, what one more annotator would reach with the mean of all
    split_half      means of two random halves of each unit's ratings (sizes differ by one if odd),
                    averaged over splits; `details` has `spearman_brown`, the reliability of the
                    mean of all ratings, 2 r / (1 + r), with its interval
    clusters        (n_units,) codes, by which intervals then are; there are some if there is a plan

    Undefined for fewer than three units with two ratings and without variation; leave_one_out also
    for anonymous annotators. Sources: Spearman 1910, Brown 1910; for leave-one-out Mitchell and
    Lapata 2008.
    """
    of_unit = np.arange(table.n_units) if clusters is None else clusters
    reason = no_pairs(table)
    if not reason and table.n_pairable < LEAST_UNITS:
        reason = say(
            "undefined: needs %(least)s units with two ratings, has %(n)s",
            least=LEAST_UNITS,
            n=table.n_pairable,
        )
    estimates: dict[str, dict[str, Estimate]] = {}
    for name, methods in METHODS.items():
        why = reason or (ANONYMOUS if table.anonymous and name == "leave_one_out" else NOTHING)
        if why:
            estimates[name] = {
                one: undefined(why, n=table.n_pairable, method=method)
                for one, method in methods.items()
            }
            continue
        pairs = (
            rest_pairs(table, of_unit)
            if name == "leave_one_out"
            else halves(table, of_unit, 0 if plan is None else plan.seed)
        )
        estimates[name] = _mean_correlations(
            pairs, table.n_pairable, methods, plan, clusters is not None
        )
    estimates["split_half"] = {
        one: _lengthened(estimate) for one, estimate in estimates["split_half"].items()
    }
    estimates["leave_one_out"] = {
        one: replace(
            estimate,
            details={
                **estimate.details,
                "one_more": one_more(table, estimate.value, estimates["split_half"][one].value),
            },
        )
        for one, estimate in estimates["leave_one_out"].items()
    }
    return estimates


def one_more(table: RatingTable, single: float | None, half: float | None) -> float | None:
    """Return the expected correlation of one more annotator with the mean of all ratings.

    single, half: `leave_one_out` and `split_half`. The mean of all has less noise than the mean of
    all but one, with which an annotator is compared. The ratio of the variances of noise and units
    follows from the halves (Spearman 1910, Brown 1910, here for unequal halves and numbers of
    ratings). None where it is unknown.
    """
    if single is None or half is None or half <= 0:
        return None
    n = table.ratings_per_unit[table.rated_units]
    several = n[n >= 2]
    a, b = float((1 / (several // 2)).mean()), float((1 / (several - several // 2)).mean())
    noise = 4 * a * b * max(1 / min(half, 1.0) ** 2 - 1, 0.0)
    noise = (math.sqrt((a + b) ** 2 + noise) - (a + b)) / (2 * a * b)
    others = float((several / (several - 1)).sum() / several.sum())
    return min(single * math.sqrt((1 + noise * others) / (1 + noise * float((1 / n).mean()))), 1.0)


def rest_pairs(table: RatingTable, cluster: IntArray) -> PairedValues:
    """Pair each annotator's ratings with the mean of the other ratings of the same unit."""
    n = table.ratings_per_unit[table.unit]
    row = np.flatnonzero(n >= 2)
    total = np.bincount(table.unit, table.value, minlength=table.n_units)
    own, unit = table.value[row], table.unit[row]
    rest = (total[unit] - own) / (n[row] - 1)
    return PairedValues.of(table.annotator[row], cluster[unit], own, rest)


def halves(table: RatingTable, cluster: IntArray, seed: int) -> PairedValues:
    """Pair the means of two random halves of each unit's ratings, for every split."""
    rng = np.random.default_rng(seed)
    unit, _, value = table.by_unit
    row = np.flatnonzero(table.ratings_per_unit[unit] >= 2)
    unit, value = np.unique(unit[row], return_inverse=True)[1], value[row]
    owner = table.rated_units[table.ratings_per_unit[table.rated_units] >= 2]
    n = np.bincount(unit)
    within = np.arange(unit.size) - (np.cumsum(n) - n)[unit]
    splits = int(np.clip(SPLIT_ROWS // unit.size, LEAST_SPLITS, SPLITS))
    size = n // 2
    first = within < size[unit]
    means = np.zeros((2, splits, n.size))
    for split in range(splits):
        # Shuffle within units; the first half of the order is one of the two halves.
        shuffled = value[np.argsort(unit + rng.random(unit.size))]
        for half, (chosen, many) in enumerate(((first, size), (~first, n - size))):
            means[half, split] = np.bincount(unit, shuffled * chosen, minlength=n.size) / many
    group = np.repeat(np.arange(splits), n.size)
    return PairedValues.of(
        group, np.tile(cluster[owner], splits), means[0].ravel(), means[1].ravel()
    )


def _mean_correlations(
    pairs: PairedValues,
    n: int,
    methods: Mapping[str, Sentence],
    plan: Bootstrap | None,
    clustered: bool,
) -> dict[str, Estimate]:
    once = np.asarray(pairs.count.sum(axis=0))[None, :]
    estimates, made = {}, {}
    for name, method in methods.items():
        each = _correlations(pairs, once, name)[0]
        details = {"groups": int((~np.isnan(each)).sum())}
        value = _mean(each[None, :], pairs.weight)[0]
        if np.isnan(value):
            why = NO_VARIATION if pairs.weight.size else FEW_SHARED
            estimates[name] = undefined(why, n=n, method=method, details=details)
        else:
            estimates[name] = Estimate(float(value), n=n, method=method, details=details)
            made[name] = np.zeros(0)
    if plan is None:
        return estimates
    size = pairs.count.shape[0]
    for drawn in weights(plan, size, width=pairs.x.size):
        weight = np.ascontiguousarray((pairs.count.T @ drawn.T).T)
        for name in made:
            block = _mean(_correlations(pairs, weight, name), pairs.weight)
            made[name] = np.append(made[name], block)
    used = np.asarray(pairs.count.sum(axis=1)).ravel() > 0
    for name, replicates in made.items():
        estimates[name] = attach(
            estimates[name], replicates, plan, size, clustered, form="z", contributing=used
        )
    return estimates


def _mean(each: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the (b,) weighted mean over groups with a defined correlation; NaN if none is."""
    defined = ~np.isnan(each)
    return ratio((np.where(defined, each, 0) * weight).sum(axis=1), (defined * weight).sum(axis=1))


def _correlations(pairs: PairedValues, weight: FloatArray, name: str) -> FloatArray:
    """Return (b, groups) correlations of cells with (b, C) weights; NaN for constant values."""
    starts = np.flatnonzero(np.diff(pairs.group, prepend=-1))
    n = np.add.reduceat(weight, starts, axis=1)
    centred = []
    for column in (pairs.x, pairs.y):
        values = _ranks(pairs.group, column, weight) if name == "spearman" else column[None, :]
        mean = ratio(np.add.reduceat(weight * values, starts, axis=1), n)
        centred.append(values - mean[:, pairs.group])
    x, y = centred
    sums = [np.add.reduceat(weight * a * b, starts, axis=1) for a, b in ((x, y), (x, x), (y, y))]
    flat = np.minimum(sums[1], sums[2]) <= 1e-9 * np.maximum(n, 1)
    return np.where(flat, np.nan, ratio(sums[0], np.sqrt(sums[1] * sums[2])))


def _ranks(group: IntArray, values: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the (b, C) mid-rank of each cell within its group, up to a constant per group."""
    order = np.lexsort((values, group))
    new = np.diff(values[order], prepend=np.nan) != 0
    new |= np.diff(group[order], prepend=-1) != 0
    total = np.add.reduceat(weight[:, order], np.flatnonzero(new), axis=1)
    place = np.empty(values.size, dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return np.asarray((np.cumsum(total, axis=1) - total / 2)[:, place])


def _lengthened(half: Estimate) -> Estimate:
    """Add the reliability of the full set of ratings (Spearman-Brown)."""
    names = ("spearman_brown", "spearman_brown_low", "spearman_brown_high")
    ends = (half.value, half.ci_low, half.ci_high)
    longer = {
        name: None if end is None or end <= -1 else 2 * end / (1 + end)
        for name, end in zip(names, ends, strict=True)
    }
    return replace(half, details={**half.details, **longer})


# A metric's correlation relative to the human ceiling, and corrected for attenuation.


Ceilings = Mapping[str, Mapping[str, Estimate]]
DISATTENUATED = say(
    "r / sqrt(reliability of the mean human value, split-half with Spearman-Brown), the "
    "interval treats the reliability as known"
)
SHARE = say(
    "r / r of one more annotator with the mean of all ratings, which is that of one annotator with "
    "the mean of the others, corrected for the number of ratings (Spearman-Brown)"
)
NO_RELIABILITY = say("undefined: the reliability of the human values is unknown or not above 0")
NO_SINGLE = say("undefined: no positive correlation of single annotators with the others")


@dataclass(frozen=True)
class AgainstCeiling:
    """A metric's correlation against the human ceiling.

    disattenuated  correlation with error-free human values; may exceed 1 if the reliability is
                   underestimated
    share          ratio to the correlation that one more annotator would have with the mean of all
                   ratings; at 1 the metric predicts the mean as well as one more annotator would
    """

    disattenuated: Estimate
    share: Estimate

    def to_json(self) -> AgainstCeilingJson:
        return {"disattenuated": self.disattenuated.as_json(), "share": self.share.as_json()}


def against_ceiling(
    estimates: Mapping[str, Estimate], ceilings: Ceilings
) -> dict[str, AgainstCeilingJson]:
    """Return {pearson, spearman: AgainstCeiling as JSON} of a metric, given `ceiling` results."""
    return {
        name: beside_ceiling(
            estimates[name], ceilings["split_half"][name], ceilings["leave_one_out"][name]
        ).to_json()
        for name in catalogue.at("people")
        if name in estimates
    }


def beside_ceiling(metric: Estimate, halves: Estimate, single: Estimate) -> AgainstCeiling:
    """Compare a metric's coefficient with the human ceiling.

    metric: its coefficient with the mean rating; halves, single: `split_half` and `leave_one_out`
    of `ceiling`. Source: Spearman 1904 (correction for attenuation in one variable).
    """
    reliability = halves.details.get("spearman_brown")
    root = math.sqrt(reliability) if reliability is not None and reliability > 0 else None
    person = single.details.get("one_more")
    one = person if person is not None and person > 0 else None
    return AgainstCeiling(
        _divided(metric, root, DISATTENUATED, NO_RELIABILITY),
        _divided(metric, one, SHARE, NO_SINGLE),
    )


def _divided(metric: Estimate, by: float | None, method: Sentence, reason: Sentence) -> Estimate:
    if metric.value is None or by is None:
        return undefined(metric.reason or reason, n=metric.n, method=method)
    estimate = Estimate(metric.value / by, n=metric.n, method=method)
    if metric.ci_low is None or metric.ci_high is None:
        return estimate
    return estimate.with_interval(
        metric.ci_low / by,
        metric.ci_high / by,
        generalises_to=metric.generalises_to or NOTHING,
        options=metric.options,
        seed=metric.seed,
    )
