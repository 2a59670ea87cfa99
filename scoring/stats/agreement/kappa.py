"""Cohen's kappa and Scott's pi for every pair of annotators, on the units that both rated: their
mean over pairs, and kappa pooled over pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.intervals import LEAST_AGREEMENT, critical_t
from scoring.stats.resampling import Draws
from scoring.stats.table import Estimate, FloatArray, IntArray, RatingTable, expand, undefined

# Ratings of every pair of annotators on the units that both rated.


CHUNK = 4_000_000  # Pairs of ratings per block: about 150 MB.


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Sums over the units shared by a pair of annotators, one row per pair.

    n       (P,) number of shared units
    agree, linear, quadratic   (P,) sums of x == y, |x - y|, (x - y)^2
    left, right     (P, V) frequency of each level for the first and the second annotator
    levels          (V,) observed values
    """

    n: FloatArray
    agree: FloatArray
    linear: FloatArray
    quadratic: FloatArray
    left: FloatArray
    right: FloatArray
    levels: FloatArray

    def plus(self, other: PairCounts, times: int = 1) -> PairCounts:
        """Add `times` the sums of `other`; -1 removes the units of `other`."""
        return PairCounts(
            self.n + times * other.n,
            self.agree + times * other.agree,
            self.linear + times * other.linear,
            self.quadratic + times * other.quadratic,
            self.left + times * other.left,
            self.right + times * other.right,
            self.levels,
        )


@dataclass(frozen=True, eq=False)
class PairRatings:
    """Both ratings of every pair of annotators on a unit.

    pair (R,) row among the pairs; x, y (R,) positions of the two values among `levels`;
    unit (R,) position among the rated units.
    """

    pair: IntArray
    x: IntArray
    y: IntArray
    unit: IntArray
    pairs: int
    levels: FloatArray

    def counts(self) -> PairCounts:
        """Return the sums over all rows."""
        difference = self.levels[self.x] - self.levels[self.y]
        width = self.levels.size

        def total(values: FloatArray | None = None) -> FloatArray:
            return np.bincount(self.pair, values, minlength=self.pairs).astype(np.float64)

        def usage(side: IntArray) -> FloatArray:
            cells = np.bincount(self.pair * width + side, minlength=self.pairs * width)
            return cells.reshape(self.pairs, width).astype(np.float64)

        return PairCounts(
            total(),
            total((self.x == self.y).astype(np.float64)),
            total(np.abs(difference)),
            total(difference**2),
            usage(self.x),
            usage(self.y),
            self.levels,
        )


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of annotators who share at least one unit.

    key     (P,) ascending codes first * n_annotators + second, first < second
    levels  (V,) observed values
    """

    table: RatingTable
    key: IntArray
    levels: FloatArray

    @classmethod
    def of(cls, table: RatingTable) -> Pairs:
        """Find the pairs of a table."""
        keys = np.zeros(0, dtype=np.int64)
        annotator = table.by_unit[1]
        for before, after, _ in _meetings(table, np.arange(table.rated_units.size)):
            met = annotator[before] * table.n_annotators + annotator[after]
            keys = np.union1d(keys, met)
        return cls(table, keys, np.unique(table.value))

    @property
    def first(self) -> IntArray:
        return self.key // max(self.table.n_annotators, 1)

    @property
    def second(self) -> IntArray:
        return self.key % max(self.table.n_annotators, 1)

    def ratings(self, units: IntArray | None = None) -> Iterator[PairRatings]:
        """Yield both ratings of every pair, in blocks; `units` are positions, default all rated."""
        table = self.table
        annotator = table.by_unit[1]
        code = np.searchsorted(self.levels, table.by_unit[2]).astype(np.int64)
        chosen = np.arange(table.rated_units.size) if units is None else units
        for before, after, unit in _meetings(table, chosen):
            met = annotator[before] * table.n_annotators + annotator[after]
            pair = np.searchsorted(self.key, met).astype(np.int64)
            yield PairRatings(pair, code[before], code[after], unit, self.key.size, self.levels)

    def counts(self, units: IntArray | None = None) -> PairCounts:
        """Return the sums over the units at these positions, by default all rated units."""
        blocks = self.ratings(units)
        total = next(blocks).counts()
        for block in blocks:
            total = total.plus(block.counts())
        return total

    def median_shared(self, shared: FloatArray) -> float:
        """Return the median number of shared units of all pairs of annotators with ratings; those
        who share none, which are no rows here, count with 0."""
        many = int(self.table.used_annotators.size)
        every = np.zeros(max(many * (many - 1) // 2, shared.size))
        every[: shared.size] = shared
        return float(np.median(every)) if every.size else 0.0

    def tables(self) -> FloatArray:
        """Return (P, V, V) contingency tables of the first and the second annotator's values."""
        width = self.levels.size
        cells = np.zeros(self.key.size * width**2)
        for block in self.ratings():
            place = (block.pair * width + block.x) * width + block.y
            cells += np.bincount(place, minlength=cells.size)
        return cells.reshape(self.key.size, width, width)


