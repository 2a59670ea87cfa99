"""Columns of a frame as codes and numbers, refused by name if they are not what they should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from scoring.stats.table import IntArray, RatingTable


class ColumnError(ValueError):
    """A column that is missing, or does not hold what is asked of it; the text names it."""


@dataclass(frozen=True, eq=False)
class Codes:
    """A column as codes, -1 where it is empty, and the values in order of their first row."""

    code: IntArray
    values: list[object]

    @property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values]


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column. Raises ColumnError if there is none of this name, or more than one."""
    if name not in frame.columns:
        known = ", ".join(map(repr, frame.columns[:20])) or "no columns"
        raise ColumnError(f"there is no column {name!r}; the frame has {known}")
    found = frame[name]
    if isinstance(found, pd.DataFrame):
        raise ColumnError(f"there are {found.shape[1]} columns {name!r}: rename all but one")
    return found


def codes(frame: pd.DataFrame, name: str, *, needed: bool = True) -> Codes:
    """Return a column of names. Raises ColumnError for an empty cell, if values are `needed`."""
    code, values = pd.factorize(column(frame, name))
    if needed and (code < 0).any():
        raise ColumnError(f"column {name!r} is empty in row {int(np.argmin(code)) + 1}")
    return Codes(code.astype(np.int64), list(values))


def numbers(frame: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers, NaN where it is empty. Raises ColumnError for anything else."""
    found = column(frame, name)
    read = pd.to_numeric(found, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(read) & found.notna().to_numpy())
    if wrong.size:
        row = int(wrong[0])
        raise ColumnError(f"column {name!r} has {found.iloc[row]!r} in row {row + 1}, no number")
    return read


def of_units(frame: pd.DataFrame, name: str, unit: IntArray, size: int) -> IntArray:
    """Return (size,) the code in a column of each unit, which must have one throughout."""
    code = codes(frame, name).code
    found = np.full(size, -1, dtype=np.int64)
    found[unit[::-1]] = code[::-1]
    wrong = np.flatnonzero(found[unit] != code)
    if wrong.size:
        raise ColumnError(
            f"column {name!r} differs between rows of one item (row {int(wrong[0]) + 1})"
        )
    return found


def rating_table(
    frame: pd.DataFrame,
    unit: IntArray,
    labels: Sequence[str],
    *,
    annotator: str,
    value: str,
    item: IntArray | None = None,
    cluster: str | None = None,
) -> RatingTable:
    """Return the ratings of a frame in long format; rows without a value are left out.

    unit    (rows,) codes of the rated texts, whose names are `labels`
    item    (units,) codes of what was paraphrased, if texts of several systems are rated
    """
    who, given = codes(frame, annotator), numbers(frame, value)
    kept = ~np.isnan(given)
    key = unit[kept] * max(len(who.values), 1) + who.code[kept]
    _first, counts = np.unique(key, return_counts=True)
    if (counts > 1).any():
        place = int(_first[np.argmax(counts > 1)])
        text, person = labels[place // len(who.values)], who.texts[place % len(who.values)]
        raise ColumnError(
            f"columns {annotator!r} and {value!r}: {person} rated {text} twice; keep one rating"
        )
    return RatingTable(
        unit[kept], who.code[kept], given[kept], len(labels), len(who.values),
        item=item,
        phrase=None if cluster is None else of_units(frame, cluster, unit, len(labels)),
        unit_labels=labels, annotator_labels=who.texts,
    )  # fmt: skip
