"""The result type of all gold methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NotRequired, TypedDict

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.table import BoolArray, FloatArray, IntArray

JUDGED, ADJUDICATED, IMPORTED = "judged", "adjudicated", "imported"
NO_RATING = say("undefined: no rating")


@dataclass(frozen=True)
class UnitGold:
    """The gold of one unit as plain values; None is undefined, with the `reason`."""

    value: float | None
    n: int
    spread: float | None
    low: float | None
    high: float | None
    confidence: float | None
    source: str
    reason: Sentence


@dataclass(frozen=True, eq=False)
class GoldValues:
    """Gold of every unit by one method; NaN if undefined.

    value       (U,) on the scale of the ratings, unless `method` says otherwise
    n           (U,) number of ratings used
    spread      (U,) their sample standard deviation (n - 1); NaN below two
    low, high   (U,) 95 % interval of the value, both or neither; `interval` names the method
    confidence  (U,) share or probability of the value, 0 to 1; `confidence_is` says which
    reason      (U,) position in `reasons` for a missing value; the first entry is ""
    source      (U,) position in `sources`
    method      formula and variant, worded for a paper
    seed        of the random number generator, if one was used
    posterior   (U, K) probability of each of `posterior_of`, by models of labels; NaN where the
                value is of another source; None by other methods
    """

    value: FloatArray
    n: IntArray
    spread: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: FloatArray
    reason: IntArray
    reasons: tuple[Sentence, ...]
    source: IntArray
    sources: tuple[str, ...]
    method: Sentence
    interval: Sentence = NOTHING
    confidence_is: Sentence = NOTHING
    seed: int | None = None
    posterior: FloatArray | None = None
    posterior_of: tuple[float, ...] = ()

    @property
    def defined(self) -> BoolArray:
        """(U,) whether a unit has a value."""
        return ~np.isnan(self.value)

    def within(self, low: float, high: float) -> GoldValues:
        """Return the same with intervals that end where the scale does, or at a value beyond."""
        return replace(
            self,
            low=np.minimum(np.maximum(self.low, low), self.value),
            high=np.maximum(np.minimum(self.high, high), self.value),
        )

    def rows(self) -> list[UnitGold]:
        """Return one row per unit."""
        columns = (
            _plain(self.value),
            self.n.tolist(),
            _plain(self.spread),
            _plain(self.low),
            _plain(self.high),
            _plain(self.confidence),
            [self.sources[code] for code in self.source],
            [self.reasons[code] for code in self.reason],
        )
        return [UnitGold(*row) for row in zip(*columns, strict=True)]


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def made(
    value: FloatArray,
    n: IntArray,
    spread: FloatArray,
    *,
    method: Sentence,
    low: FloatArray | None = None,
    high: FloatArray | None = None,
    interval: Sentence = NOTHING,
    confidence: FloatArray | None = None,
    confidence_is: Sentence = NOTHING,
    reason: Sentence = NOTHING,
    rated: IntArray | None = None,
    seed: int | None = None,
) -> GoldValues:
    """Build gold from judgments.

    reason  why units with ratings have no value; required if there are any
    rated   (U,) number of ratings, if the method used fewer than all
    """
    none = np.full(value.shape, np.nan)
    missing = np.isnan(value)
    there = (n if rated is None else rated) > 0
    if not reason and bool((missing & there).any()):
        raise ValueError("gold without a value needs a reason")
    return GoldValues(
        value=value,
        n=n.astype(np.int64),
        spread=np.where(n < 2, np.nan, spread),
        low=none if low is None else np.where(missing, np.nan, low),
        high=none if high is None else np.where(missing, np.nan, high),
        confidence=none if confidence is None else np.where(missing, np.nan, confidence),
        reason=np.where(missing, np.where(there, 2, 1), 0).astype(np.int64),
        reasons=(NOTHING, NO_RATING, reason),
        source=np.zeros(value.shape, dtype=np.int64),
        sources=(JUDGED,),
        method=method,
        interval=interval,
        confidence_is=confidence_is,
        seed=seed,
    )


def without(n: IntArray, method: Sentence, reason: Sentence) -> GoldValues:
    """Return gold without a value for any unit, with the reason."""
    none = np.full(n.shape, np.nan)
    return made(none, n, none, method=method, reason=reason)


def put_over(
    base: GoldValues,
    value: FloatArray,
    *,
    source: str,
    n: IntArray | None = None,
    spread: FloatArray | None = None,
    only_missing: bool = False,
) -> GoldValues:
    """Override gold by values of another source (adjudication, a published data set).

    value         (U,) NaN keeps the base value
    n, spread     of the other source's values; default 0 and NaN
    only_missing  only fill missing values of the base
    Values of another source have no interval and no confidence.
    Raises ValueError for arrays of another length.
    """
    if value.shape != base.value.shape:
        raise ValueError(f"{value.size} values were given for {base.value.size} units")
    take = ~np.isnan(value)
    if only_missing:
        take &= ~base.defined
    sources = base.sources if source in base.sources else (*base.sources, source)
    blank = np.where(take, np.nan, 0.0)
    return replace(
        base,
        value=np.where(take, value, base.value),
        n=np.where(take, 0 if n is None else n, base.n).astype(np.int64),
        spread=np.where(take, np.nan if spread is None else spread, base.spread),
        low=base.low + blank,
        high=base.high + blank,
        confidence=base.confidence + blank,
        posterior=None if base.posterior is None else base.posterior + blank[:, None],
        reason=np.where(take, 0, base.reason),
        source=np.where(take, sources.index(source), base.source).astype(np.int64),
        sources=sources,
    )


# The parts of the reports on gold, as JSON holds them.


class Summary(TypedDict):
    """See `compare.summary`."""

    n: int
    mean: float | None
    sd: float | None
    quartiles: list[float] | None
    distribution: dict[str, int]
    confidence: float | None
    confidence_is: str
    interval_width: float | None
    interval: str
    method: str
    reason: str | None


class MethodSummary(TypedDict):
    """What one method makes of the judgments."""

    columns: Mapping[str, Summary]
    passes: Summary


class MethodPair(TypedDict):
    """Two methods, and how many texts have a value (a decision) by both."""

    a: str
    b: str
    n: int


class Correlated(MethodPair):
    pearson: float | None
    spearman: float | None
    reason: str | None


class Differing(MethodPair):
    """`differ` texts pass by one method alone."""

    differ: int


class MethodComparison(TypedDict):
    columns: Mapping[str, list[Correlated]]
    passes: list[Differing]


class BorderlineText(TypedDict):
    """A decision that sampling error or one annotator could reverse."""

    unit: str
    value: float
    low: float | None
    high: float | None
    n: int
    passes: bool
    straddles: bool
    flips: int


class Decider(TypedDict):
    """How many decisions turn round, and how many vanish, without an annotator."""

    annotator: str
    flips: int
    lost: int


class BorderlineCounts(TypedDict):
    """How many decisions sampling error or one annotator could reverse, and which annotators."""

    threshold: float
    higher_is_better: bool
    interval: str
    decisions: int
    passing: int
    straddling: int
    flipping: int
    alone: int
    annotators: list[Decider] | None
    reason: str | None


class Borderline(BorderlineCounts):
    """See `compare.borderline`."""

    listed: list[BorderlineText]


class GoldReport(TypedDict):
    """See `compare.gold_report`."""

    methods: Mapping[str, MethodSummary]
    comparison: MethodComparison
    straddling: Mapping[str, Borderline]


class ValueColumn(TypedDict):
    """Gold of all texts as columns; `source` and `reason` number those of the lists.
    `posterior`: by models of labels, the probability of each label."""

    method: str
    interval: str
    confidence_is: str
    seed: int | None
    sources: list[str]
    reasons: list[str]
    value: list[float | None]
    n: list[int]
    spread: list[float | None]
    low: list[float | None]
    high: list[float | None]
    confidence: list[float | None]
    source: list[int]
    reason: list[int]
    posterior: NotRequired[dict[str, list[float | None]]]


class GoldValuesReport(TypedDict):
    """Gold of every text by one method, in the order of `units`."""

    method: str
    units: list[int]
    columns: Mapping[str, ValueColumn]
    passes: ValueColumn | None
