"""Ratings of every pair of annotators on the units that both rated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.table import FloatArray, IntArray, RatingTable, expand

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
        known = np.zeros(0, dtype=np.int64)
        annotator = table.by_unit[1]
        for before, after, _ in _meetings(table, np.arange(table.rated_units.size)):
            met = annotator[before] * table.n_annotators + annotator[after]
            known = np.union1d(known, met)
        return cls(table, known, np.unique(table.value))

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
