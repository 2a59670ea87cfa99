"""Columns of a file of pairs that `score --keep` carries along, cell by cell as they are.

The file is read once more while the scores are written: of columns that nobody computes with
nothing stays in memory.
"""

from __future__ import annotations

import csv
import math
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from scoring.metrics.pairs import guarded


class ChangedError(ValueError):
    """The file is not the one whose pairs were scored."""


def keep_problems(path: Path, names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Why these columns of a file that `read_pairs` takes cannot stand beside those `taken`."""
    try:
        header = next(_rows(path), [])
    except (OSError, ValueError, csv.Error):
        header = []
    if not header:
        return [_changed(path)]
    problems = []
    for name in names:
        if name == "id":
            problems.append("--keep id: the ids are in the output anyway; leave it out.")
        elif name not in header:
            there = ", ".join(cell for cell in header if cell != "id")
            problems.append(f"--keep {name}: {path} has no such column; it has {there}.")
        elif header.count(name) > 1:
            problems.append(f"--keep {name}: {path} has it twice; take one out or rename it.")
        elif name in taken:
            problems.append(
                f"--keep {name}: a metric's column has that name; give the metric another one "
                "with as=NAME."
            )
    return problems


def kept_cells(path: Path, names: Sequence[str], ids: Sequence[str]) -> Iterator[list[str]]:
    """The cells of these columns for each id in turn; ChangedError where the ids are others."""
    rows = _rows(path)
    header = next(rows, [])
    try:
        places = [header.index(name) for name in ("id", *names)]
        for key, row in zip(ids, rows, strict=True):
            cell, *kept = (row[place] for place in places)
            if unicodedata.normalize("NFC", cell).strip() not in (key, guarded(key)):
                raise ChangedError
            yield [as_cell(cell) for cell in kept]
    except (OSError, ValueError, IndexError, csv.Error) as error:
        raise ChangedError(_changed(path)) from error


def as_cell(cell: str) -> str:
    """The cell as it was, with a guard where a spreadsheet would take a text for a formula.

    Numbers stay numbers: -1 gets no guard.
    """
    if cell.startswith("'"):
        return cell  # It has its guard, or needs none.
    try:
        number = math.isfinite(float(cell)) and "_" not in cell
    except ValueError:
        number = False
    return cell if number else guarded(cell)


def _changed(path: Path) -> str:
    return (
        f"{path}:0: has changed since it was read, or cannot be read twice (a pipe); give a file "
        "that stays as it is."
    )


def _rows(path: Path) -> Iterator[list[str]]:
    """As `read_pairs` cuts them: at line feeds alone, blank lines passed over."""
    with path.open(encoding="utf-8-sig", newline="\n") as stream:
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        yield from (row for row in csv.reader(stream, delimiter=delimiter, strict=True) if row)
