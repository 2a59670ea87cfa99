"""Read the input tables of `agreement` and `correlate`, reporting every problem with its line.

Formats are CSV, and TSV or JSONL for file names that end in .tsv or .jsonl.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraanno.common.cells import Cells, brief
from paraanno.common.cells import Columns as Known
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import FIRST_PROBLEMS, ProblemLog, say, shown
from scoring.stats.resampling import Threshold
from scoring.stats.table import FloatArray, IntArray, RatingTable

RATING_COLUMNS = ("item", "annotator", "scale", "value")
# The names of our own exports and of most tables; what is alike by phrase comes first.
PHRASE, ORIGINAL = "phrase", "original"
ITEMS = ("item_key", "item", ORIGINAL)


class FileProblems(ValueError):
    """The problems of a file; each of `lines` is `FILE:LINE: problem and remedy`."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


@dataclass(frozen=True, eq=False)
class RatingsFile:
    """The tables of a ratings file by scale, in order of appearance, with shared codes.

    clusters  (n_units,) cluster code of each item, if a cluster column was named
    """

    tables: dict[str, RatingTable]
    clusters: IntArray | None


@dataclass(frozen=True, eq=False)
class CorrelationColumns:
    """Numeric columns of a table (NaN = empty cell), codes of the clusters, systems and
    items of its rows, and the names of the systems."""

    values: dict[str, FloatArray]
    clusters: IntArray | None
    systems: IntArray | None = None
    labels: tuple[str, ...] = ()
    items: IntArray | None = None


def parse_levels(text: str) -> FloatArray:
    """Parse `1-5` (integers, also `-2-2`) or `0,25,50,100` as ascending levels; else ValueError."""
    span = re.fullmatch(r"\s*(-?\d+)\s*-\s*(-?\d+)\s*", text)
    if span:
        low, high = int(span[1]), int(span[2])
        if not 0 < high - low <= 100_000:
            raise ValueError(f"{text!r} is not a scale: give the lowest and highest, as in 1-5")
        return np.arange(low, high + 1, dtype=np.float64)
    try:
        levels = np.unique([float(part) for part in text.split(",")])
    except ValueError:
        levels = np.zeros(0)
    if levels.size < 2 or not np.isfinite(levels).all():
        raise ValueError(f"{text!r} is not a scale: write it as 1-5 or as 0,25,50,75,100")
    return levels


def parse_threshold(text: str) -> tuple[str, Threshold]:
    """Parse `SCALE=T` as the scale and its threshold (T itself passes); else ValueError."""
    scale, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not scale or not math.isfinite(value):
        raise ValueError(f"{text!r} is not a threshold: write SCALE=NUMBER, as in MEANING=3")
    return scale, Threshold(value)


def first_filled(path: Path, names: Sequence[str]) -> str | None:
    """Return the first of these columns that has a value in the first record of the file."""
    columns = Known(words=tuple(names), knows=frozenset(names).__contains__, strict=False)
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    records = read_records(path, log=log, columns=columns, format=format_of(path.name, "csv"))
    values = next((cells.values for cells in records), {})
    return next((name for name in names if name in values), None)


def read_ratings(
    path: Path, *, levels: FloatArray | None = None, cluster: str | None = None
) -> RatingsFile:
    """Read columns item, annotator, scale, value (empty = missing), and clusters if named.

    Raises FileProblems for an unreadable file, missing columns, empty or non-numeric cells, values
    not in `levels`, an item in two clusters, and a duplicate (item, annotator, scale).
    """
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    items: dict[str, int] = {}
    annotators: dict[str, int] = {}
    clusters = _Clusters(cluster) if cluster else None
    seen: dict[tuple[int, int, str], int] = {}
    ratings: dict[str, list[tuple[int, int, float]]] = {}
    for cells in _records(path, (*RATING_COLUMNS, *((cluster,) if cluster else ())), log):
        name, who, scale = cells.label("item"), cells.label("annotator"), cells.label("scale")
        if name is None or who is None or scale is None:
            continue
        item = items.setdefault(name, len(items))
        annotator = annotators.setdefault(who, len(annotators))
        if clusters is not None:
            clusters.take(cells, item, name)
        earlier = seen.setdefault((item, annotator, scale), cells.line)
        if earlier != cells.line:
            _note_twice(cells, name, who, scale, earlier)
            continue
        entries = ratings.setdefault(scale, [])
        value = cells.number("value")
        if value is not None and levels is not None and value not in levels:
            _note_off_levels(cells, levels)
        elif value is not None:
            entries.append((item, annotator, value))
    _raise_if_any(log)
    tables = {
        scale: _table(entries, tuple(items), tuple(annotators))
        for scale, entries in ratings.items()
    }
    return RatingsFile(tables, clusters.codes(len(items)) if clusters is not None else None)


