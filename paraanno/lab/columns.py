"""Columns of a frame as codes and numbers, refused by name if they are not what they should be."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from paraanno.lab.frames import OwnNames
from scoring.stats.table import IntArray, RatingTable

SHOWN = 60  # characters of a text in a message
# Between the systems of one cell. A system may be called "T5, large" or "BART large", so the others
# count only where each part is a system by itself in other rows.
SURE = re.compile(r"\s*[;|\n\t]\s*")
FURTHER = tuple(
    re.compile(sign) for sign in (r"\s*,\s*", r"\s*/\s*", r"\s*\+\s*", r"\s*&\s*", r"\s+")
)


class ColumnError(ValueError, metaclass=OwnNames):
    """A column that is missing, or does not hold what is asked of it; the text names it."""


@dataclass(frozen=True, eq=False)
class Codes:
    """A column as codes, -1 where it is empty, and the values in order of their first row."""

    code: IntArray
    values: list[object]

    @cached_property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values]


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column. Raises ColumnError if there is none of this name, or more than one."""
    if name not in frame.columns:
        if name in frame.index.names:
            raise ColumnError(f"{name!r} is the index, no column: give frame.reset_index()")
        names = ", ".join(map(repr, frame.columns[:20])) or "no columns"
        raise ColumnError(f"there is no column {name!r}; the frame has {names}")
    series = frame[name]
    if isinstance(series, pd.DataFrame):
        raise ColumnError(f"there are {series.shape[1]} columns {name!r}: rename all but one")
    return series


def one_each(frame: pd.DataFrame, name: str, *beside: str | None) -> None:
    """Refuse cells of a column that hold several values. The columns `beside` are named with it if
    they hold several too: only together can they become rows."""
    row = _first_list(column(frame, name))
    if row is None:
        return
    also = [one for one in beside if one and _first_list(column(frame, one)) is not None]
    raise ColumnError(
        f"column {name!r} has several values in row {row + 1}, {_short(frame[name].iloc[row])}"
        f"{''.join(f', and so has {one!r}' for one in also)}: make a row of each, as "
        f"frame.explode({[*also, name] if also else name!r}) does"
    )


def _first_list(series: pd.Series) -> int | None:
    if series.dtype != object:
        return None
    return next((row for row, cell in enumerate(series) if pd.api.types.is_list_like(cell)), None)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def codes(frame: pd.DataFrame, name: str, *, needed: bool = True) -> Codes:
    """Return a column of names. Raises ColumnError for an empty cell, if values are `needed`, and
    for one with several."""
    one_each(frame, name)
    code, values = pd.factorize(column(frame, name))
    if needed and (code < 0).any():
        raise ColumnError(f"column {name!r} is empty in row {int(np.argmin(code)) + 1}")
    return Codes(code.astype(np.int64), list(values))


def joined_systems(frame: pd.DataFrame, name: str) -> str | None:
    """Return what to warn of where a cell looks as if it names several systems."""
    cell, sign = next(_with_several(codes(frame, name).texts), ("", ""))
    if not cell:
        return None
    return (
        f"column {name!r} has {_short(cell)}, which looks like several systems and is taken for "
        f"one. To make a row of each: frame[{name!r}] = frame[{name!r}].str.split({sign!r}), then "
        f"frame.explode({name!r}, ignore_index=True)"
    )


def _with_several(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    alone = set(names)
    for one, sign in product(names, (SURE, *FURTHER)):
        parts, between = sign.split(one), sign.search(one)
        if between and all(parts) and (sign is SURE or alone.issuperset(parts)):
            yield one, between.group()


def numbers(frame: pd.DataFrame, name: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers, NaN where it is empty. Raises ColumnError for anything else."""
    one_each(frame, name)
    series = column(frame, name)
    read = pd.to_numeric(series, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(read) & series.notna().to_numpy())
    if wrong.size:
        row = int(wrong[0])
        raise ColumnError(
            f"column {name!r} has {_short(series.iloc[row])} in row {row + 1}, no number: give "
            "numbers, and no value where there is none"
        )
    return read


def texts_of(frame: pd.DataFrame, name: str) -> list[str]:
    """Return a column of texts in NFC, "" for empty cells. Raises ColumnError for anything else."""
    one_each(frame, name)
    series = column(frame, name)
    texts: list[Any] = series.where(series.notna(), "").tolist()
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ColumnError(f"column {name!r} has {_short(text)} in row {row + 1}, no text")
    return [unicodedata.normalize("NFC", text) for text in texts]


def of_units(frame: pd.DataFrame, name: str, unit: IntArray, size: int) -> IntArray:
    """Return (size,) the code in a column of each unit, which must have one throughout."""
    code = codes(frame, name).code
    unit_codes = np.full(size, -1, dtype=np.int64)
    unit_codes[unit[::-1]] = code[::-1]
    wrong = np.flatnonzero(unit_codes[unit] != code)
    if wrong.size:
        raise ColumnError(
            f"column {name!r} differs between rows of one item (row {int(wrong[0]) + 1})"
        )
    return unit_codes


def rating_table(
    frame: pd.DataFrame,
    unit: IntArray,
    labels: Sequence[str],
    *,
    annotator: str,
    value: str,
    item: IntArray | None = None,
    phrase: IntArray | None = None,
) -> RatingTable:
    """Return the ratings of a frame in long format; rows without a value are left out.

    unit          (rows,) codes of the rated texts, whose names are `labels`; -1 counts nowhere
    item, phrase  (units,) codes of what was paraphrased, and of what makes texts alike
    """
    who, given = codes(frame, annotator), numbers(frame, value)
    observed = ~np.isnan(given) & (unit >= 0)
    key = unit[observed] * max(len(who.values), 1) + who.code[observed]
    _first, counts = np.unique(key, return_counts=True)
    if (counts > 1).any():
        place = int(_first[np.argmax(counts > 1)])
        text, person = labels[place // len(who.values)], who.texts[place % len(who.values)]
        raise ColumnError(
            f"columns {annotator!r} and {value!r}: annotator {person!r} rated {_short(text)} "
            "twice; keep one rating, as drop_duplicates does"
        )
    return RatingTable(
        unit[observed],
        who.code[observed],
        given[observed],
        len(labels),
        len(who.values),
        item=item,
        phrase=phrase,
        unit_labels=labels,
        annotator_labels=who.texts,
    )


def ends_of(table: RatingTable, levels: Sequence[float] | None) -> tuple[float, float]:
    """Return the ends of the scale, by default of the values that occur."""
    scale = table.value if levels is None else np.asarray(levels, dtype=np.float64)
    return float(scale.min()), float(scale.max())
