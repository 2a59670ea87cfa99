"""The table that is in a file: that of a tool, or nested values made flat, with its repairs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from annotation.importers.tables.books import Book, Cell, Row, TableError
from annotation.importers.tables.by_pandas import plain_cell
from annotation.importers.tables.names import concepts
from annotation.importers.tables.tools import TOOLS, book_of
from paraanno.common.texts import say, shown

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
    return flat(book, what)


def flat(book: Book, what: str) -> Book:
    """Return the book with a column for each value of nested objects and short lists
    (data.original, references.1); a list of objects gives a row for each (outputs.text)."""
    if book.kind not in NESTED:
        return book
    return replace(book, rows=lambda sheet: _flat_rows(book, sheet, what))


def _flat_rows(book: Book, sheet: str, what: str) -> Iterator[Row]:
    rows = book.rows(sheet)
    _, names = next(rows, (0, ()))
    plain = [str(name) for name in names]
    first = list(islice(book.rows(sheet), 1, LOOKED_AT + 1))
    lists = _lists(plain, first, what)
    columns: dict[str, None] = {}
    for _, cells in first:
        for record in _records(plain, cells, lists):
            columns |= dict.fromkeys(record)
    if (list(columns) == plain and not lists) or len(columns) > MOST_COLUMNS:
        yield 0, names
        yield from rows
        return
    order = _in_order(plain, list(columns))
    yield 0, order
    for number, cells in rows:
        for record in _records(plain, cells, lists):
            if strange := [name for name in record if name not in columns]:
                raise TableError(
                    say(
                        "the key %(key)s is in none of the objects before: write it in the first "
                        "ones",
                        key=shown(strange[0]),
                    ),
                    number,
                )
            yield number, [record.get(name) for name in order]


def _lists(names: list[str], rows: Sequence[Row], what: str) -> tuple[str, ...]:
    """Return the keys whose lists give a row for each entry: lists of objects, and lists of texts
    but for references, with all that are as long in each record. Of several kinds, those that what
    is read needs: judgments for judgments."""
    lengths: dict[str, list[int]] = {}
    objects: dict[str, bool] = {}
    texts: dict[str, bool] = {}
    for _, cells in rows:
        for name, cell in zip(names, cells, strict=False):
            value = _nested(cell)
            if isinstance(value, list) and value:
                lengths.setdefault(name, []).append(len(value))
                objects[name] = objects.get(name, True) and all(
                    isinstance(one, dict) for one in value
                )
                texts[name] = texts.get(name, True) and all(isinstance(one, str) for one in value)
    listed = [name for name in lengths if objects[name]]
    if listed:
        judged = [name for name in listed if concepts(name) & {"annotator", "value"}]
        chosen = (
            (judged or listed)
            if what == "judgments"
            else ([name for name in listed if name not in judged] or listed)
        )
        return (chosen[0],)
    spoken = [
        name
        for name in lengths
        if texts[name]
        and max(lengths[name]) > 1
        and not concepts(name) & {"reference", "annotator", "value"}
    ]
    if not spoken:
        return ()
    first = spoken[0]
    return tuple(
        name
        for name in lengths
        if lengths[name] == lengths[first] and not concepts(name) & {"reference"}
    )


def _records(
    names: list[str], cells: Sequence[Cell], lists: tuple[str, ...]
) -> Iterator[dict[str, Cell]]:
    """Yield the records of a row: one, or one for each entry of its lists."""
    if not lists:
        yield _of_row(names, cells)
        return
    values = {
        name: _nested(cell) for name, cell in zip(names, cells, strict=False) if name in lists
    }
    entries = max((len(one) for one in values.values() if isinstance(one, list)), default=0)
    bare = [None if name in lists else cell for name, cell in zip(names, cells, strict=False)]
    whole = {name: cell for name, cell in _of_row(names, bare).items() if name not in lists}
    if not entries:
        yield whole
    for at in range(entries):
        record = dict(whole)
        for name, value in values.items():
            part = value[at] if isinstance(value, list) and at < len(value) else None
            _spread(record, name, part, 1)
        yield record


def _in_order(names: list[str], columns: list[str]) -> list[str]:
    """Return the columns in the order of the keys they come from."""
    place = {name: at for at, name in enumerate(names)}

    def key(column: str) -> int:
        return next(
            (at for name, at in place.items() if column == name or column.startswith(f"{name}.")),
            len(names),
        )

    return sorted(columns, key=key)


def _of_row(names: Sequence[str], cells: Sequence[Cell]) -> dict[str, Cell]:
    record: dict[str, Cell] = {}
    for name, cell in zip(names, cells, strict=False):
        value = _nested(cell)
        if value is None:
            record[name] = cell
        else:
            _spread(record, name, value, 1)
    return record


def _nested(cell: Cell) -> Any:
    """Return the object or list that a cell holds as JSON; None for another cell."""
    if not isinstance(cell, str) or cell[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _spread(record: dict[str, Cell], name: str, value: Any, depth: int) -> None:
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for key, part in value.items():
            _spread(record, f"{name}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth <= DEEPEST and 0 < len(value) <= MOST_ENTRIES:
        if len(value) == 1 and not isinstance(value[0], dict | list):
            record[name] = plain_cell(value[0])
            return
        for at, part in enumerate(value, 1):
            _spread(record, f"{name}.{at}", part, depth + 1)
    else:
        record[name] = plain_cell(value) if value not in ([], {}) else None
