"""The ratings of one scale in long format: three arrays instead of a dense matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

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
