"""Human ceiling: the correlation between annotators, on a scale or a combination of scales.

It is the yardstick for a metric's correlation with the mean rating: an annotator against the mean
of the others, and one random half of each unit's ratings against the other half. Both are valid for
K-of-N designs; split halves need no annotator identities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from paraanno.common.texts import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, no_pairs
from scoring.stats.evaluation import catalogue
from scoring.stats.intervals import Bootstrap, attach, weights
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import by_group, dense
from scoring.stats.table import BoolArray, Estimate, FloatArray, IntArray, RatingTable, undefined

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
    def of(
        cls, group: IntArray, cluster: IntArray, clusters: int, x: FloatArray, y: FloatArray
    ) -> PairedValues:
        """Build from (R,) rows; groups of fewer than three units are omitted."""
        size = np.bincount(group)
        valid = size[group] >= LEAST_UNITS
        group = np.unique(group[valid], return_inverse=True)[1]
        levels = [np.unique(column[valid].round(DIGITS), return_inverse=True) for column in (x, y)]
        (first, i), (second, j) = levels
        key = (group * max(first.size, 1) + i) * max(second.size, 1) + j
        cells, cell = np.unique(key, return_inverse=True)
        count = scipy.sparse.csr_array(
            (np.ones(cell.size), (cluster[valid], cell)), shape=(clusters, cells.size)
        )
        owner, rest = np.divmod(cells, max(first.size, 1) * max(second.size, 1))
        at_x, at_y = np.divmod(rest, max(second.size, 1))
        weight = np.bincount(group).astype(np.float64)
        return cls(owner, first[at_x], second[at_y], count, weight)


@dataclass(frozen=True, eq=False)
class Clusters:
    """What is left out or drawn.

    codes  (n_units,) cluster of each unit, 0 to groups - 1; without clusters each unit is its own
    given  whether there are any
    plan   how; None for no intervals
    """

    codes: IntArray
    given: bool
    plan: Bootstrap | None

    @property
    def groups(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def sums(self, cells: FloatArray, units: IntArray) -> FloatArray:
        """Return (1 + B, C) sums of (n, C) cells of these units: all of them, and replicates."""
        by_cluster = by_group(cells, self.codes[units], self.groups)
        return np.concatenate([weight @ by_cluster for weight in self.all_and_replicates()])

    def all_and_replicates(self, width: int = 0) -> Iterator[FloatArray]:
        """Yield (b, groups) blocks of weights, first one of 1 for each cluster."""
        yield np.ones((1, self.groups))
        if self.plan is not None:
            yield from weights(self.plan, self.groups, width)


@dataclass(frozen=True, eq=False)
class HumanCeiling:
    """How far people reach, with the replicates that a metric's share of it needs.

    estimates    {leave_one_out, split_half: {pearson, spearman: Estimate}}, see `ceiling`
    one_more     {pearson, spearman: (1 + B,) what one more annotator would reach}: of all units,
                 and of each replicate; NaN where it is unknown
    reliability  the same of the mean of all ratings
    paired       (groups,) which clusters have pairs of ratings
    """

    clusters: Clusters
    estimates: Mapping[str, Mapping[str, Estimate]]
    one_more: Mapping[str, FloatArray]
    reliability: Mapping[str, FloatArray]
    paired: BoolArray

    @classmethod
    def of(
        cls,
        table: RatingTable,
        *,
        clusters: IntArray | None = None,
        plan: Bootstrap | None = None,
        names: Sequence[str] = tuple(NAMED),
    ) -> HumanCeiling:
        """Compute it, or those coefficients of it."""
        codes = np.arange(table.n_units) if clusters is None else dense(clusters)
        by = Clusters(codes, clusters is not None, plan)
        single, each = _estimated(table, "leave_one_out", by, names)
        half, halves = _estimated(table, "split_half", by, names)
        person = {name: one_more(table, by, each[name], halves[name]) for name in names}
        mean = {name: lengthened(halves[name]) for name in names}
        several = table.rated_units[table.ratings_per_unit[table.rated_units] >= 2]
        return cls(
            by,
            {
                "leave_one_out": {
                    name: _with(one, one_more=_number(person[name])) for name, one in single.items()
                },
                "split_half": {name: _lengthened(one) for name, one in half.items()},
            },
            person,
            mean,
            np.bincount(codes[several], minlength=by.groups) > 0,
        )

    def of_rows(self, units: IntArray) -> HumanCeiling:
        """For columns whose (n,) rows are of these units of the ratings."""
        return replace(self, clusters=replace(self.clusters, codes=self.clusters.codes[units]))


def ceiling(
    table: RatingTable,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Mapping[str, Mapping[str, Estimate]]:
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
    return HumanCeiling.of(table, clusters=clusters, plan=plan).estimates


def _estimated(
    table: RatingTable, kind: str, by: Clusters, names: Sequence[str]
) -> tuple[dict[str, Estimate], dict[str, FloatArray]]:
    """Return the estimates of a kind, and their (1 + B,) values."""
    methods = {name: METHODS[kind][name] for name in names}
    reason = no_pairs(table)
    if not reason and table.n_pairable < LEAST_UNITS:
        reason = say(
            "undefined: needs %(least)s units with two ratings, has %(n)s",
            least=LEAST_UNITS,
            n=table.n_pairable,
        )
    if not reason and table.anonymous and kind == "leave_one_out":
        reason = ANONYMOUS
    if reason:
        none = {
            name: undefined(reason, n=table.n_pairable, method=method)
            for name, method in methods.items()
        }
        return none, dict.fromkeys(none, np.full(1, np.nan))
    pairs = rest_pairs(table, by) if kind == "leave_one_out" else halves(table, by)
    return _mean_correlations(pairs, table.n_pairable, methods, by)


def _with(estimate: Estimate, **details: float | None) -> Estimate:
    return replace(estimate, details={**estimate.details, **details})


def _number(values: FloatArray) -> float | None:
    """Return the first value, that of all units."""
    return None if np.isnan(values[0]) else float(values[0])


def one_more(table: RatingTable, by: Clusters, single: FloatArray, half: FloatArray) -> FloatArray:
    """Return the (1 + B,) expected correlation of one more annotator with the mean of all ratings.

    single, half: of `leave_one_out` and `split_half`. The mean of all has less noise than the mean
    of all but one, with which an annotator is compared. The ratio of the variances of noise and
    units follows from the halves (Spearman 1910, Brown 1910, here for unequal halves and numbers of
    ratings). NaN where it is unknown.
    """
    if np.isnan(single[0]) or np.isnan(half[0]):
        return np.full(1, np.nan)
    n = table.ratings_per_unit[table.rated_units].astype(np.float64)
    several = (n >= 2).astype(np.float64)
    first = np.maximum(n // 2, 1)
    cells = [several / first, several / (n - n // 2), several * n / np.maximum(n - 1, 1)]
    cells += [several * n, several, 1 / n, np.ones_like(n)]
    total = by.sums(np.column_stack(cells), table.rated_units).T
    a, b = ratio(total[0], total[4]), ratio(total[1], total[4])
    others, mean = ratio(total[2], total[3]), ratio(total[5], total[6])
    half = np.where(half > 0, np.minimum(half, 1.0), np.nan)
    noise = 4 * a * b * (1 / half**2 - 1)
    noise = (np.sqrt((a + b) ** 2 + noise) - (a + b)) / (2 * a * b)
    return np.asarray(np.minimum(single * np.sqrt((1 + noise * others) / (1 + noise * mean)), 1.0))


def rest_pairs(table: RatingTable, by: Clusters) -> PairedValues:
    """Pair each annotator's ratings with the mean of the other ratings of the same unit."""
    n = table.ratings_per_unit[table.unit]
    row = np.flatnonzero(n >= 2)
    total = np.bincount(table.unit, table.value, minlength=table.n_units)
    own, unit = table.value[row], table.unit[row]
    rest = (total[unit] - own) / (n[row] - 1)
    return PairedValues.of(table.annotator[row], by.codes[unit], by.groups, own, rest)


