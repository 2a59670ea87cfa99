"""Sufficient sums for the REML likelihood, for one sample or many replicates of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable, expand


def incidence(table: RatingTable) -> scipy.sparse.csr_array:
    """Return the sparse (rated units, used annotators) matrix with 1 for each rating."""
    unit, annotator = dense_codes(table)
    return scipy.sparse.csr_array((np.ones(unit.size), (unit, annotator)))


def dense_codes(table: RatingTable) -> tuple[IntArray, IntArray]:
    return (
        np.searchsorted(table.rated_units, table.unit).astype(np.int64),
        np.searchsorted(table.used_annotators, table.annotator).astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class Sums:
    """Sufficient sums for the likelihood, one row per distinct number of ratings m.

    m                 (M,) ratings per unit
    units             (..., M) number of units with m ratings
    total, square     (..., M) sum over those units of t and t^2, t the sum of the unit's ratings
    shared            (..., M, A, A) number of units rated by both annotators
    mixed             (..., M, A) sum of t over the annotator's units
    annotator_total   (..., A) sum of an annotator's ratings
    yy                (...) sum of the squares of all ratings

    The dots stand for an optional axis of replicates.
    """

    m: FloatArray
    units: FloatArray
    total: FloatArray
    square: FloatArray
    shared: FloatArray
    mixed: FloatArray
    annotator_total: FloatArray
    yy: FloatArray

    @cached_property
    def n(self) -> FloatArray:
        """(...) number of ratings."""
        return self.units @ self.m

    @cached_property
    def y(self) -> FloatArray:
        """(...) sum of the ratings."""
        return np.asarray(self.total.sum(axis=-1))

    @cached_property
    def seen(self) -> FloatArray:
        """(..., M, A) number of units rated by an annotator."""
        return np.diagonal(self.shared, axis1=-2, axis2=-1)

    @cached_property
    def per_annotator(self) -> FloatArray:
        """(..., A) number of ratings of an annotator."""
        return np.asarray(self.seen.sum(axis=-2))

    def only(self, rows: IntArray | BoolArray) -> Sums:
        """Select some of the replicates."""
        return Sums(self.m, *(getattr(self, name)[rows] for name in PARTS))


PARTS = ("units", "total", "square", "shared", "mixed", "annotator_total", "yy")


@dataclass(frozen=True, eq=False)
class Design:
    """Per-unit terms of the sums. Values are centred, which does not change the components.

    who, rating     (U, A) sparse: 1 for a rating, and its value
    total, square   (U,) sums of the unit's ratings and of their squares
    size            (U,) position of the unit's number of ratings in `m`
    """

    who: scipy.sparse.csr_array
    rating: scipy.sparse.csr_array
    total: FloatArray
    square: FloatArray
    size: IntArray
    m: FloatArray

    @classmethod
    def of(cls, table: RatingTable, with_annotators: bool) -> Design:
        value = table.value - table.value.mean()
        unit, annotator = dense_codes(table)
        total = np.bincount(unit, value).astype(np.float64)
        square = np.bincount(unit, value**2).astype(np.float64)
        m, size = np.unique(np.bincount(unit), return_inverse=True)
        if not with_annotators:
            unit, annotator, value = unit[:0], annotator[:0], value[:0]
        shape = (total.size, table.used_annotators.size if with_annotators else 0)
        who = scipy.sparse.csr_array((np.ones(unit.size), (unit, annotator)), shape=shape)
        rating = scipy.sparse.csr_array((value, (unit, annotator)), shape=shape)
        return cls(who, rating, total, square, size.astype(np.int64), m.astype(np.float64))

    @property
    def cost(self) -> float:
        """Number of products of ratings in the sums over all units."""
        return float((self.m**2 * np.bincount(self.size)).sum()) if self.who.shape[1] else 0.0

    def sums(self, units: IntArray | None = None) -> Sums:
        """Return the sums over the units at these positions, by default all."""
        chosen = np.arange(self.total.size) if units is None else units
        size, total, who = self.size[chosen], self.total[chosen], self.who[chosen]
        width = who.shape[1]
        shared, mixed = np.zeros((self.m.size, width, width)), np.zeros((self.m.size, width))
        for row in range(self.m.size if width else 0):
            mine = np.flatnonzero(size == row)
            block = who[mine]
            shared[row] = (block.T @ block).toarray()
            mixed[row] = block.T @ total[mine]

        def by_size(values: FloatArray) -> FloatArray:
            return np.bincount(size, values, minlength=self.m.size).astype(np.float64)

        return Sums(
            self.m,
            by_size(np.ones(chosen.size)),
            by_size(total),
            by_size(total**2),
            shared,
            mixed,
            np.asarray(self.rating[chosen].sum(axis=0)),
            np.asarray(self.square[chosen].sum()),
        )

    def cells(self) -> scipy.sparse.csr_array:
        """Return (U, C) contributions of each unit; `from_cells` reads weighted sums of rows."""
        rows, width = np.arange(self.total.size), self.who.shape[1]
        shape = (self.total.size, self.m.size)
        own = [
            scipy.sparse.csr_array((values, (rows, self.size)), shape=shape)
            for values in (np.ones(rows.size), self.total, self.total**2)
        ]
        ends = self.who.indptr.astype(np.int64)
        unit = np.repeat(rows, np.diff(ends))
        other, this = expand(ends[:-1], ends[1:], unit)
        one, two = self.who.indices[this], self.who.indices[other]
        column = (self.size[unit[this]] * width + one) * width + two
        shared = scipy.sparse.csr_array(
            (np.ones(column.size), (unit[this], column)),
            shape=(rows.size, self.m.size * width * width),
        )
        mixed = scipy.sparse.csr_array(
            (self.total[unit], (unit, self.size[unit] * width + self.who.indices)),
            shape=(rows.size, self.m.size * width),
        )
        square = scipy.sparse.csr_array(self.square[:, None])
        parts = [*own, shared, mixed, self.rating, square]
        return scipy.sparse.csr_array(scipy.sparse.hstack(parts, format="csr"))

    def from_cells(self, block: FloatArray) -> Sums:
        """Return the sums of (B, C) replicates of `cells`."""
        b, m, width = len(block), self.m.size, self.who.shape[1]
        ends = np.cumsum([m, m, m, m * width * width, m * width, width])
        units, total, square, shared, mixed, own, yy = np.split(block, ends, axis=1)
        return Sums(
            self.m, units, total, square, shared.reshape(b, m, width, width),
            mixed.reshape(b, m, width), own, yy[:, 0],
        )  # fmt: skip


def sums(table: RatingTable, with_annotators: bool) -> Sums:
    """Return the sums of a table."""
    return Design.of(table, with_annotators).sums()