def _meetings(table: RatingTable, units: IntArray) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Yield all pairs of by_unit rows of the same unit, with the unit's position, in blocks.

    units: positions among the rated units. One pass per distance within a unit. Yields at least
    one block, which may be empty.
    """
    sizes = table.ratings_per_unit[table.rated_units]
    ends = np.cumsum(sizes)
    block = np.cumsum(sizes[units] * (sizes[units] - 1) // 2) // CHUNK
    for part in np.split(units, np.flatnonzero(np.diff(block)) + 1):
        rows, owner = expand(ends - sizes, ends, part)
        before: list[IntArray] = [rows[:0]]
        after: list[IntArray] = [rows[:0]]
        place: list[IntArray] = [rows[:0]]
        for step in range(1, int(sizes[part].max(initial=1))):
            same = np.flatnonzero(owner[step:] == owner[:-step])
            before.append(rows[same])
            after.append(rows[same + step])
            place.append(part[owner[same]])
        yield np.concatenate(before), np.concatenate(after), np.concatenate(place)


# Cohen's kappa pooled over pairs of annotators, each pair weighing as much as the units it shares.
#
# The mean of the kappas of pairs is no summary of a sparse design: a pair with two shared units
# weighs as much as one with two hundred, a pair that agrees throughout has no kappa and drops out,
# and kappa on few units is biased downwards, because the frequencies from which chance is computed
# come from the same few units. Here sums are divided instead of kappas averaged, and the
# frequencies of an annotator come from all their units.


POOLED: Mapping[str, Sentence] = {
    "pooled_nominal": say(
        "Cohen's kappa (1960) pooled over pairs of annotators, weighted by shared units; "
        "frequencies of each annotator from all their units (Conger 1980; Gwet 2014)"
    ),
    "pooled_linear": say(
        "Cohen's weighted kappa (1968), weights |x - y| on scale values, pooled over pairs of "
        "annotators, weighted by shared units; frequencies of each annotator from all their units "
        "(Conger 1980; Gwet 2014)"
    ),
    "pooled_quadratic": say(
        "Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, pooled over pairs of "
        "annotators, weighted by shared units; frequencies of each annotator from all their units "
        "(Conger 1980; Gwet 2014)"
    ),
}


def chance_disagreement(
    left: FloatArray, right: FloatArray, levels: FloatArray
) -> dict[str, FloatArray]:
    """Return (P,) expected disagreement under each weighting from (P, V) shares of the levels."""
    up_left, up_right = np.cumsum(left, axis=1)[:, :-1], np.cumsum(right, axis=1)[:, :-1]
    crossing = up_left * (1 - up_right) + up_right * (1 - up_left)
    x = levels - levels.mean() if levels.size else levels
    return {
        "nominal": 1 - (left * right).sum(axis=1),
        "linear": crossing @ np.diff(levels),
        "quadratic": left @ x**2 + right @ x**2 - 2 * (left @ x) * (right @ x),
    }


@dataclass(frozen=True, eq=False)
class Marginals:
    """How often each annotator gave each level on units with two ratings or more.

    cell   (R,) annotator * levels + level of each rating, sorted by unit
    start  (U + 1,) first rating of each rated unit
    alone  (U,) units with one rating, which are no part of the marginals
    """

    cell: IntArray
    start: IntArray
    alone: IntArray
    shape: tuple[int, int]

    @classmethod
    def of(cls, pairs: Pairs) -> Marginals:
        _, annotator, value = pairs.table.by_unit
        sizes = pairs.table.ratings_per_unit[pairs.table.rated_units]
        code = np.searchsorted(pairs.levels, value).astype(np.int64)
        return cls(
            annotator * pairs.levels.size + code,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.flatnonzero(sizes == 1).astype(np.int64),
            (pairs.table.n_annotators, pairs.levels.size),
        )

    def counts(self, units: IntArray | None = None) -> FloatArray:
        """Return (A, V) frequencies over the rated units at these positions, default all."""
        used = np.ones(self.start.size - 1, dtype=bool)
        if units is not None:
            used[:] = False
            used[units] = True
        used[self.alone] = False
        rows = np.repeat(used, np.diff(self.start))
        frequencies = np.bincount(self.cell[rows], minlength=self.shape[0] * self.shape[1])
        return frequencies.reshape(self.shape).astype(np.float64)


def pooled_kappas(counts: PairCounts, used: FloatArray, pairs: Pairs) -> dict[str, float]:
    """Return 1 - observed / expected disagreement, both summed over pairs; NaN if none is expected.

    used (A, V): see `Marginals`. On complete data this is Conger's kappa (1980), for two annotators
    Cohen's.
    """
    share = used / np.maximum(used.sum(axis=1, keepdims=True), 1)
    expected = chance_disagreement(share[pairs.first], share[pairs.second], counts.levels)
    observed = {
        "nominal": counts.n.sum() - counts.agree.sum(),
        "linear": counts.linear.sum(),
        "quadratic": counts.quadratic.sum(),
    }
    kappas = {}
    for name, seen in observed.items():
        chance = float(counts.n @ expected[name])
        varied = (used.sum(axis=0) > 0).sum() > 1 and chance > 0
        kappas[f"pooled_{name}"] = float(1 - seen / chance) if varied else np.nan
    return kappas


def pooled_estimates(pairs: Pairs, counts: PairCounts) -> dict[str, Estimate]:
    """Return the pooled kappas; undefined without variation."""
    n = pairs.table.n_pairable
    kappas = pooled_kappas(counts, Marginals.of(pairs).counts(), pairs)
    return {
        name: undefined(NO_VARIATION, n=n, method=POOLED[name])
        if np.isnan(value)
        else Estimate(value, n=n, method=POOLED[name])
        for name, value in kappas.items()
    }


WEIGHTS = ("nominal", "linear", "quadratic", "scott")
METHODS = {
    "nominal": say("mean of Cohen's kappa (1960) over pairs of annotators on their shared units"),
    "linear": say(
        "mean of Cohen's weighted kappa (1968), weights |x - y| on scale values, over pairs "
        "of annotators on their shared units"
    ),
    "quadratic": say(
        "mean of Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, over "
        "pairs of annotators on their shared units"
    ),
    "scott": say("mean of Scott's pi (1955) over pairs of annotators on their shared units"),
}
MOST_CELLS = 2_000_000  # Of contingency tables; above it single pairs get no interval.
LEAST_SHARED, MANY_ANNOTATORS = 5, 10  # In the median pair; from so many annotators on.
MOST_BIAS = 0.5  # In standard errors, about, of a mean over pairs that gets an interval.
ONE_VALUE = say("undefined: both gave the same single value")


def pair_kappas(pairs: PairCounts) -> dict[str, FloatArray]:
    """Return (P,) kappa under each weighting, and Scott's pi: 1 - observed / expected disagreement.

    NaN if the pair shares no unit or the expected disagreement is 0. Cohen 1968, Scott 1955. The
    weights are differences of scale values, not of ranks, so unused levels have no effect.
    """
    n = np.maximum(pairs.n, 1e-300)
    left, right = pairs.left / n[:, None], pairs.right / n[:, None]
    expected = {
        **chance_disagreement(left, right, pairs.levels),
        "scott": 1 - (((left + right) / 2) ** 2).sum(axis=1),
    }
    unequal = 1 - pairs.agree / n
    observed = {
        "nominal": unequal,
        "linear": pairs.linear / n,
        "quadratic": pairs.quadratic / n,
        "scott": unequal,
    }
    # Both used a single, equal level. Counts are integers, so the comparison is exact.
    none = (pairs.left * pairs.right).sum(axis=1) == pairs.n**2
    return {
        name: np.where(none, np.nan, 1 - observed[name] / np.where(none, 1, expected[name]))
        for name in WEIGHTS
    }


def kappa_errors(tables: FloatArray, levels: FloatArray) -> dict[str, FloatArray]:
    """Return (P,) asymptotic standard errors of Cohen's kappas from (P, V, V) contingency tables.

    Fleiss, Cohen and Everitt 1969, for independent units. 0 for a pair that agrees on every unit.
    """
    n = np.maximum(tables.sum(axis=(1, 2)), 1e-300)
    p = tables / n[:, None, None]
    left, right = p.sum(axis=2), p.sum(axis=1)
    gap = np.abs(levels[:, None] - levels[None, :])
    weights = {
        "nominal": gap == 0,
        "linear": 1 - gap / gap.max(),
        "quadratic": 1 - (gap / gap.max()) ** 2,
    }
    errors = {}
    for name, weight in weights.items():
        observed = (p * weight).sum(axis=(1, 2))
        rows, columns = right @ weight.T, left @ weight
        expected = (left * rows).sum(axis=1)
        rest = (1 - observed)[:, None, None]
        term = weight * (1 - expected)[:, None, None] - (rows[:, :, None] + columns[:, None]) * rest
        total = (p * term**2).sum(axis=(1, 2))
        total -= (observed * expected - 2 * expected + observed) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            errors[name] = np.sqrt(np.maximum(total, 0) / n) / (1 - expected) ** 2
    return errors


def cohen_kappas(table: RatingTable) -> dict[str, Estimate]:
    """Return Cohen's kappa (unweighted, linear, quadratic) and Scott's pi, averaged over pairs, and
    Cohen's kappas pooled over pairs (see `pooled`).

    `details` of the means has `pairs` ({a, b, n, value, ci_low, ci_high, reason}: n shared units,
    and for Cohen's kappas the asymptotic interval of `kappa_errors`), `undefined_pairs`, the number
    omitted from the mean, and `median_shared`, of all pairs, also of those that share no unit. n
    counts units with two or more ratings.
    Undefined for anonymous annotators and if no pair has a defined kappa; the means also if ten
    annotators or more share fewer than five units in the median pair.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    n = table.n_pairable
    if reason:
        none: dict[str, object] = {"pairs": [], "undefined_pairs": 0}
        means = {w: undefined(reason, n=n, method=METHODS[w], details=none) for w in WEIGHTS}
        return means | {w: undefined(reason, n=n, method=how) for w, how in POOLED.items()}
    pairs = Pairs.of(table)
    counts = pairs.counts()
    own: dict[str, FloatArray] = {}
    if pairs.levels.size > 1 and pairs.key.size * pairs.levels.size**2 <= MOST_CELLS:
        own = kappa_errors(pairs.tables(), pairs.levels)
    unknown = np.full(pairs.key.size, np.nan)
    means = {
        w: _mean(pairs, counts.n, v, own.get(w, unknown), METHODS[w])
        for w, v in pair_kappas(counts).items()
    }
    return means | pooled_estimates(pairs, counts)


def _mean(
    pairs: Pairs,
    shared: FloatArray,
    kappas: FloatArray,
    errors: FloatArray,
    method: Sentence,
) -> Estimate:
    table, defined = pairs.table, ~np.isnan(kappas)
    median = pairs.median_shared(shared)
    reaches = np.where(defined & (errors > 0), 1.959964 * errors, np.nan)
    details = {
        "pairs": [
            {
                "a": table.annotator_label(a),
                "b": table.annotator_label(b),
                "n": int(n),
                "value": None if np.isnan(kappa) else float(kappa),
                "ci_low": None if np.isnan(reach) else float(kappa - reach),
                "ci_high": None if np.isnan(reach) else float(min(kappa + reach, 1)),
                "reason": ONE_VALUE if np.isnan(kappa) else None,
            }
            for a, b, n, kappa, reach in zip(
                pairs.first.tolist(), pairs.second.tolist(), shared, kappas, reaches, strict=True
            )
        ],
        "undefined_pairs": int((~defined).sum()),
        "median_shared": median,
    }
    n = table.n_pairable
    if not defined.any():
        reason = say(
            "undefined: no variation, the annotators of every pair gave the same single value"
        )
        return undefined(reason, n=n, method=method, details=details)
    if median < LEAST_SHARED and table.used_annotators.size >= MANY_ANNOTATORS:
        return undefined(_too_sparse(median), n=n, method=method, details=details)
    return Estimate(float(kappas[defined].mean()), n=n, method=method, details=details)


def _too_sparse(median: float) -> Sentence:
    return say(
        "undefined: the median pair of annotators shares %(n)s texts, the mean over pairs needs "
        "%(least)s; see the pooled kappa, or Fleiss' kappa in place of Scott's pi",
        n=f"{median:g}",
        least=LEAST_SHARED,
    )


def kappa_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, dict[str, FloatArray]]:
    """Return the draws and (B,) replicates of the values of `cohen_kappas`.

    They are grouped jackknife replicates: pairs often share only a dozen units, where kappa is
    biased downwards in bootstrap samples, so that percentile intervals miss the estimate. As in the
    estimate, pairs undefined in a replicate are omitted from means.
    """
    pairs = Pairs.of(table)
    draws = draws.without_groups()
    marginals = Marginals.of(pairs)
    total, used = pairs.counts(), marginals.counts()
    replicates = []
    for units in draws.members:
        rest = total.plus(pairs.counts(units), -1)
        pooled = pooled_kappas(rest, used - marginals.counts(units), pairs)
        replicates.append(_means(rest) | pooled)
    return draws, {
        name: np.array([one[name] for one in replicates]) for name in (*WEIGHTS, *POOLED)
    }


