"""Gold: one value per unit from its included ratings, on a scale or a combination of scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoring.stats.intervals import medians
from scoring.stats.table import FloatArray, IntArray, RatingTable

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
