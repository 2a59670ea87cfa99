"""Reading the tables that `agreement` and `correlate` take, with every problem and its line.

CSV (comma), TSV (tab, by the name .tsv) and JSONL (.jsonl) in UTF-8, with or without a mark.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.stats.passes import Threshold
from scoring.stats.table import FloatArray, IntArray, RatingTable

Row = tuple[int, Mapping[str, str]]
RATING_COLUMNS = ("item", "annotator", "scale", "value")
MOST_PROBLEMS = 100


class FileProblems(ValueError):
    """What is wrong with a file, one `FILE:LINE: what and what to do` per line of `lines`."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


@dataclass(frozen=True, eq=False)
class Ratings:
    """The tables of a ratings file by scale, in order of appearance, sharing their codes.

    clusters  (n_units,) code of each item's cluster, where a column was named
    """

    tables: dict[str, RatingTable]
    clusters: IntArray | None


@dataclass(frozen=True, eq=False)
class Columns:
    """Numeric columns of a table (NaN = empty cell), the cluster codes of its rows, and the codes
    and names of the systems that made them."""

    values: dict[str, FloatArray]
    clusters: IntArray | None
    systems: IntArray | None = None
    labels: tuple[str, ...] = ()


class _Log:
    """Collects problems up to a limit that a person can still read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: list[str] = []
        self.total = 0

    def add(self, line: int, text: str) -> None:
        self.total += 1
        if self.total <= MOST_PROBLEMS:
            self.lines.append(f"{self.name}:{line}: {text}")

    def raise_if_any(self) -> None:
        if self.total > MOST_PROBLEMS:
            self.lines.append(f"{self.name}:1: {self.total - MOST_PROBLEMS} more problems follow")
        if self.lines:
            raise FileProblems(self.lines)


def parse_levels(text: str) -> FloatArray:
    """`1-5` (whole numbers, also `-2-2`) or `0,25,50,100` as ascending levels; else ValueError."""
    span = re.fullmatch(r"\s*(-?\d+)\s*-\s*(-?\d+)\s*", text)
    if span:
        low, high = int(span[1]), int(span[2])
        if not 0 < high - low <= 100_000:
            raise ValueError(f"{text!r} is no scale: give the least and the greatest, as in 1-5")
        return np.arange(low, high + 1, dtype=np.float64)
    try:
        levels = np.unique([float(part) for part in text.split(",")])
    except ValueError:
        levels = np.zeros(0)
    if levels.size < 2 or not np.isfinite(levels).all():
        raise ValueError(f"{text!r} is no scale: write it as 1-5 or as 0,25,50,75,100")
    return levels


def parse_threshold(text: str) -> tuple[str, Threshold]:
    """`SCALE=T` as the scale and its threshold (T itself passes); else ValueError."""
    scale, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not scale or not math.isfinite(value):
        raise ValueError(f"{text!r} is no threshold: write SCALE=NUMBER, as in MEANING=3")
    return scale, Threshold(value)


def read_ratings(
    path: Path, *, levels: FloatArray | None = None, cluster: str | None = None
) -> Ratings:
    """Read columns item, annotator, scale, value (empty = missing) and one of clusters if named.

    Raises FileProblems for an unreadable file, missing columns, cells that are empty or no number,
    values off `levels`, an item in two clusters, and an (item, annotator, scale) that comes twice.
    """
    log = _Log(str(path))
    rows = _read(path, (*RATING_COLUMNS, *((cluster,) if cluster else ())), log)
    items: dict[str, int] = {}
    annotators: dict[str, int] = {}
    groups: dict[str, int] = {}
    group_of: dict[int, tuple[int, str, int]] = {}
    seen: dict[tuple[int, int, str], int] = {}
    cells: dict[str, list[tuple[int, int, float]]] = {}
    for line, row in rows:
        if not _has_names(line, row, ("item", "annotator", "scale"), log):
            continue
        item = items.setdefault(row["item"], len(items))
        annotator = annotators.setdefault(row["annotator"], len(annotators))
        if cluster is not None and _has_names(line, row, (cluster,), log):
            group = groups.setdefault(row[cluster], len(groups))
            first = group_of.setdefault(item, (group, row[cluster], line))
            if first[0] != group:
                log.add(
                    line,
                    f"item {row['item']!r} is in cluster {row[cluster]!r} here and in "
                    f"{first[1]!r} on line {first[2]}: give an item one cluster",
                )
        earlier = seen.setdefault((item, annotator, row["scale"]), line)
        if earlier != line:
            log.add(
                line,
                f"annotator {row['annotator']!r} rated item {row['item']!r} on scale "
                f"{row['scale']!r} already on line {earlier}: keep one of the two",
            )
            continue
        scale = cells.setdefault(row["scale"], [])
        value = _number(line, "value", row["value"], log)
        if value is not None and levels is not None and value not in levels:
            log.add(
                line,
                f"the value {row['value']} is not on the scale "
                f"{levels[0]:g} to {levels[-1]:g}: correct it or --levels",
            )
        elif value is not None:
            scale.append((item, annotator, value))
    if not seen and not log.total:
        log.add(1, "no ratings: add one row per item, annotator and scale")
    log.raise_if_any()
    clusters = None
    if cluster is not None:
        clusters = np.array([group_of[i][0] for i in range(len(items))], dtype=np.int64)
    tables = {
        scale: _table(entries, tuple(items), tuple(annotators)) for scale, entries in cells.items()
    }
    return Ratings(tables, clusters)


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
    path: Path, names: Sequence[str], *, cluster: str | None = None, system: str | None = None
) -> Columns:
    """Read numeric columns by name (empty = missing), and the columns of clusters and of systems if
    they are named.

    Raises FileProblems for an unreadable file, missing columns, and cells that are no number.
    """
    log = _Log(str(path))
    found: dict[str, list[float]] = {name: [] for name in names}
    kinds = [column for column in (cluster, system) if column]
    groups: dict[str, dict[str, int]] = {column: {} for column in kinds}
    codes: dict[str, list[int]] = {column: [] for column in kinds}
    for line, row in _read(path, (*names, *kinds), log):
        for name in found:
            value = _number(line, name, row[name], log)
            found[name].append(math.nan if value is None else value)
        if kinds and _has_names(line, row, kinds, log):
            for column in groups:
                code = groups[column].setdefault(row[column], len(groups[column]))
                codes[column].append(code)
    if not any(found.values()) and not log.total:
        log.add(1, "no rows: add one row per unit")
    log.raise_if_any()
    values = {name: np.array(column, dtype=np.float64) for name, column in found.items()}
    coded = {column: np.array(rows, dtype=np.int64) for column, rows in codes.items()}
    return Columns(
        values,
        coded[cluster] if cluster else None,
        coded[system] if system else None,
        tuple(groups[system]) if system else (),
    )


def _has_names(line: int, row: Mapping[str, str], names: Sequence[str], log: _Log) -> bool:
    empty = [name for name in names if not row[name].strip()]
    for name in empty:
        log.add(line, f"the column {name} is empty: fill it or delete the row")
    return not empty


def _number(line: int, name: str, text: str, log: _Log) -> float | None:
    """The cell as a finite number; None for an empty cell, and for a bad one, which is logged."""
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isfinite(value) and "_" not in text:
        return value
    log.add(line, f"{name} is {text[:40]!r}: write a number, or leave the cell empty if missing")
    return None


def _read(path: Path, needed: Sequence[str], log: _Log) -> Iterator[Row]:
    text = _text(path, log)
    if text is None:
        return iter(())
    if path.suffix.lower() == ".jsonl":
        return _json_rows(text, needed, log)
    return _csv_rows(text, "\t" if path.suffix.lower() == ".tsv" else ",", needed, log)


def _text(path: Path, log: _Log) -> str | None:
    try:
        data = path.read_bytes()
    except OSError as error:
        log.add(1, f"cannot be read ({error.strerror}): check the path")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        log.add(line, "is not UTF-8: save the file as UTF-8")
        return None
    if "\0" in text:
        log.add(text.count("\n", 0, text.index("\0")) + 1, "holds a NUL character: remove it")
        return None
    return text


def _csv_rows(text: str, delimiter: str, needed: Sequence[str], log: _Log) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    line = 1
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            log.add(line, f"is no CSV from here on ({error}): check the quotes")
            return
        if cells is None:
            break
        if header is None:
            header = [cell.strip() for cell in cells]
            if not _has_columns(header, needed, log):
                return
        elif cells and len(cells) != len(header):
            log.add(
                line,
                f"has {len(cells)} fields where the header has {len(header)}: "
                "check commas and quotes",
            )
        elif cells:
            yield line, dict(zip(header, cells, strict=True))
    if header is None:
        log.add(1, f"is empty: start with a line of column names ({', '.join(needed)})")


def _has_columns(header: Sequence[str], needed: Sequence[str], log: _Log) -> bool:
    missing = [name for name in needed if name not in header]
    twice = [name for name in needed if header.count(name) > 1]
    if missing:
        log.add(1, f"has no column {', '.join(missing)}: the columns are {', '.join(header)}")
    if twice:
        log.add(1, f"has the column {', '.join(twice)} twice: keep one")
    return not missing and not twice


def _json_rows(text: str, needed: Sequence[str], log: _Log) -> Iterator[Row]:
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            entry = json.loads(content)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            log.add(line, "is no JSON object: write one object per line")
            continue
        missing = [name for name in needed if name not in entry]
        if missing:
            log.add(line, f"has no {', '.join(missing)}: give each row every column")
            continue
        yield line, {name: "" if entry[name] is None else str(entry[name]) for name in needed}
