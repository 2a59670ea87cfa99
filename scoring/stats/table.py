"""The ratings of one scale in long format: three arrays instead of a dense matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, NotRequired, TypedDict, cast

import numpy as np
import numpy.typing as npt
import scipy

from paraanno.common.texts import NOTHING, Sentence, say

LARGEST = 1e100  # Sums of squares of larger values overflow, of smaller differences vanish.
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RatingTable:
    """Ratings of units by annotators on one scale, in long format; missing ratings are omitted.

    unit, annotator   (R,) codes from 0 to n_units - 1 and n_annotators - 1
    value             (R,) finite numbers
    item, phrase      (n_units,) cluster codes of each unit, if known
    unit_labels, annotator_labels   display names; default: the codes
    anonymous         annotator codes only distinguish the ratings of one unit and do not identify
                      annotators, so nothing may be computed per annotator or pair of annotators

    Units and annotators without ratings are allowed; statistics ignore them.
    Raises ValueError for arrays of unequal length, codes out of range, values that are not
    finite, or two ratings of one unit by one annotator (naming the first pair found).
    """

    unit: IntArray
    annotator: IntArray
    value: FloatArray
    n_units: int
    n_annotators: int
    item: IntArray | None = None
    phrase: IntArray | None = None
    unit_labels: Sequence[str] | None = None
    annotator_labels: Sequence[str] | None = None
    anonymous: bool = False

    def __post_init__(self) -> None:
        for name in ("unit", "annotator"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.int64))
        object.__setattr__(self, "value", np.asarray(self.value, dtype=np.float64))
        if not (self.unit.shape == self.annotator.shape == self.value.shape == (self.n_ratings,)):
            raise ValueError("unit, annotator and value must be one-dimensional and equally long")
        self._check_codes("unit", self.unit, self.n_units)
        self._check_codes("annotator", self.annotator, self.n_annotators)
        if not np.isfinite(self.value).all():
            raise ValueError("values must be finite: leave a missing rating out of the table")
        for name in ("item", "phrase"):
            codes = getattr(self, name)
            if codes is None:
                continue
            object.__setattr__(self, name, np.asarray(codes, dtype=np.int64))
            if getattr(self, name).shape != (self.n_units,):
                raise ValueError(f"{name} must give one code for each of {self.n_units} units")
        for labels, size in (
            (self.unit_labels, self.n_units),
            (self.annotator_labels, self.n_annotators),
        ):
            if labels is not None and len(labels) != size:
                raise ValueError(f"{len(labels)} labels were given for {size} codes")
        self._check_unique()

    @staticmethod
    def _check_codes(name: str, codes: IntArray, size: int) -> None:
        if codes.size and (codes.min() < 0 or codes.max() >= size):
            raise ValueError(f"{name} codes must lie between 0 and {size - 1}")

    def _check_unique(self) -> None:
        key = self.unit[self._order] * max(self.n_annotators, 1) + self.annotator[self._order]
        twice = np.flatnonzero(key[1:] == key[:-1])
        if twice.size:
            row = self._order[twice[0]]
            raise ValueError(
                f"annotator {self.annotator_label(int(self.annotator[row]))} rated unit "
                f"{self.unit_label(int(self.unit[row]))} twice: keep one rating"
            )

    @classmethod
    def from_dense(cls, matrix: npt.ArrayLike) -> RatingTable:
        """Build from a (units, annotators) matrix with NaN or None for missing ratings."""
        dense = np.asarray(matrix, dtype=np.float64)
        if dense.ndim != 2:
            raise ValueError("a matrix of ratings has two dimensions: units and annotators")
        unit, annotator = np.nonzero(~np.isnan(dense))
        return cls(unit, annotator, dense[unit, annotator], dense.shape[0], dense.shape[1])

    @cached_property
    def _order(self) -> IntArray:
        return np.lexsort((self.annotator, self.unit)).astype(np.int64)

    @cached_property
    def by_unit(self) -> tuple[IntArray, IntArray, FloatArray]:
        """unit, annotator and value sorted by unit, then annotator."""
        order = self._order
        return self.unit[order], self.annotator[order], self.value[order]

    @property
    def n_ratings(self) -> int:
        return int(self.value.size)

    @cached_property
    def ratings_per_unit(self) -> IntArray:
        """(n_units,) number of ratings."""
        return np.bincount(self.unit, minlength=self.n_units).astype(np.int64)

    @cached_property
    def rated_units(self) -> IntArray:
        """Codes of the units with at least one rating."""
        return np.flatnonzero(self.ratings_per_unit).astype(np.int64)

    @cached_property
    def used_annotators(self) -> IntArray:
        """Codes of the annotators with at least one rating."""
        return np.unique(self.annotator)

    @property
    def n_pairable(self) -> int:
        """Units with two or more ratings."""
        return int((self.ratings_per_unit >= 2).sum())

    @property
    def is_complete(self) -> bool:
        """Whether every annotator with ratings rated every rated unit."""
        return self.n_ratings == self.rated_units.size * self.used_annotators.size

    def unit_label(self, code: int) -> str:
        return str(code) if self.unit_labels is None else self.unit_labels[code]

    def annotator_label(self, code: int) -> str:
        return str(code) if self.annotator_labels is None else self.annotator_labels[code]

    def dense(self) -> FloatArray:
        """Return the (n_units, n_annotators) matrix with NaN for missing ratings; not cached."""
        matrix = np.full((self.n_units, self.n_annotators), np.nan)
        matrix[self.unit, self.annotator] = self.value
        return matrix

    def codes(self, levels: FloatArray) -> IntArray:
        """Return the (R,) position of each value in ascending `levels`.

        Raises ValueError for a value that is not a level.
        """
        position = np.minimum(np.searchsorted(levels, self.value), max(levels.size - 1, 0))
        off = levels[position] != self.value if levels.size else np.ones(self.n_ratings, bool)
        if off.any():
            raise ValueError(f"the value {self.value[off][0]:g} is not among the scale's levels")
        return position.astype(np.int64)

    def counts(self, levels: FloatArray) -> IntArray:
        """Return the (n_units, len(levels)) number of annotators who gave each level."""
        cell = self.unit * levels.size + self.codes(levels)
        return (
            np.bincount(cell, minlength=self.n_units * levels.size)
            .reshape(self.n_units, levels.size)
            .astype(np.int64)
        )

    def take_units(self, index: IntArray) -> RatingTable:
        """Return a table whose unit i is unit index[i] of this one; repeats become new units."""
        _unit, annotator, value = self.by_unit
        ends = np.cumsum(self.ratings_per_unit)
        rows, owner = expand(ends - self.ratings_per_unit, ends, index)
        return RatingTable(
            owner,
            annotator[rows],
            value[rows],
            index.size,
            self.n_annotators,
            annotator_labels=self.annotator_labels,
            anonymous=self.anonymous,
        )


def expand(starts: IntArray, ends: IntArray, index: IntArray) -> tuple[IntArray, IntArray]:
    """Return rows starts[i]..ends[i]-1 for each i in `index`, and their positions in `index`."""
    sizes = ends[index] - starts[index]
    owner = np.repeat(np.arange(index.size, dtype=np.int64), sizes)
    first = np.cumsum(sizes) - sizes
    rows = np.arange(owner.size, dtype=np.int64) - first[owner] + starts[index][owner]
    return rows, owner


def default_levels(values: FloatArray) -> FloatArray:
    """Return the integers from the smallest to the largest value.

    If a value is not an integer, or the range exceeds 100,000, return the distinct values.
    """
    seen = np.unique(values)
    if seen.size and (seen == np.round(seen)).all() and seen[-1] - seen[0] <= 100_000:
        return np.arange(seen[0], seen[-1] + 1)
    return seen


def out_of_range(values: FloatArray) -> bool:
    """Return whether values are too large, or too close together, to compute sums of squares."""
    seen = values[~np.isnan(values)]
    if not seen.size:
        return False
    low, high = float(seen.min()), float(seen.max())
    return max(-low, high) > LARGEST or 0 < high - low < 1 / LARGEST


# The result type of all statistics in this package.


Options = Mapping[str, Any]
# What is drawn, and what an interval covers.
UNITS, CLUSTERS = say("units"), say("clusters")
ITEMS, PHRASES = say("items"), say("phrases")
OUT_OF_RANGE = say("undefined: values beyond 1e100, or closer than 1e-100, are out of range")
NEW_UNITS, NEW_CLUSTERS = say("new units"), say("new clusters")


class PairJson(TypedDict):
    """A coefficient of two annotators within an estimate."""

    a: str
    b: str
    n: int
    value: float | None


class EstimateJson(TypedDict):
    """An estimate in a report: every part is there, and of the details those it was given."""

    value: float | None
    ci_low: float | None
    ci_high: float | None
    generalises_to: str | None
    n: int
    method: str
    options: Options
    seed: int | None
    reason: str | None
    also: NotRequired[list[Options]]
    pairs: NotRequired[list[PairJson]]
    pairs_left_out: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A point estimate with its interval and method, or the reason why it is undefined.

    value           the point estimate; None if and only if `reason` is given
    ci_low, ci_high 95 % interval, both or neither
    generalises_to  population of the interval ("new units", "new clusters"); None without one
    n               number of units used (pairs of units for pairwise accuracy)
    method          formula and variant, worded for a paper
    options, seed   further settings needed to reproduce the number
    details         further results (`pairs`, `p_value`), merged into the JSON

    Raises ValueError if these rules are violated or a number is not finite.
    """

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    generalises_to: Sentence | None = None
    n: int = 0
    method: Sentence = NOTHING
    options: Options = field(default_factory=dict)
    seed: int | None = None
    reason: Sentence = NOTHING
    details: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has either a value or a reason")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError("an interval needs both limits")
        if self.ci_low is not None and not self.generalises_to:
            raise ValueError("an interval needs generalises_to")
        for number in (self.value, self.ci_low, self.ci_high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{number} is not finite: use undefined() with a reason")

    def with_interval(
        self,
        low: float,
        high: float,
        *,
        generalises_to: Sentence,
        options: Options,
        seed: int | None = None,
    ) -> Estimate:
        """Return the estimate with an interval and its options."""
        return replace(
            self,
            ci_low=low,
            ci_high=high,
            generalises_to=generalises_to,
            options={**self.options, **options},
            seed=seed,
        )

    def with_second(self, other: Estimate) -> Estimate:
        """Return the estimate with the interval of `other` as a second one, under `also`."""
        if other.ci_low is None:
            return self
        second = {
            "ci_low": other.ci_low,
            "ci_high": other.ci_high,
            "generalises_to": other.generalises_to,
            "interval": other.options.get("interval"),
        }
        return replace(self, details={**self.details, "also": [second]})

    def as_json(self) -> EstimateJson:
        """Return a plain dict for JSON; `reason` is null if the value is defined."""
        fields: EstimateJson = {
            "value": self.value,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "generalises_to": self.generalises_to,
            "n": self.n,
            "method": self.method,
            "options": dict(self.options),
            "seed": self.seed,
            "reason": self.reason or None,
        }
        return cast(EstimateJson, {**fields, **self.details})


def undefined(
    reason: Sentence, *, n: int = 0, method: Sentence = NOTHING, details: Options | None = None
) -> Estimate:
    """Return an estimate without a value; undefined is never reported as 0 or NaN."""
    return Estimate(None, n=n, method=method, reason=reason, details=details or {})


# Quantiles and upper tails of the distributions that tests and intervals use.
#
# The functions of `scipy.special` behind `scipy.stats`, with the same values to the last bit: the
# import of `scipy.stats` alone takes longer than most commands on a file. scipy imports a submodule
# when it is first used, so `scipy.special` is not imported here. Degrees of freedom and points are
# floats or arrays, which are broadcast; NaN where the distribution is not defined.


Number = float | npt.NDArray[np.float64]


def normal_quantile(p: Number) -> Any:
    return scipy.special.ndtri(p)


def normal_above(z: Number) -> Any:
    """P(Z > z)."""
    return scipy.special.ndtr(-np.asarray(z))


def normal_below(z: Number) -> Any:
    """P(Z < z)."""
    return scipy.special.ndtr(z)


def t_quantile(p: Number, freedom: Number) -> Any:
    return scipy.special.stdtrit(freedom, p)


def t_above(t: Number, freedom: Number) -> Any:
    """P(T > t)."""
    return scipy.special.stdtr(freedom, -np.asarray(t))


def f_quantile(p: Number, between: Number, within: Number) -> Any:
    return scipy.special.fdtri(between, within, p)


def f_above(f: Number, between: Number, within: Number) -> Any:
    """P(F > f); rounding below 0 counts as 0."""
    return scipy.special.fdtrc(between, within, np.maximum(f, 0.0))


def chi2_above(chi2: Number, freedom: Number) -> Any:
    """P(X > chi2); rounding below 0 counts as 0."""
    return scipy.special.chdtrc(freedom, np.maximum(chi2, 0.0))


def heads_at_most(k: int, n: int) -> float:
    """P(X <= k) of n fair coins."""
    return float(scipy.special.bdtr(k, n, 0.5))


# Medians of many groups at once, and their intervals.


NORMAL_95 = NormalDist().inv_cdf(0.975)


def order_interval(
    group: IntArray, value: FloatArray, n: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distribution-free 95 % interval of each group's median; NaN below six values.

    group (R,) codes; value (R,); n (G,) values per group. Source: Thompson 1936.
    """
    ordered = value[np.lexsort((value, group))]
    start = np.cumsum(n) - n
    # The k-th value from either end, with the largest k such that P(Binomial(n, 1/2) < k) <= 0.025.
    k = scipy.stats.binom.ppf(0.025, np.maximum(n, 1), 0.5).astype(np.int64)
    enough = n >= 6
    low, high = np.full(n.shape, np.nan), np.full(n.shape, np.nan)
    low[enough] = ordered[(start + k - 1)[enough]]
    high[enough] = ordered[(start + n - k)[enough]]
    return low, high


def medians(group: IntArray, value: FloatArray, n: IntArray) -> FloatArray:
    """Return the median of each group, NaN for an empty one. Shapes as in `order_interval`."""
    ordered = value[np.lexsort((value, group))]
    some = n > 0
    first = (np.cumsum(n) - n)[some]
    middle = np.full(n.shape, np.nan)
    low, high = ordered[first + (n[some] - 1) // 2], ordered[first + n[some] // 2]
    middle[some] = low + (high - low) / 2
    return middle


# Gold: one value per unit from its included ratings, on a scale or a combination of scales.


Method = Literal["mean", "median"]


@dataclass(frozen=True, eq=False)
class Gold:
    """One entry per unit; NaN without ratings (spread: with fewer than two).

    mean, median  (n_units,)
    spread        (n_units,) sample standard deviation (n - 1)
    n             (n_units,) number of ratings
    """

    mean: FloatArray
    median: FloatArray
    spread: FloatArray
    n: IntArray

    def value(self, method: Method) -> FloatArray:
        """Return the gold values by a method. Raises ValueError for an unknown one."""
        if method not in ("mean", "median"):
            raise ValueError(f"gold is a mean or a median, not {method!r}")
        return self.mean if method == "mean" else self.median

    def rows(self, method: Method) -> list[tuple[float | None, int, float | None]]:
        """Return (value, n, spread) of each unit, None for undefined values."""
        return [
            (
                None if n == 0 else float(value),
                int(n),
                None if n < 2 else float(spread),
            )
            for value, n, spread in zip(self.value(method), self.n, self.spread, strict=True)
        ]


def gold(table: RatingTable) -> Gold:
    """Return mean, median, spread and number of ratings of every unit."""
    n = table.ratings_per_unit
    mean = _divide(np.bincount(table.unit, table.value, minlength=table.n_units), n)
    deviation = table.value - mean[table.unit]
    squares = np.bincount(table.unit, deviation**2, minlength=table.n_units)
    spread = np.sqrt(_divide(squares, np.maximum(n - 1, 0)))
    return Gold(mean, medians(table.unit, table.value, n), spread, n)


def _divide(total: npt.NDArray[np.generic], n: IntArray) -> FloatArray:
    result = np.full(total.shape, np.nan)
    np.divide(total, n, out=result, where=n > 0)
    return result


def combine(tables: Sequence[RatingTable], how: Literal["sum", "mean"] = "sum") -> RatingTable:
    """Combine several scales by sum or mean within each annotator's ratings of a unit.

    A combined value needs a rating on every scale. The tables must share their unit and annotator
    codes. Raises ValueError if they do not, or if there is no table.
    """
    if how not in ("sum", "mean"):
        raise ValueError(f"scales are combined by sum or mean, not {how!r}")
    keys, values = align(tables)
    total = np.sum(values, axis=0)
    first = tables[0]
    return RatingTable(
        keys // max(first.n_annotators, 1),
        keys % max(first.n_annotators, 1),
        total / len(tables) if how == "mean" else total,
        first.n_units,
        first.n_annotators,
        item=first.item,
        phrase=first.phrase,
        unit_labels=first.unit_labels,
        annotator_labels=first.annotator_labels,
        anonymous=first.anonymous,
    )


def align(tables: Sequence[RatingTable]) -> tuple[IntArray, list[FloatArray]]:
    """Return the (unit, annotator) keys present in every table, and each table's values for them.

    key = unit * n_annotators + annotator. Raises ValueError for no table or different codes.
    """
    if not tables:
        raise ValueError("at least one scale is needed")
    shape = (tables[0].n_units, tables[0].n_annotators)
    if any((t.n_units, t.n_annotators) != shape for t in tables):
        raise ValueError("the scales must share their unit and annotator codes")
    own = [t.unit * max(t.n_annotators, 1) + t.annotator for t in tables]
    keys = own[0]
    for other in own[1:]:
        keys = np.intersect1d(keys, other, assume_unique=True)
    keys = np.sort(keys)
    values = []
    for table, key in zip(tables, own, strict=True):
        order = np.argsort(key, kind="stable")
        values.append(table.value[order[np.searchsorted(key[order], keys)]])
    return keys, values
