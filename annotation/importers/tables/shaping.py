"""The table that is in a file: that of a tool, or nested values made flat, with its repairs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.importers.tables.books import Book, Cell, Row, TableError
from annotation.importers.tables.by_pandas import plain_cell
from annotation.importers.tables.tools import TOOLS, book_of
from paraanno.plain.problems import shown
from paraanno.plain.sentence import say

NESTED = ("json", "jsonl", "parquet")  # kinds whose cells may hold lists and objects
LOOKED_AT = 1000  # rows whose keys become columns
DEEPEST = 4
MOST_ENTRIES = 12  # of a list that becomes columns
MOST_COLUMNS = 500


def shaped(book: Book, form: str, what: str) -> Book:
    """Return the table in the file, in the form that a mapping names."""
    if form:
        recogniser = TOOLS.get(form)
        table = recogniser(book, what, ()) if recogniser is not None else None
        if table is None:
            raise TableError(say("this is no file of %(tool)s: choose another", tool=shown(form)))
        return book_of(book, table)
    return flat(book)


def flat(book: Book) -> Book:
    """Return the book with a column for each value of nested objects and lists: data.original,
    outputs.0.text. Lists of texts stay one cell."""
    if book.kind not in NESTED:
        return book
    return replace(book, rows=lambda sheet: _flat_rows(book, sheet))


def _flat_rows(book: Book, sheet: str) -> Iterator[Row]:
    rows = book.rows(sheet)
    _, names = next(rows, (0, ()))
    plain = [str(name) for name in names]
    columns: dict[str, None] = {}
    nested = False
    for number, cells in book.rows(sheet):
        if number == 0:
            continue
        if number > LOOKED_AT:
            break
        found = _of_row(plain, cells)
        nested = nested or list(found) != plain[: len(found)]
        columns |= dict.fromkeys(found)
    if not nested or len(columns) > MOST_COLUMNS:
        yield 0, names
        yield from rows
        return
    order = _in_order(plain, list(columns))
    yield 0, order
    for number, cells in rows:
        found = _of_row(plain, cells)
        if strange := [name for name in found if name not in columns]:
            raise TableError(
                say("the key %(key)s is in none of the objects before: write it in the first ones",
                    key=shown(strange[0])), number,
            )  # fmt: skip
        yield number, [found.get(name) for name in order]


def _in_order(names: list[str], columns: list[str]) -> list[str]:
    """Return the columns in the order of the keys they come from."""
    place = {name: at for at, name in enumerate(names)}

    def key(column: str) -> int:
        return next(
            (at for name, at in place.items()
             if column == name or column.startswith(f"{name}.")), len(names),
        )  # fmt: skip

    return sorted(columns, key=key)


def _of_row(names: list[str], cells: Any) -> dict[str, Cell]:
    found: dict[str, Cell] = {}
    for name, cell in zip(names, cells, strict=False):
        value = _nested(cell)
        if value is None:
            found[name] = cell
        else:
            _spread(found, name, value, 1)
    return found


def _nested(cell: Cell) -> Any:
    """Return the object or list that a cell holds as JSON; None for another cell."""
    if not isinstance(cell, str) or cell[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _spread(found: dict[str, Cell], name: str, value: Any, depth: int) -> None:
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for key, part in value.items():
            _spread(found, f"{name}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth <= DEEPEST and 0 < len(value) <= MOST_ENTRIES:
        if len(value) == 1 and not isinstance(value[0], dict | list):
            found[name] = plain_cell(value[0])
            return
        for at, part in enumerate(value, 1):
            _spread(found, f"{name}.{at}", part, depth + 1)
    else:
        found[name] = plain_cell(value) if value not in ([], {}) else None
