"""Look at a file: how it is written, what its columns are, and the mapping that reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from annotation.importers.tables.books import Book, Row, TableError, is_empty, letters
from annotation.importers.tables.delimited import DELIMITER_NAMES
from annotation.importers.tables.guesses import Guess, guess_kind
from annotation.importers.tables.guessing import SCALES, guess_roles
from annotation.importers.tables.heads import TableHead, find_head
from annotation.importers.tables.mapping import IGNORE, ColumnMap, MapColumn
from annotation.importers.tables.profiles import MOST_COLUMNS, SAMPLE, Profile, profile
from paraanno.plain.number_text import has_decimal_comma, has_decimal_point
from paraanno.plain.sentence import Sentence, say

MOST_LOOKED_AT = SAMPLE + 2  # rows of a sheet, where these are not counted
ESSENTIAL = ("sentence", "phrase", "paraphrase", "output_of", "value", "value_of", "voice_of")


@dataclass(frozen=True, slots=True)
class Seen:
    """One column of a sheet, as a person sees it."""

    column: str
    name: str
    filled: float
    examples: tuple[str, ...]
    guess: Guess


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """A sheet: its name, its number of rows below the head (None: more than were looked at)."""

    name: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of a file. `mapping` reads it; `missing` has to be chosen before."""

    book: Book
    sheets: tuple[SheetSeen, ...]
    columns: tuple[Seen, ...]
    mapping: ColumnMap
    what: str

    @property
    def missing(self) -> list[Sentence]:
        """What has to be chosen before the table can be read."""
        return self.mapping.missing()

    @property
    def asks(self) -> int:
        """How many columns somebody should look at."""
        return sum(one.guess.ask for one in self.columns)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON; reasons are sentences."""
        book = self.book
        return {
            "file": book.name,
            "kind": book.kind,
            "encoding": book.encoding,
            "delimiter": book.delimiter,
            "sheets": [{"name": one.name, "rows": one.rows} for one in self.sheets],
            "what": self.what,
            "columns": [
                {
                    "column": one.column,
                    "name": one.name,
                    "filled": round(one.filled, 3),
                    "examples": list(one.examples),
                    "role": one.guess.role,
                    "of": one.guess.of,
                    "reason": one.guess.reason,
                    "ask": one.guess.ask,
                }
                for one in self.columns
            ],
            "missing": self.missing,
            "map": self.mapping.to_json(),
        }


def inspect_book(
    book: Book,
    *,
    what: str | None = None,
    sheet: str = "",
    scales: Sequence[str] = SCALES,
    head: tuple[int, ...] | None = None,
) -> Inspection:
    """Guess the roles of the columns of a sheet: that which is named, or the best.

    `what` is items, judgments or gold, guessed if it is not given; `scales` are those of the
    campaign; `head` are the rows with the names of the columns in the sheet that is named, found
    if they are not given. Raises TableError if no sheet has a table.
    """
    if sheet and sheet not in book.sheets:
        raise TableError(
            say("there is no sheet %(name)s: choose one of %(sheets)s", name=repr(sheet),
                sheets=", ".join(book.sheets))
        )  # fmt: skip
    looked = [
        _Looked.at(book, name, what, scales, head if name == (sheet or book.sheets[0]) else None)
        for name in book.sheets
    ]
    if not any(one.rows for one in looked):
        raise TableError(say("the file has a header at most, and no records: choose another"))
    named = [one for one in looked if one.name == sheet] if sheet else looked
    best = max(named, key=lambda one: one.worth)
    sheets = tuple(SheetSeen(one.name, one.count) for one in looked)
    return Inspection(book, sheets, tuple(best.columns), best.mapping(book), best.what)


@dataclass(slots=True)
class _Looked:
    """One sheet, looked at."""

    name: str
    head: TableHead
    rows: list[Row]
    count: int | None
    what: str
    columns: list[Seen]
    decimal: str
    fill_down: bool
    fixed: dict[str, str]

    @classmethod
    def at(
        cls, book: Book, name: str, what: str | None, scales: Sequence[str],
        given: tuple[int, ...] | None = None,
    ) -> _Looked:  # fmt: skip
        source = book.rows(name)
        rows = list(islice(source, MOST_LOOKED_AT))
        head = find_head(book, rows, given)
        last = max(head.rows, default=-1)
        below = [row for row in rows if row[0] > last]
        count = None if len(rows) > SAMPLE else len(below)
        if count is None and book.kind in ("xlsx", "xls", "ods", "json"):
            count = len(below) + sum(1 for _ in source)
        width = min(MOST_COLUMNS, max((len(cells) for _, cells in below), default=0))
        names = [*head.names, *[""] * width][: max(width, len(head.names))][:MOST_COLUMNS]
        groups = [*head.groups, *[""] * len(names)][: len(names)]
        texts = [cell for _, cells in below for cell in cells if isinstance(cell, str)]
        commas = sum(map(has_decimal_comma, texts))
        decimal = "," if commas > sum(map(has_decimal_point, texts)) else "."
        table = _without_notes(below)
        profiles = [
            profile([cells[at] if at < len(cells) else None for _, cells in table], decimal)
            for at in range(len(names))
        ]
        kind = what or guess_kind(names, profiles)
        guesses = guess_roles(names, profiles, what=kind, groups=groups, scales=scales)
        shown = [
            Seen(letters(at), names[at], one.filled, tuple(one.examples()), guess)
            for at, (one, guess) in enumerate(zip(profiles, guesses, strict=True))
            if one.n or names[at]
        ]
        fixed: dict[str, str] = {}
        roles = {guess.role for guess in guesses}
        if kind == "judgments" and roles & {"value", "voice_of"} and "scale" not in roles:
            fixed = {"scale": scales[0]} if len(scales) == 1 else {}
        return cls(
            name, head, below, count, kind, shown, decimal, _to_fill(guesses, profiles), fixed
        )

    @property
    def worth(self) -> tuple[int, int]:
        """How good a table it is: what it says, and its size."""
        roles = {one.guess.role for one in self.columns}
        return len(roles & set(ESSENTIAL)), len(self.rows)

    def mapping(self, book: Book) -> ColumnMap:
        """Return the mapping that the guesses make."""
        columns = tuple(
            MapColumn(one.column, one.name, one.guess.role, one.guess.of) for one in self.columns
        )
        return ColumnMap(
            self.what, columns, self.head.rows, self.name, book.encoding, book.delimiter,
            self.decimal, self.fixed, fill_down=self.fill_down,
        )  # fmt: skip


def _without_notes(rows: Sequence[Row]) -> Sequence[Row]:
    """Leave out rows at the end with a cell in the first column alone: notes, which would blur what
    the columns hold."""
    places = [[at for at, cell in enumerate(cells) if not is_empty(cell)] for _, cells in rows]
    first = min((at for row in places for at in row), default=0)
    last = len(rows)
    while last and places[last - 1] == [first]:
        last -= 1
    return rows[:last] or rows


def _to_fill(guesses: Sequence[Guess], profiles: Sequence[Profile]) -> bool:
    """Whether sentences are only in the first of their rows."""
    filled = {guess.role: one.filled for guess, one in zip(guesses, profiles, strict=True)}
    texts = filled.get("paraphrase", 0.0)
    return 0 < filled.get("sentence", 1.0) < 0.75 and texts > 0.9


def told(found: Inspection) -> list[str]:
    """Return the inspection as lines for a terminal."""
    book = found.book
    how = [book.kind]
    if book.encoding:
        how.append(book.encoding)
    if book.delimiter:
        how.append(f"{DELIMITER_NAMES.get(book.delimiter, repr(book.delimiter))} between the cells")
    lines = [f"{book.name}: {', '.join(how)}; read as {found.what}"]
    if book.sheets != ("",):
        for one in found.sheets:
            mark = "*" if one.name == found.mapping.sheet else " "
            lines.append(f"{mark} sheet {one.name}: {one.rows} rows")
    lines.append(f"head: {', '.join(f'row {row}' for row in found.mapping.head) or 'none'}")
    for seen in found.columns:
        role = " ".join(part for part in (seen.guess.role, seen.guess.of) if part)
        mark = "?" if seen.guess.ask else " "
        name = seen.name or "(no name)"
        lines.append(f"{mark} {seen.column:>3}  {name}: {role} - {seen.guess.reason}")
    lines += [f"missing: {one}" for one in found.missing]
    return lines


def with_roles(found: Inspection, mapping: ColumnMap) -> Inspection:
    """Return the inspection with another mapping of the same sheet, whose roles were chosen."""
    chosen = {one.column: one for one in mapping.columns}
    columns = []
    for seen in found.columns:
        one = chosen.get(seen.column)
        role, of = (one.role, one.of) if one is not None else (IGNORE, "")
        guess = seen.guess
        if (role, of) != (guess.role, guess.of):
            guess = Guess(role, of, say("chosen"))
        columns.append(replace(seen, guess=guess))
    return replace(found, columns=tuple(columns), mapping=mapping)
