"""What every pair of annotators said on the units that both rated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.table import FloatArray, IntArray, RatingTable, expand

CHUNK = 4_000_000  # Pairs of ratings looked at together: about 150 MB.


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Sums over the units that a pair of annotators shares, a row per pair.

    n       (P,) shared units
    agree, linear, quadratic   (P,) sums of x == y, |x - y|, (x - y)^2
    left, right     (P, V) how often the first and the second annotator used each level
    levels          (V,) values seen
    """

    n: FloatArray
    agree: FloatArray
    linear: FloatArray
    quadratic: FloatArray
    left: FloatArray
    right: FloatArray
    levels: FloatArray

    def plus(self, other: PairCounts, times: int = 1) -> PairCounts:
        """With `times` the sums of `other`: -1 takes the units of `other` away."""
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
        """The sums over all of them."""
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
    """The pairs of annotators of a table who share a unit.

    key (P,) ascending codes first * n_annotators + second, first < second; levels (V,) values seen
    """

    table: RatingTable
    key: IntArray
    levels: FloatArray

    @classmethod
    def of(cls, table: RatingTable) -> Pairs:
        """Which pairs there are."""
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
        """What they said on all rated units, or on those at these positions; in blocks."""
        table = self.table
        annotator = table.by_unit[1]
        code = np.searchsorted(self.levels, table.by_unit[2]).astype(np.int64)
        chosen = np.arange(table.rated_units.size) if units is None else units
        for before, after, unit in _meetings(table, chosen):
            met = annotator[before] * table.n_annotators + annotator[after]
            pair = np.searchsorted(self.key, met).astype(np.int64)
            yield PairRatings(pair, code[before], code[after], unit, self.key.size, self.levels)

    def counts(self, units: IntArray | None = None) -> PairCounts:
        """Their sums over all rated units, or over those at these positions."""
        blocks = self.ratings(units)
        total = next(blocks).counts()
        for block in blocks:
            total = total.plus(block.counts())
        return total

    def tables(self) -> FloatArray:
        """(P, V, V) contingency tables: shared units by the values of the first and the second."""
        width = self.levels.size
        cells = np.zeros(self.key.size * width**2)
        for block in self.ratings():
            place = (block.pair * width + block.x) * width + block.y
            cells += np.bincount(place, minlength=cells.size)
        return cells.reshape(self.key.size, width, width)


def _meetings(table: RatingTable, units: IntArray) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Rows of by_unit that rate one unit, first and second, with the unit's position; in blocks.

    units: positions among the rated units. One pass per distance within a unit. There is always
    a block, if need be an empty one.
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
