"""One sheet, looked at: its head, its first rows, and a guess for each column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import PurePath
from typing import Any

from annotation.importers.tables.books import Book, Join, Row, is_empty, letters, place_of
from annotation.importers.tables.guessing.marked_rows import leaving_out
from annotation.importers.tables.guessing.roles import Guessed, guess_roles
from annotation.importers.tables.guessing.state import Guess, guess_kind
from annotation.importers.tables.guessing.value_names import titled_scale
from annotation.importers.tables.heads import TableHead, find_head
from annotation.importers.tables.mapping import NOBODY, ColumnMap, MapColumn
from annotation.importers.tables.profiles import MOST_COLUMNS, SAMPLE, Profile, profile
from annotation.importers.tables.repeating import RowRepeats
from annotation.importers.tables.steps import Table, leaves_rows_out, repaired
from annotation.importers.tables.suggesting import (
    Step,
    cells_of,
    first_steps,
    in_the_same_place,
    joining,
    marking,
    replacing,
    splitting,
    unpivoting,
)
from annotation.importers.tables.tools import ToolTable
from annotation.importers.tables.word_values import Ranges
from paraanno.common.cells import has_decimal_comma, has_decimal_point
from paraanno.common.texts import Sentence, say

MOST_NAMED = 8  # rows in a question
TIMES = (say("dates"), say("times"))
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
    kind: str = "text"  # or label, number


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """A sheet: its name, its number of rows below the head (None: more than were looked at)."""

    name: str
    rows: int | None


# What says who judged which text, and which system's it is.
_JUDGED = ("sentence", "phrase", "paraphrase", "start", "item", "displayed", "annotator", "scale")
_KEYS = (*_JUDGED, "occasion", "kind", "own_sentence", "own_start")
_GIVEN = ("value", "value_of", "voice_of")


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
    steps: tuple[Mapping[str, Any], ...] = ()
    words: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    questions: tuple[Sentence, ...] = ()
    scales: Mapping[str, str] = field(default_factory=dict)
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    table: Table | None = None
    ranges: Ranges = field(default_factory=dict)
    sheets: tuple[str, ...] = ()  # that are read together
    parts: tuple[Looked, ...] = ()  # these, looked at
    join: Join | None = None  # of judgments and texts
    how: tuple[Sentence, ...] = ()  # what the ledger says of that
    twin: Looked | None = None  # the same table as judgments, or as items
    profiles: Sequence[Profile] = ()
    raw: Table | None = None  # before its repairs
    read: frozenset[int] = frozenset()  # rows of the sheet that are a part of the table

    @property
    def worth(self) -> tuple[int, int]:
        """How good a table it is: what it says, and its size."""
        roles = {one.guess.role for one in self.columns}
        return len(roles & set(ESSENTIAL)), len(self.rows)

    @property
    def scale(self) -> str:
        """The scale of values whose column names none; "" if that is not certain."""
        return self.fixed.get("scale", "")

    @property
    def has_texts(self) -> bool:
        """Whether the sheet has the texts of systems itself."""
        return any(one.guess.role in ("paraphrase", "output_of") for one in self.columns)

    def profile(self, one: Seen) -> Profile:
        """What the cells of a column hold."""
        return self.profiles[place_of(one.column) or 0]

    def in_other_case(self) -> int:
        """How many rows have a phrase that their sentence has in other capitals alone."""
        places = {one.guess.role: place_of(one.column) or 0 for one in self.columns}
        if not {"sentence", "phrase"} <= places.keys() or "start" in places:
            return 0
        pairs = (self.profiles[places[role]].texts for role in ("sentence", "phrase"))
        return sum(
            phrase not in sentence and phrase.casefold() in sentence.casefold()
            for sentence, phrase in zip(*pairs, strict=True)
        )

    def group_of(self, column: str) -> str:
        """Return what stands over the name of a column."""
        at = place_of(column) or 0
        groups = self.table.groups if self.table is not None else ()
        return groups[at] if at < len(groups) else ""

    def is_like(self, other: Looked) -> bool:
        """Whether most columns of two sheets have the same names: parts of one table."""
        here, there = (
            {one.name.casefold() for one in each.columns} - {""} for each in (self, other)
        )
        return len(here & there) > 1 and len(here & there) * 2 >= max(len(here), len(there))

    def continues(self, other: Looked) -> bool:
        """Whether two sheets have the same head in the same rows: one table in parts."""
        return (
            bool(self.head.rows)
            and (self.head.rows, self.head.groups) == (other.head.rows, other.head.groups)
            and [*map(str.casefold, self.head.names)] == [*map(str.casefold, other.head.names)]
        )

    def repeats(self) -> RowRepeats | None:
        """Return what compares the rows as judgments; None where they say too little for it."""
        judged, items = (self, self.twin) if self.what == "judgments" else (self.twin, self)
        if judged is None or self.fill_down or self.what not in ("items", "judgments"):
            return None
        by_role: dict[str, list[int]] = {}
        for one in judged.columns:
            by_role.setdefault(one.guess.role, []).append(place_of(one.column) or 0)
        values = [at for role in _GIVEN for at in by_role.get(role, ())]
        keys = [at for role in _KEYS for at in by_role.get(role, ())]
        if not keys or not values or not by_role.keys() & {"annotator", "voice_of"}:
            return None
        apart = [
            place_of(one.column) or 0
            for one in (items.columns if items is not None else ())
            if one.guess.role in ("system", "rank")
        ]
        times = [
            place_of(one.column) or 0
            for one in judged.columns
            if one.guess.role == "judged_at" or one.guess.reason in TIMES
        ]
        return RowRepeats(keys, values, [at for at in apart if at not in keys], times)

    def mapping(self, book: Book) -> ColumnMap:
        """Return the mapping that the guesses make."""
        columns = tuple(
            MapColumn(
                one.column, one.name, one.guess.role, one.guess.of, one.guess.scale, one.guess.ask
            )
            for one in self.columns
        )
        return ColumnMap(
            self.what,
            columns,
            self.head.rows,
            self.name,
            book.encoding,
            book.delimiter,
            self.decimal,
            self.fixed,
            any_case=self.in_other_case() > 0,
            fill_down=self.fill_down,
            steps=self.steps,
            words=self.words,
            scales=self.scales,
            ask=tuple(str(one) for one in self.questions),
            sheets=self.sheets,
            join=self.join,
        )


def looked_at(
    book: Book,
    name: str,
    what: str | None,
    scales: Sequence[str],
    given: tuple[int, ...] | None = None,
    *,
    ranges: Ranges | None = None,
    steps: Sequence[Mapping[str, Any]] | None = None,
    codes: frozenset[float] = frozenset(),
) -> Looked:
    """Look at a sheet; `given` are the rows of its head and `steps` its repairs, found if they are
    not given. `codes` are numbers that say that there is no answer."""
    source = book.rows(name)
    rows = list(islice(source, MOST_LOOKED_AT))
    head = find_head(book, rows, given)
    last = max(head.rows, default=-1)
    below = [row for row in rows if row[0] > last]
    count = _count(book, rows, below, source)
    below = list(_without_notes(below))
    table = raw = table_of(head, below)
    decimal = _decimal(below)
    above = [" ".join(map(str, filter(None, cells))) for number, cells in rows if number < last]
    titles = (*above, name, PurePath(book.name).stem)
    about = _About(decimal, scales, ranges or {}, what, codes, titles)
    if steps is None:
        table, applied_steps = _repaired(table, about)
    else:
        table, applied_steps = repaired(table, steps), [dict(one) for one in steps]
    questions = _questions_of(table, applied_steps, about)

    def as_kind(about: _About) -> Looked:
        return _guessed(name, head, table, count, about, (applied_steps, questions))

    looked = as_kind(about)
    looked.raw = raw
    whole = repaired(raw, [step for step in applied_steps if not leaves_rows_out(step)])
    looked.read |= {number for number, _ in whole.rows()}
    other = {"items": "judgments", "judgments": "items"}.get(looked.what)
    if other is not None:
        looked.twin = as_kind(replace(about, what=other))
    return looked


def _guessed(
    name: str,
    head: TableHead,
    table: Table,
    count: int | None,
    about: _About,
    repairs: tuple[list[Step], list[Sentence]],
) -> Looked:
    applied_steps, questions = repairs
    names, _, profiles, kind, guessed = about.guess(table)
    guesses, scales = guessed.guesses, about.scales
    shown = [
        Seen(letters(at), names[at], one.filled, tuple(one.examples()), guess, one.kind)
        for at, (one, guess) in enumerate(zip(profiles, guesses, strict=True))
        if one.n or names[at]
    ]
    fixed: dict[str, str] = {}
    roles = {guess.role for guess in guesses}
    if kind == "judgments" and roles & {"value", "voice_of"} and "scale" not in roles:
        scale = scales[0] if len(scales) == 1 else titled_scale(about.titles, scales)
        fixed = {"scale": scale} if scale else {}
    open_questions = [*questions, *guessed.questions]
    if kind == "judgments" and roles & {"value", "value_of"} and "annotator" not in roles:
        open_questions.append(NOBODY)
    return Looked(
        name,
        head,
        list(table.rows()),
        count,
        kind,
        shown,
        about.decimal,
        _to_fill(guesses, profiles),
        fixed,
        tuple(applied_steps),
        guessed.words,
        tuple(open_questions),
        guessed.scales,
        guessed.spoken,
        table,
        about.ranges,
        profiles=profiles,
        read=frozenset({*head.rows, *(number for number, _ in table.rows())}),
    )


def later_parts(book: Book, looked: Looked) -> Iterator[Looked]:
    """Yield the rows behind those that were looked at, in parts, as the same table."""
    if looked.name not in book.sheets:
        return
    rows = islice(book.rows(looked.name), MOST_LOOKED_AT, None)
    while part := list(islice(rows, SAMPLE)):
        table = repaired(table_of(looked.head, _without_notes(part)), looked.steps)
        below = list(table.rows())
        profiles = _profiles(below, len(table.names), looked.decimal)
        yield replace(looked, rows=below, profiles=profiles, table=table)


def table_of(head: TableHead, rows: Sequence[Row]) -> Table:
    """Return the rows below a head as a table."""
    width = min(MOST_COLUMNS, max((len(cells) for _, cells in rows), default=0))
    width = min(MOST_COLUMNS, max(width, len(head.names)))
    names = [*head.names, *[""] * width][:width]
    groups = [*head.groups, *[""] * width][:width]
    return Table(tuple(names), tuple(groups), lambda: iter(rows))


@dataclass(frozen=True, slots=True)
class _About:
    """What a guess needs besides the table."""

    decimal: str
    scales: Sequence[str]
    ranges: Ranges
    what: str | None
    codes: frozenset[float]
    titles: tuple[str, ...] = ()  # of the table, the sheet and the file

    def guess(
        self, table: Table
    ) -> tuple[Sequence[str], Sequence[str], list[Profile], str, Guessed]:
        """Return the names, those over them, what the columns hold, the kind and the guesses."""
        profiles = _profiles(list(table.rows()), len(table.names), self.decimal)
        kind = self.what or guess_kind(table.names, profiles)
        guessed = guess_roles(
            table.names,
            profiles,
            what=kind,
            groups=table.groups,
            scales=self.scales,
            ranges=self.ranges,
            rescaled=table.rescaled,
            codes=self.codes,
        )
        for name, guess in zip(table.names, guessed.guesses, strict=True):
            stem, _, place = name.rpartition(".")
            listed = f"{stem}.1" in table.names and f"{stem}.2" in table.names
            if listed and (
                guess.role == "voice_of" or (guess.role == "annotator" and place == "1")
            ):
                guess.ask, guess.reason = True, say("one of a list: which annotator is it?")
        return table.names, table.groups, profiles, kind, guessed


def _repaired(table: Table, about: _About) -> tuple[Table, list[Step]]:
    """Return the table after the repairs that leave no choice, and these."""
    steps: list[Step] = []

    def take(step: Step | None) -> None:
        nonlocal table
        if step is not None:
            steps.append(step)
            table = repaired(table, [step])

    for step in list(first_steps(table)):
        take(step)
    while (left := leaving_out(table)) is not None:
        take(left)
    take(joining(table))
    marked = marking(table)
    if marked:
        guesses = replace(about, what="items").guess(table)[-1].guesses
        roles = ("sentence", "phrase")
        of_original = [one for one in marked if guesses[one[0]].role in roles]
        if len(of_original) == 1:
            at, mark, _ = of_original[0]
            new = [
                one
                for one, other, _ in marked
                if other == mark and one != at and in_the_same_place(table, at, one, mark)
            ]
            take({"step": "marked", "columns": [*map(letters, (at, *new))], "mark": mark})
    take(replacing(table, replace(about, what="items").guess(table)[-1].guesses))
    guessed = about.guess(table)[-1]
    take(unpivoting(table, guessed.outputs, guessed.values))
    return table, steps


def _questions_of(table: Table, steps: Sequence[Step], about: _About) -> list[Sentence]:
    """Return what a table asks of which a repair may be the answer."""
    questions: list[Sentence] = []
    guessed = about.guess(table)[-1]
    if any(step["step"] == "marked" for step in steps):
        phrases = [at for at, one in enumerate(guessed.guesses) if one.role == "phrase"]
        if any(len(cells_of(table, at)) < sum(1 for _ in table.rows()) for at in phrases):
            questions.append(say("some rows have no marked phrase: is the whole text meant?"))
    for step in steps:
        if step["step"] == "drop" and step.get("below") is True and not step.get("words"):
            rows = ", ".join(map(str, step["rows"][:MOST_NAMED]))
            questions.append(
                say("rows %(rows)s stand apart below the table: are they no part of it?", rows=rows)
            )
    for at, _, _ in marking(table):
        if at in guessed.texts:
            questions.append(
                say(
                    "the texts of column %(columns)s have marks in them: are they texts?",
                    columns=table.names[at] or letters(at),
                )
            )
    references = [at for at, one in enumerate(guessed.guesses) if one.role == "reference"]
    several = splitting(table, [*guessed.texts, *references])
    if several is not None:
        at, sign = several
        questions.append(
            say(
                "the cells of column %(column)s hold several texts with %(sign)s between them: "
                "split it?",
                column=table.names[at] or letters(at),
                sign=repr(sign),
            )
        )
    return questions


def of_tool(book: Book, table: ToolTable) -> Looked:
    """Look at the plain table of a tool's file, whose columns are known."""
    source = table.rows()
    rows = list(islice(source, MOST_LOOKED_AT))
    below = [row for row in rows if row[0] > 0]
    profiles = _profiles(below, len(table.columns), ".")
    shown = [
        Seen(
            letters(at),
            one.name,
            column_profile.filled,
            tuple(column_profile.examples()),
            Guess(one.role, one.of, one.reason, one.ask, one.scale),
        )
        for at, (one, column_profile) in enumerate(zip(table.columns, profiles, strict=True))
    ]
    head = TableHead((0,), tuple(one.name for one in table.columns))
    count = _count(book, rows, below, source)
    fixed = dict(table.fixed)
    return Looked("", head, below, count, table.what, shown, ".", fixed=fixed, profiles=profiles)


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