def of_single_pairs(
    estimates: Mapping[str, Estimate], table: RatingTable, draws: Draws | None
) -> dict[str, Estimate]:
    """Return the estimates that list single pairs, with the intervals of these by cluster.

    The formula of `kappa_errors` takes texts for independent. Here the pair's kappa is computed
    without each cluster; those in which the pair shares a text count, from eight on. None without
    draws, and for very many pairs.
    """
    listed = {key: one for key, one in estimates.items() if one.details.get("pairs")}
    ends: dict[str, tuple[FloatArray, FloatArray]] = {}
    if listed and draws is not None:
        pairs = Pairs.of(table)
        if pairs.key.size * draws.groups * pairs.levels.size <= MOST_CELLS:
            ends = _pair_ends(pairs, draws)
    answer = {}
    for key, one in listed.items():
        weights = key.removeprefix("cohen_kappa_") if key.startswith("cohen_kappa_") else "nominal"
        low, high = ends.get("scott" if key == "scott_pi" else weights, (None, None))
        rows = [
            {
                **pair,
                "ci_low": None if low is None or np.isnan(low[at]) else float(low[at]),
                "ci_high": None if high is None or np.isnan(high[at]) else float(high[at]),
            }
            for at, pair in enumerate(one.details["pairs"])
        ]
        answer[key] = replace(one, details={**one.details, "pairs": rows})
    return answer


