"""One sheet, looked at: its head, its first rows, and a guess for each column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotation.importers.tables.books import Book, Row, is_empty, letters, place_of
from annotation.importers.tables.guesses import ELSEWHERE, Guess, guess_kind
from annotation.importers.tables.guessing import guess_roles
from annotation.importers.tables.heads import TableHead, find_head
from annotation.importers.tables.ledger import Counting, Ledger
from annotation.importers.tables.mapping import IGNORE, ColumnMap, MapColumn
from annotation.importers.tables.profiles import MOST_COLUMNS, SAMPLE, Profile, profile
from annotation.importers.tables.row_reader import RowReader
from annotation.importers.tables.tools import ToolTable
from paraanno.plain.number_text import has_decimal_comma, has_decimal_point

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


@dataclass(slots=True)
class Looked:
    """One sheet, looked at. `rows` are the first below the head, `count` is the number of all
    (None: not counted)."""

    name: str
    head: TableHead
    rows: Sequence[Row]
    count: int | None
    what: str
    columns: list[Seen]
    decimal: str
    fill_down: bool = False
    fixed: dict[str, str] = field(default_factory=dict)

    @property
    def worth(self) -> tuple[int, int]:
        """How good a table it is: what it says, and its size."""
        roles = {one.guess.role for one in self.columns}
        return len(roles & set(ESSENTIAL)), len(self.rows)

    def mapping(self, book: Book) -> ColumnMap:
        """Return the mapping that the guesses make."""
        columns = tuple(
            MapColumn(
                one.column, one.name, one.guess.role, one.guess.of, one.guess.scale, one.guess.ask
            )
            for one in self.columns
        )
        return ColumnMap(
            self.what, columns, self.head.rows, self.name, book.encoding, book.delimiter,
            self.decimal, self.fixed, fill_down=self.fill_down,
        )  # fmt: skip


def looked_at(
    book: Book, name: str, what: str | None, scales: Sequence[str],
    given: tuple[int, ...] | None = None,
) -> Looked:  # fmt: skip
    """Look at a sheet; `given` are the rows of its head, found if they are not given."""
    source = book.rows(name)
    rows = list(islice(source, MOST_LOOKED_AT))
    head = find_head(book, rows, given)
    last = max(head.rows, default=-1)
    below = [row for row in rows if row[0] > last]
    count = _count(book, rows, below, source)
    width = min(MOST_COLUMNS, max((len(cells) for _, cells in below), default=0))
    names = [*head.names, *[""] * width][: max(width, len(head.names))][:MOST_COLUMNS]
    groups = [*head.groups, *[""] * len(names)][: len(names)]
    table = _without_notes(below)
    decimal = _decimal(below)
    profiles = _profiles(table, len(names), decimal)
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
    return Looked(
        name, head, table, count, kind, shown, decimal, _to_fill(guesses, profiles), fixed
    )


def of_tool(book: Book, table: ToolTable) -> Looked:
    """Look at the plain table of a tool's file, whose columns are known."""
    source = table.rows()
    rows = list(islice(source, MOST_LOOKED_AT))
    below = [row for row in rows if row[0] > 0]
    profiles = _profiles(below, len(table.columns), ".")
    shown = [
        Seen(
            letters(at), one.name, found.filled, tuple(found.examples()),
            Guess(one.role, one.of, one.reason, one.ask, one.scale),
        )
        for at, (one, found) in enumerate(zip(table.columns, profiles, strict=True))
    ]  # fmt: skip
    head = TableHead((0,), tuple(one.name for one in table.columns))
    count = _count(book, rows, below, source)
    return Looked("", head, below, count, table.what, shown, ".", fixed=dict(table.fixed))


def ledger_of(mapping: ColumnMap, looked: Looked) -> Ledger:
    """Return the ledger of the rows that were looked at, as the mapping reads them."""
    placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
    reader = RowReader(mapping, placed)
    counting = Counting()
    records = (dict(values) for _, cells in looked.rows for values, _, _ in reader.read(cells))
    counting.count(records, reader.references)
    not_read = tuple(
        (one.name or one.column, one.guess.reason)
        for one in looked.columns
        if one.guess.role == IGNORE and one.filled and one.guess.reason not in ELSEWHERE
    )
    seen = len(looked.rows)
    return Ledger(
        len(counting.originals), tuple(counting.systems), counting.references,
        tuple(counting.annotators), not_read, None if looked.count is not None else seen,
    )  # fmt: skip


def _count(
    book: Book, rows: Sequence[Row], below: Sequence[Row], source: Iterator[Row]
) -> int | None:
    count = None if len(rows) > SAMPLE else len(below)
    if count is None and book.kind in ("xlsx", "xls", "ods", "json"):
        count = len(below) + sum(1 for _ in source)
    return count


def _decimal(rows: Sequence[Row]) -> str:
    texts = [cell for _, cells in rows for cell in cells if isinstance(cell, str)]
    return "," if sum(map(has_decimal_comma, texts)) > sum(map(has_decimal_point, texts)) else "."


def _profiles(rows: Sequence[Row], width: int, decimal: str) -> list[Profile]:
    return [
        profile([cells[at] if at < len(cells) else None for _, cells in rows], decimal)
        for at in range(width)
    ]


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