def halves(table: RatingTable, by: Clusters) -> PairedValues:
    """Pair the means of two random halves of each unit's ratings, for every split."""
    rng = np.random.default_rng(0 if by.plan is None else by.plan.seed)
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
    of = np.tile(by.codes[owner], splits)
    return PairedValues.of(group, of, by.groups, means[0].ravel(), means[1].ravel())


def _mean_correlations(
    pairs: PairedValues, n: int, methods: Mapping[str, Sentence], by: Clusters
) -> tuple[dict[str, Estimate], dict[str, FloatArray]]:
    """Return the estimates, and the (1 + B,) values of all units and of the replicates."""
    made: dict[str, list[FloatArray]] = {name: [] for name in methods}
    groups: dict[str, int] = {}
    for drawn in by.all_and_replicates(pairs.x.size):
        weight = np.ascontiguousarray((pairs.count.T @ drawn.T).T)
        for name, blocks in made.items():
            each = _correlations(pairs, weight, name)
            groups.setdefault(name, int((~np.isnan(each[0])).sum()))
            blocks.append(_mean(each, pairs.weight))
    values = {name: np.concatenate(blocks) for name, blocks in made.items()}
    used = np.asarray(pairs.count.sum(axis=1)).ravel() > 0
    estimates = {}
    for name, method in methods.items():
        details = {"groups": groups[name]}
        value = _number(values[name])
        if value is None:
            why = NO_VARIATION if pairs.weight.size else FEW_SHARED
            estimates[name] = undefined(why, n=n, method=method, details=details)
            continue
        estimates[name] = Estimate(value, n=n, method=method, details=details)
        if by.plan is not None:
            estimates[name] = attach(
                estimates[name],
                values[name][1:],
                by.plan,
                by.groups,
                by.given,
                form="z",
                contributing=used,
            )
    return estimates, values


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


def lengthened(half: FloatArray) -> FloatArray:
    """Return the reliability of the full set of ratings (Spearman-Brown)."""
    return ratio(2 * half, 1 + half)


def _lengthened(half: Estimate) -> Estimate:
    names = ("spearman_brown", "spearman_brown_low", "spearman_brown_high")
    ends = np.array([half.value, half.ci_low, half.ci_high], dtype=np.float64)
    longer = [None if np.isnan(one) else float(one) for one in lengthened(ends)]
    return _with(half, **dict(zip(names, longer, strict=True)))
