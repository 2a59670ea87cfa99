"""Rows of an opened file as records, with lists and objects as JSON has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.importers.tables.books import Book, Cell, TableError, is_empty
from annotation.importers.tables.heads import named_head
from annotation.importers.tables.tools.common.points import plain

DEEPEST = 4
MOST = 200  # values of one record


def names_of(book: Book, sheet: str) -> set[str]:
    """Return the names of the columns of a sheet; none where it cannot be read."""
    try:
        first = next(book.rows(sheet), None)
    except TableError:
        return set()
    return set() if first is None else {str(cell).strip() for cell in first[1] if cell is not None}


def records_of(book: Book, sheet: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows below the first, by the names in it, with their numbers."""
    rows = book.rows(sheet)
    first = next(rows, None)
    if first is None:
        return
    names = named_head([first], (first[0],)).names
    for line, cells in rows:
        yield (
            line,
            {
                name: _opened(cell)
                for name, cell in zip(names, cells, strict=False)
                if name and not is_empty(cell)
            },
        )


def _opened(cell: Cell) -> Any:
    """Return what a cell holds: a list or an object where it is the JSON of one."""
    if isinstance(cell, str) and cell[:1] in ("[", "{"):
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell


def flat(value: object) -> dict[str, Cell]:
    """Return the values of nested objects and lists, each under the names that lead to it."""
    values: dict[str, Cell] = {}
    if isinstance(value, Mapping):
        for key, part in value.items():
            _spread(values, str(key), part, 1)
    return values


def leaves(value: object) -> dict[str, Cell]:
    """Return the values of nested objects under their last names where these are different."""
    values = flat(value)
    last = [name.rpartition(".")[2] for name in values]
    return {
        end if last.count(end) == 1 and not end.isdigit() else name: cell
        for (name, cell), end in zip(values.items(), last, strict=True)
    }


def _spread(values: dict[str, Cell], name: str, value: object, depth: int) -> None:
    if len(values) > MOST:
        return
    if isinstance(value, Mapping) and depth <= DEEPEST:
        for key, part in value.items():
            _spread(values, f"{name}.{key}", part, depth + 1)
    elif isinstance(value, list) and depth <= DEEPEST and value:
        if len(value) == 1:
            _spread(values, name, value[0], depth + 1)
            return
        for at, part in enumerate(value, 1):
            _spread(values, f"{name}.{at}", part, depth + 1)
    else:
        values[name] = plain(value) if value not in ([], {}) else None
