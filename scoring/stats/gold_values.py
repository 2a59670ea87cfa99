"""One shape for gold by any method: value, n, spread, interval or confidence, source, reason."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.table import BoolArray, FloatArray, IntArray

JUDGED, ADJUDICATED, IMPORTED = "judged", "adjudicated", "imported"
NO_RATING = "undefined: no rating"


@dataclass(frozen=True)
class GoldRow:
    """The gold of one unit in plain values; None is undefined, and `reason` says why."""

    value: float | None
    n: int
    spread: float | None
    low: float | None
    high: float | None
    confidence: float | None
    source: str
    reason: str


@dataclass(frozen=True, eq=False)
class GoldValues:
    """Gold of every unit by one method; NaN where something is undefined.

    value       (U,) on the scale of the ratings, unless `method` says otherwise
    n           (U,) ratings that the value was made of
    spread      (U,) standard deviation of these, n - 1 in the denominator; NaN below two
    low, high   (U,) 95 % interval of the value, both or neither; `interval` says which kind
    confidence  (U,) share or probability from 0 to 1 behind a value; `confidence_is` says which
    reason      (U,) why there is no value: a position in `reasons`, whose first entry is ""
    source      (U,) position in `sources`: who made the value
    method      formula and variant, in words that can go into a paper
    seed        of the generator, where chance had a part
    """

    value: FloatArray
    n: IntArray
    spread: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: FloatArray
    reason: IntArray
    reasons: tuple[str, ...]
    source: IntArray
    sources: tuple[str, ...]
    method: str
    interval: str = ""
    confidence_is: str = ""
    seed: int | None = None

    @property
    def defined(self) -> BoolArray:
        """(U,) which units have a value."""
        return ~np.isnan(self.value)

    def rows(self) -> list[GoldRow]:
        """One row per unit."""
        columns = (
            _plain(self.value), self.n.tolist(), _plain(self.spread), _plain(self.low),
            _plain(self.high), _plain(self.confidence),
            [self.sources[code] for code in self.source],
            [self.reasons[code] for code in self.reason],
        )  # fmt: skip
        return [GoldRow(*row) for row in zip(*columns, strict=True)]


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def made(
    value: FloatArray,
    n: IntArray,
    spread: FloatArray,
    *,
    method: str,
    low: FloatArray | None = None,
    high: FloatArray | None = None,
    interval: str = "",
    confidence: FloatArray | None = None,
    confidence_is: str = "",
    reason: str = "",
    rated: IntArray | None = None,
    seed: int | None = None,
) -> GoldValues:
    """Gold from judgments.

    reason  why units with ratings have no value; needed where there are such
    rated   (U,) ratings there were, where the method made its value of fewer than these
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
        reasons=("", NO_RATING, reason),
        source=np.zeros(value.shape, dtype=np.int64),
        sources=(JUDGED,),
        method=method,
        interval=interval,
        confidence_is=confidence_is,
        seed=seed,
    )


def without(n: IntArray, method: str, reason: str) -> GoldValues:
    """Gold that has no value for any unit, with the reason."""
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
    """Gold with the values of another source (adjudication, a published data set) on top.

    value         (U,) NaN where the other source has none; there the base stays
    n, spread     what the other source says of its values; 0 and NaN where it is silent
    only_missing  the other source speaks only where the base has no value
    Its values have no interval and no confidence: nobody knows how sure they are.
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
        reason=np.where(take, 0, base.reason),
        source=np.where(take, sources.index(source), base.source).astype(np.int64),
        sources=sources,
    )
