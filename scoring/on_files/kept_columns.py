"""Columns of the input that `score --keep` copies to the output unchanged.

The file is read a second time while the scores are written, so that these columns are never held in
memory.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from paraanno.plain.columns import Columns
from paraanno.plain.formulas import escape
from paraanno.plain.problems import ProblemLog
from paraanno.plain.records import format_of, read_records


class ChangedError(ValueError):
    """The file has changed since its pairs were scored."""


def keep_problems(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Errors for columns whose names collide with those in `taken`."""
    problems = []
    for name in names:
        if name == "id":
            problems.append("--keep id: the ids are in the output anyway; leave it out.")
        elif name in taken:
            problems.append(
                f"--keep {name}: a metric's column has that name; give the metric another one "
                "with as=NAME."
            )
    return problems


def kept_cells(path: Path, names: Sequence[str], ids: Sequence[str]) -> Iterator[list[str]]:
    """The cells of these columns for each id in turn; ChangedError if the ids differ."""
    log = ProblemLog(str(path))
    columns, format = Columns.of(("id", *names)), format_of(path.name, "csv")
    records = read_records(path, log=log, columns=columns, format=format)
    try:
        for key, cells in zip(ids, records, strict=True):
            if (cells.label("id") or "").strip() != key:
                raise ChangedError
            yield [as_cell(_text(cells.values.get(name))) for name in names]
    except ValueError as error:
        raise ChangedError(_changed(path)) from error
    if log.errors:
        raise ChangedError(_changed(path))


def as_cell(text: str) -> str:
    """The text as a cell, escaped where a spreadsheet would read it as a formula.

    Numbers stay numbers: -1 is not escaped.
    """
    try:
        number = math.isfinite(float(text)) and "_" not in text
    except ValueError:
        number = False
    return text if number else escape(text)


def _text(value: object) -> str:
    """A cell as text; JSON values other than strings as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _changed(path: Path) -> str:
    return (
        f"{path}:0: has changed since it was read, or cannot be read twice (a pipe); give a file "
        "that stays as it is."
    )
