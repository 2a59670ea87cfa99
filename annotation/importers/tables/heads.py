"""Where the names of a table's columns are, and what they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.importers.tables.books import Book, Cell, Row, is_empty

LOOKED_AT = 30  # rows in which a head is looked for
SHARE = 0.6  # of the columns, which a head names
LONG = 45  # characters: longer than the names of columns mostly are
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_ABBREVIATED = re.compile(r"(\S+\. )+\S+\.")  # "crit. expr.": no sentence


@dataclass(frozen=True, slots=True)
class TableHead:
    """The rows of the head (none to three), and the names of the columns; "" for none.

    `groups` are the names in the rows above the lowest, each repeated over the columns it stands
    over, joined where there are two: "Meaning / first round".
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
    first = _without_remarks(rows[:LOOKED_AT])
    width = _width(first)
    for at in range(len(first)):
        for size in (3, 2, 1):
            block = first[at : at + size]
            below = first[at + size :]
            if (
                len(block) == size
                and _is_head(block, below, width)
                and not _about(block, below, width)
            ):
                return named_head(block, tuple(number for number, _ in block))
    return named_head([], ())


def _without_remarks(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows below lines that begin with # and have fewer cells than what follows."""
    at = 0
    while at < len(rows) and str(next(iter(rows[at][1]), "") or "").startswith("#"):
        at += 1
    below = _size(rows[at][1]) if at < len(rows) else 0
    return rows[at:] if all(_size(cells) < below for _, cells in rows[:at]) else rows


def _about(block: Sequence[Row], below: Sequence[Row], width: int) -> bool:
    """Whether rows tell about the table (Project, Date ...): short ones follow, and then a row that
    names more columns."""
    most = max(_size(cells) for _, cells in block)
    for at, row in enumerate(below):
        if _size(row[1]) > most:
            return _size(row[1]) >= width and _is_head([row], below[at + 1 :], width)
    return False


def _size(cells: Sequence[Cell]) -> int:
    return sum(not is_empty(cell) for cell in cells)


def named_head(rows: Sequence[Row], numbers: tuple[int, ...]) -> TableHead:
    """Return the head that is in these rows."""
    width = max((len(cells) for _, cells in rows), default=0)
    lines = [
        [_name(cells[at]) if at < len(cells) else "" for at in range(width)] for _, cells in rows
    ]
    if len(lines) < 2:
        return TableHead(numbers, tuple(lines[0]) if lines else ())
    filled = _filled(lines)
    names = [
        next((name for name in reversed(column) if name), "") for column in zip(*lines, strict=True)
    ]
    groups = []
    for column, name in zip(zip(*filled, strict=True), names, strict=True):
        above = [part for part in dict.fromkeys(column) if part and part != name]
        groups.append(" / ".join(above))
    return TableHead(numbers, tuple(names), tuple(groups))


def _filled(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows above the lowest with each name repeated over the columns below it."""
    rows: list[list[str]] = []
    for level, line in enumerate(lines[:-1]):
        filled: list[str] = []
        for at, name in enumerate(line):
            under = any(lower[at] for lower in lines[level + 1 :])
            starts = any(upper[at] for upper in lines[:level])
            last = filled[-1] if filled and under and not starts else ""
            filled.append(name or last)
        rows.append(filled)
    return rows


def _name(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if is_empty(cell) else " ".join(str(cell).split())[:200]


def _width(rows: Sequence[Row]) -> int:
    """Return the number of filled cells that rows mostly have: the most of half of the rows."""
    filled = sorted((sum(not is_empty(cell) for cell in cells) for _, cells in rows), reverse=True)
    return filled[len(filled) // 4] if filled else 0


def _is_head(block: Sequence[Row], below: Sequence[Row], width: int) -> bool:
    """Whether rows name columns: short texts, in rows that complete each other."""
    if any(
        not _may_name(_without_numbers(block[at - 1][1], cells) if at else cells, below)
        for at, (_, cells) in enumerate(block)
    ):
        return False
    named = {at for _, cells in block for at, cell in enumerate(cells) if not is_empty(cell)}
    if len(named) < SHARE * width:
        return False
    numbers = [number for number, _ in block]
    if len(block) > 1 and numbers[-1] - numbers[0] != len(block) - 1:
        return False
    for upper, lower in pairwise(block):
        if not _completes(upper[1], lower[1]):
            return False
    if len(block) > 1:
        return True
    names = [_name(cell) for cell in block[0][1] if not is_empty(cell)]
    return len(set(names)) == len(names) or (
        len(set(names)) * 2 >= len(names) > 2 and _other_below(block[0][1], below)
    )


def _without_numbers(upper: Sequence[Cell], cells: Sequence[Cell]) -> Sequence[Cell]:
    """Return a row without the numbers that count columns under a group: References, 1 and 2."""
    bare = list(cells)
    at = 0
    while at < len(bare):
        last = at
        while last < len(bare) and _name(bare[last]) == str(last - at + 1):
            last += 1
        group = at < len(upper) and not is_empty(upper[at])
        if group and last - at > 1 and all(map(is_empty, upper[at + 1 : last])):
            bare[at:last] = [None] * (last - at)
        at = max(last, at + 1)
    return bare


def _may_name(cells: Sequence[Cell], below: Sequence[Row]) -> bool:
    """Whether all cells are short texts and no numbers; those over numbers may be questions."""
    texts = [(at, cell.strip()) for at, cell in enumerate(cells) if isinstance(cell, str)]
    texts = [(at, text) for at, text in texts if text]
    if not texts or len(texts) < sum(not is_empty(cell) for cell in cells):
        return False
    if any(_NUMBER.fullmatch(text) for _, text in texts):
        return False
    # A row of data has a sentence in it.
    return not any(
        (len(text) > LONG or _is_sentence(text)) and not _over_answers(at, text, below)
        for at, text in texts
    )


def _over_answers(at: int, name: str, below: Sequence[Row]) -> bool:
    """Whether numbers or a few labels stand below a name: the answers to a question."""
    cells = [cells[at] for _, cells in below if at < len(cells) and not is_empty(cells[at])]
    numbers = sum(
        isinstance(cell, int | float)
        or (isinstance(cell, str) and bool(_NUMBER.fullmatch(cell.strip())))
        for cell in cells
    )
    labels = {str(cell).strip() for cell in cells}
    few = len(labels) * 2 <= len(cells) and name not in labels
    short = all(len(label) <= LONG for label in labels)
    return len(cells) > 1 and (numbers >= SHARE * len(cells) or (few and short))


def _other_below(names: Sequence[Cell], below: Sequence[Row]) -> bool:
    """Whether the rows below hold sentences or numbers, and not the names again."""
    cells = [cell for _, cells in below for cell in cells if not is_empty(cell)]
    labels = {str(name) for name in names if not is_empty(name)}
    other = any(
        not isinstance(cell, str) or _is_sentence(cell.strip()) or _NUMBER.fullmatch(cell.strip())
        for cell in cells
    )
    return other and not any(str(cell) in labels for cell in cells)


def _is_sentence(text: str) -> bool:
    ends = text.endswith((".", "。", "?", "!", "？", "！")) and (" " in text or len(text) > 8)
    return ends and not _ABBREVIATED.fullmatch(text)


def _completes(upper: Sequence[Cell], lower: Sequence[Cell]) -> bool:
    """Whether the lower row names only columns over which a group or nothing stands."""
    size = max(len(upper), len(lower))
    over = [_name(upper[at]) if at < len(upper) else "" for at in range(size)]
    under = [_name(lower[at]) if at < len(lower) else "" for at in range(size)]
    # A name that is repeated to the right is that of a group.
    blank = {at for at in range(size) if not over[at] or (at and over[at] == over[at - 1])}
    # Merged over both rows, a name stands in both.
    named = {at for at in range(size) if under[at] and under[at] != over[at]}
    if not blank & named or not any(over):
        return False
    if (
        sum(map(bool, over)) == 1
        and over[min(named)]
        and len(named) > 1
        and not any(over[at] for at in named if at != min(named))
    ):
        return False  # A title in the first column.
    alone = [at for at in named if at not in blank and at + 1 not in blank & named]
    return len(alone) * 3 <= len(named)


def columns_of(names: Sequence[str]) -> Mapping[str, list[int]]:
    """Return the places of each name, in lower case."""
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        if name:
            places.setdefault(name.casefold(), []).append(at)
    return places
