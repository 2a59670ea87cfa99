"""Where the names of a table's columns are, and what they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.importers.tables.books import Book, Cell, Row, is_empty

LOOKED_AT = 30  # rows in which a head is looked for
SHARE = 0.6  # of the columns, which a head names
LONG = 45  # characters: longer than the names of columns mostly are
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_ABBREVIATED = re.compile(r"(\S+\. )+\S+\.")  # "crit. expr.": no sentence


@dataclass(frozen=True, slots=True)
class TableHead:
    """The rows of the head (none, one or two), and the names of the columns; "" for none.

    `groups` are the names in the upper of two rows, each repeated over the columns it stands over.
    """

    rows: tuple[int, ...]
    names: tuple[str, ...]
    groups: tuple[str, ...] = ()


def find_head(book: Book, rows: Sequence[Row], given: tuple[int, ...] | None = None) -> TableHead:
    """Find the head in the first rows of a sheet; `given`: the rows that somebody names."""
    if book.named:
        return named_head(rows[:1], (0,))
    if given is not None:
        return named_head([row for row in rows if row[0] in given], given)
    first = rows[:LOOKED_AT]
    width = _width(first)
    for at, (number, cells) in enumerate(first):
        if not _names_columns(cells, width):
            continue
        if at + 1 < len(first) and _completes(cells, first[at + 1][1]):
            return named_head(first[at : at + 2], (number, first[at + 1][0]))
        return named_head([first[at]], (number,))
    return named_head([], ())


def named_head(rows: Sequence[Row], numbers: tuple[int, ...]) -> TableHead:
    """Return the head that is in these rows."""
    width = max((len(cells) for _, cells in rows), default=0)
    lines = [
        [_name(cells[at]) if at < len(cells) else "" for at in range(width)] for _, cells in rows
    ]
    if len(lines) < 2:
        return TableHead(numbers, tuple(lines[0]) if lines else ())
    upper, lower = lines
    groups: list[str] = []
    for over, under in zip(upper, lower, strict=True):
        groups.append(over or (groups[-1] if groups and under else ""))
    names = [under or over for over, under in zip(upper, lower, strict=True)]
    return TableHead(numbers, tuple(names), tuple(groups))


def _name(cell: Cell) -> str:
    return "" if is_empty(cell) else " ".join(str(cell).split())[:200]


def _width(rows: Sequence[Row]) -> int:
    """Return the number of filled cells that rows mostly have: the most of half of the rows."""
    filled = sorted((sum(not is_empty(cell) for cell in cells) for _, cells in rows), reverse=True)
    return filled[len(filled) // 4] if filled else 0


def _names_columns(cells: Sequence[Cell], width: int) -> bool:
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    filled = sum(not is_empty(cell) for cell in cells)
    if not texts or filled < SHARE * width or len(texts) < filled:
        return False
    if any(_NUMBER.fullmatch(text) for text in texts):
        return False
    if len(set(texts)) < len(texts):
        return False
    # A row of data has a sentence in it.
    return not any(len(text) > LONG or _is_sentence(text) for text in texts)


def _is_sentence(text: str) -> bool:
    ends = text.endswith((".", "。", "?", "!")) and " " in text
    return ends and not _ABBREVIATED.fullmatch(text)


def _completes(upper: Sequence[Cell], lower: Sequence[Cell]) -> bool:
    """Whether the lower row names only columns over which a group or nothing stands."""
    blank = {at for at, cell in enumerate(upper) if is_empty(cell)}
    named = {at for at, cell in enumerate(lower) if not is_empty(cell)}
    if not blank & named or not all(isinstance(lower[at], str) for at in named):
        return False
    return all(at in blank or at + 1 in blank & named for at in named)


def columns_of(names: Sequence[str]) -> Mapping[str, list[int]]:
    """Return the places of each name, in lower case."""
    found: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        if name:
            found.setdefault(name.casefold(), []).append(at)
    return found