class _Clusters:
    """The cluster of each item; an item must have exactly one."""

    def __init__(self, column: str) -> None:
        self._column = column
        self._groups: dict[str, int] = {}
        self._of: dict[int, tuple[str, int]] = {}

    def take(self, cells: Cells, item: int, name: str) -> None:
        """Record the cluster of a row's item, or the problem with it."""
        here = cells.label(self._column)
        if here is None:
            return
        first, line = self._of.setdefault(item, (here, cells.line))
        self._groups.setdefault(here, len(self._groups))
        if first != here:
            cells.fail(
                None,
                say(
                    "item %(item)s is in cluster %(here)s here and in %(there)s on line %(line)s: "
                    "give an item one cluster",
                    item=shown(name),
                    here=shown(here),
                    there=shown(first),
                    line=line,
                ),
            )

    def codes(self, items: int) -> IntArray:
        """Return the cluster code of each item."""
        return np.array([self._groups[self._of[i][0]] for i in range(items)], dtype=np.int64)


def _note_twice(cells: Cells, item: str, annotator: str, scale: str, earlier: int) -> None:
    cells.fail(
        None,
        say(
            "annotator %(annotator)s rated item %(item)s on scale %(scale)s already on line "
            "%(line)s: keep one of the two",
            annotator=shown(annotator),
            item=shown(item),
            scale=shown(scale),
            line=earlier,
        ),
    )


def _note_off_levels(cells: Cells, levels: FloatArray) -> None:
    cells.fail(
        "value",
        say(
            "%(value)s is not on the scale %(least)s to %(most)s: correct it or --levels",
            value=brief(cells.values["value"]),
            least=f"{levels[0]:g}",
            most=f"{levels[-1]:g}",
        ),
    )


def _table(
    entries: list[tuple[int, int, float]], items: tuple[str, ...], annotators: tuple[str, ...]
) -> RatingTable:
    return RatingTable(
        np.array([e[0] for e in entries], dtype=np.int64),
        np.array([e[1] for e in entries], dtype=np.int64),
        np.array([e[2] for e in entries], dtype=np.float64),
        len(items),
        len(annotators),
        unit_labels=items,
        annotator_labels=annotators,
    )


def read_columns(
    path: Path,
    names: Sequence[str],
    *,
    cluster: str | None = None,
    system: str | None = None,
    item: str | None = None,
) -> CorrelationColumns:
    """Read numeric columns by name (empty = missing), and those of clusters, systems and items if
    named.

    Raises FileProblems for an unreadable file, missing columns, and non-numeric cells.
    """
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    columns: dict[str, list[float]] = {name: [] for name in names}
    kinds = list(dict.fromkeys(column for column in (cluster, system, item) if column))
    groups: dict[str, dict[str, int]] = {column: {} for column in kinds}
    codes: dict[str, list[int]] = {column: [] for column in kinds}
    for cells in _records(path, (*names, *kinds), log):
        for name, column in columns.items():
            value = cells.number(name)
            column.append(math.nan if value is None else value)
        for kind, names_of in groups.items():
            label = cells.label(kind)
            if label is not None:
                codes[kind].append(names_of.setdefault(label, len(names_of)))
    _raise_if_any(log)
    values = {name: np.array(column, dtype=np.float64) for name, column in columns.items()}
    coded = {column: np.array(rows, dtype=np.int64) for column, rows in codes.items()}
    return CorrelationColumns(
        values,
        coded[cluster] if cluster else None,
        coded[system] if system else None,
        tuple(groups[system]) if system else (),
        coded[item] if item else None,
    )


def _records(path: Path, needed: tuple[str, ...], log: ProblemLog) -> Iterator[Cells]:
    needed = tuple(dict.fromkeys(needed))
    return read_records(path, log=log, columns=Known.of(needed), format=format_of(path.name, "csv"))


def _raise_if_any(log: ProblemLog) -> None:
    if log.errors:
        raise FileProblems([str(problem) for problem in log.problems()])