def _pair_ends(pairs: Pairs, draws: Draws) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return the (P,) ends of the jackknife interval of each pair by weighting; NaN for none."""
    total, rest, shared = pairs.counts(), [], []
    for units in draws.members:
        own = pairs.counts(units)
        shared.append(own.n > 0)
        rest.append(pair_kappas(total.plus(own, -1)))
    ends = {}
    for name, value in pair_kappas(total).items():
        left = np.array([one[name] for one in rest])
        used = np.array(shared) & ~np.isnan(left)
        count = used.sum(axis=0)
        left = np.where(used, left, 0.0)
        away = np.where(used, left - left.sum(axis=0) / np.maximum(count, 1), 0.0)
        error = np.sqrt((count - 1) / np.maximum(count, 1) * (away**2).sum(axis=0))
        # A pair that always agrees has no error, and no interval.
        reach = critical_t(count, LEAST_AGREEMENT) * np.where(error > 1e-12, error, np.nan)
        ends[name] = value - reach, np.minimum(value + reach, 1.0)
    return ends


def no_interval(estimate: Estimate) -> Sentence:
    """Return why the jackknife interval of a mean over pairs would not hold, or "".

    Kappa is biased downwards on few units, and averaging pairs does not reduce the bias: it is of
    the order of one over the units that a pair shares, the error of one over the root of all units.
    An interval of 95 % holds 92 % where the bias is half a standard error (Cochran 1977, section
    1.8). The rule depends on the design alone: chosen by the data, the intervals left hold less.
    """
    pairs = estimate.details["pairs"]
    meetings = sum(pair["n"] for pair in pairs)
    if len(pairs) * np.sqrt(estimate.n) > MOST_BIAS * meetings:
        return say(
            "no interval: over %(pairs)s pairs of annotators, kappa is too biased on %(n)s texts",
            pairs=len(pairs),
            n=estimate.n,
        )
    return NOTHING


def _means(counts: PairCounts) -> dict[str, float]:
    return {
        name: float(kappas[~np.isnan(kappas)].mean()) if not np.isnan(kappas).all() else np.nan
        for name, kappas in pair_kappas(counts).items()
    }


def cohen_kappa(table: RatingTable) -> Estimate:
    """Return unweighted Cohen's kappa, mean over pairs of annotators (see cohen_kappas)."""
    return cohen_kappas(table)["nominal"]


def cohen_kappa_linear(table: RatingTable) -> Estimate:
    """Return linearly weighted Cohen's kappa, mean over pairs (see cohen_kappas)."""
    return cohen_kappas(table)["linear"]


def cohen_kappa_quadratic(table: RatingTable) -> Estimate:
    """Return quadratically weighted Cohen's kappa, mean over pairs (see cohen_kappas)."""
    return cohen_kappas(table)["quadratic"]
