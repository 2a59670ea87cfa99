"""An opened file: its sheets, and their rows as the file numbers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from paraanno.plain.sentence import Sentence, SentenceError


class TableError(SentenceError):
    """A file that cannot be read as a table; the message says what to do. `line` is its row."""

    def __init__(self, message: Sentence, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Coded:
    """A number with its label, as statistics programs store answers."""

    number: float
    label: str


@dataclass(frozen=True, slots=True)
class NoValue:
    """A cell that has something in it but no value that could be read; `why` says it."""

    why: Sentence


Cell = None | str | bool | int | float | datetime | date | time | Coded | NoValue
# The row's number in the file, and its cells. The names of columns that are no row are row 0.
Row = tuple[int, Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Book:
    """An opened file. `rows` reads a sheet from its start, each time anew, and gives the rows that
    are not empty.

    `encoding`, `delimiter` and `decimal` are of text files (`decimal` is "," or "."); None
    otherwise. `named` says that row 0 holds the names of the columns.
    """

    name: str
    kind: str
    sheets: tuple[str, ...]
    rows: Callable[[str], Iterator[Row]]
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    named: bool = False


def letters(column: int) -> str:
    """Return the letters of a column as spreadsheets count them: A for 0, AA for 26."""
    found = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def place_of(text: str) -> int | None:
    """Return the number of a column from its letters, from 0; None if they are none."""
    if not 1 <= len(text) <= 3 or not (text.isascii() and text.isalpha()):
        return None
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def is_empty(cell: Cell) -> bool:
    """True for an empty cell."""
    return cell is None or (isinstance(cell, str) and not cell.strip())
