"""Look at a file: how it is written, what its columns are, and the mapping that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from annotation.importers.tables.books import (
    ALL_SHEETS,
    JOINED,
    Book,
    Cell,
    TableError,
    is_empty,
    place_of,
    together,
)
from annotation.importers.tables.guessing.point_words import codes_said
from annotation.importers.tables.guessing.roles import SCALES
from annotation.importers.tables.guessing.state import Guess
from annotation.importers.tables.guessing.tool_words import words_of_tool
from annotation.importers.tables.ledger import Ledger, ledger_of
from annotation.importers.tables.looking import (
    MOST_LOOKED_AT,
    Looked,
    Seen,
    SheetSeen,
    later_parts,
    looked_at,
    of_tool,
)
from annotation.importers.tables.mapped import VALUES
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.offering import (
    Offer,
    Refusal,
    is_about_direction,
    offers,
    refusal,
)
from annotation.importers.tables.opening import DELIMITER_NAMES
from annotation.importers.tables.profiles import Profile
from annotation.importers.tables.proving.left import left_by_tool
from annotation.importers.tables.proving.people import Beside
from annotation.importers.tables.proving.rules import of_records, unproven
from annotation.importers.tables.proving.sheets import one_table, other_tables, place_in_whole
from annotation.importers.tables.repeating import RowRepeats
from annotation.importers.tables.shaping import flat
from annotation.importers.tables.tools import ToolTable, book_of, recognised
from annotation.importers.tables.word_values import Ranges as word_values_Ranges
from annotation.importers.tables.word_values import (
    is_head_again,
    is_total,
)
from paraanno.common.texts import Sentence, say

OTHER_SHEET, NOTE = say("another sheet"), say("beside the table")
AGAIN = say("totals, or the names of columns again")
MOST_SHOWN = 40  # characters of a note
WHOLE_PARTS = 20  # of 2,000 rows that are looked at wholly; then each twentieth


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of a file. `mapping` reads it; `missing` has to be chosen before, and what
    `asks` has to be looked at."""

    book: Book
    sheets: tuple[SheetSeen, ...]
    columns: tuple[Seen, ...]
    mapping: ColumnMap
    what: str
    ledger: Ledger
    tool: str = ""
    questions: tuple[Sentence, ...] = ()
    looked: Looked | None = None
    profiles: Sequence[Profile] = ()

    @property
    def missing(self) -> list[Sentence]:
        """What has to be chosen before the table can be read, and the questions about it."""
        return [*self.mapping.missing(), *self.questions]

    @property
    def asks(self) -> int:
        """How many columns and questions somebody should look at."""
        return len(self.mapping.waits())

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The words that stand for points, by scale ("": of all)."""
        return {} if self.looked is None else self.looked.spoken

    def offers_for(self, mapping: ColumnMap) -> list[Offer]:
        """The repairs that somebody may choose, with the roles that were chosen."""
        if self.looked is None or self.looked.table is None:
            return []
        whole = mapping.fixed.get("scale", "")
        guesses = {
            place_of(one.column) or 0: Guess(one.role, one.of, scale=one.scale or whole)
            for one in mapping.columns
        }
        return offers(self.looked.table, guesses, self.looked.ranges, asks=bool(self.questions))

    def refusal_of(self, question: Sentence) -> Refusal | None:
        """What is done where a question is answered with no; None for nothing."""
        table = None if self.looked is None else self.looked.table
        turned = self.offers_for(self.mapping) if is_about_direction(question) else []
        return refusal(question, self.columns, table, turned)

    @property
    def judged(self) -> bool:
        """Whether a column holds judgments, or may hold some."""
        return any(one.guess.role in VALUES or one.guess.ask for one in self.columns)

    @property
    def also(self) -> str:
        """What else the table holds that another import reads: judgments beside items; "" for
        nothing."""
        twin = None if self.looked is None else self.looked.twin
        if twin is None or self.what != "items":
            return ""
        read = any(one.guess.role in VALUES or one.guess.ask for one in twin.columns)
        return twin.what if read else ""

    def ledger_with(self, mapping: ColumnMap) -> Ledger:
        """Return the ledger with another mapping of the same sheet."""
        if self.looked is None:
            return self.ledger
        beside = tuple(one for one in self.ledger.not_read if one[1] in (OTHER_SHEET, NOTE, AGAIN))
        ledger = ledger_of(mapping, self.looked)
        return replace(ledger, not_read=(*ledger.not_read, *beside))

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON; reasons are sentences."""
        book = self.book
        return {
            "file": book.name,
            "kind": book.kind,
            "tool": self.tool,
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
                    "scale": one.guess.scale,
                    "reason": one.guess.reason,
                    "ask": one.guess.ask,
                }
                for one in self.columns
            ],
            "missing": self.missing,
            "ledger": self.ledger.to_json(),
            "line": self.ledger.line,
            "map": self.mapping.to_json(),
        }


def inspect_book(
    book: Book,
    *,
    what: str | None = None,
    sheet: str = "",
    scales: Sequence[str] = SCALES,
    head: tuple[int, ...] | None = None,
    ranges: word_values_Ranges | None = None,
    steps: Sequence[Mapping[str, Any]] | None = None,
    sheets_ask: bool | None = None,
) -> Inspection:
    """Guess the roles of the columns of a sheet: that which is named, or the best.

    `what` is items, judgments or gold, guessed if it is not given; `scales` are those of the
    campaign and `ranges` their lowest and highest points; `head` are the rows with the names of the
    columns in the sheet that is named and `steps` its repairs, found if they are not given.
    `sheets_ask`: sheets with the same columns ask; by default if no sheet is named. A file that a
    tool wrote is recognised first. Raises TableError if no sheet has a table, and for a
    tool's file that holds nothing to import.
    """
    tool = recognised(book, what, scales)
    if tool is not None:
        return _of_tool(book, *tool, ranges or {})
    book = flat(book, what or "items")
    if sheet and sheet not in (*book.sheets, ALL_SHEETS, JOINED):
        raise TableError(
            say(
                "there is no sheet %(name)s: choose one of %(sheets)s",
                name=repr(sheet),
                sheets=", ".join(book.sheets),
            )
        )
    chosen = sheet or book.sheets[0]
    look = partial(_look, what=what, scales=scales, ranges=ranges)
    looked = [
        look(book, name, given=(head, steps) if name == chosen else (None, None))
        for name in book.sheets
    ]
    if not any(one.rows for one in looked):
        raise TableError(say("the file has a header at most, and no records: choose another"))
    sheets = tuple(SheetSeen(one.name, one.count) for one in looked)
    book, best, alike = _best(book, looked, sheet, partial(look, given=(head, steps)))
    if len(alike) > 1:
        sheets = (*sheets, SheetSeen(ALL_SHEETS, sum(one.count or 0 for one in alike)))
    if best.join is not None:
        sheets = (*sheets, SheetSeen(JOINED, best.count))
    others = [one for one in looked if one is not best and one.name not in best.sheets and one.rows]
    twins = [one.name for one in others if one.is_like(best)]
    of_sheets: list[Sentence] = []
    if twins and sheet != ALL_SHEETS and (not sheet if sheets_ask is None else sheets_ask):
        of_sheets.append(
            say(
                "the sheets %(names)s have the same columns as %(sheet)s, which alone is read: are "
                "they imported by themselves?",
                names=", ".join(twins),
                sheet=best.name,
            )
        )
    if sheets_ask is not False:
        of_sheets += other_tables(best, others, twins)
    beside = texts_beside(book, best)
    best, open_questions = _proven(book, best, beside, look, search=steps is None)
    best.questions += (*of_sheets, *open_questions)
    if {best.name, *best.sheets} & {*book.hidden}:
        best.questions += (say("rows or columns of the sheet are hidden: are they to be read?"),)
    mapping = best.mapping(book)
    ledger = ledger_of(mapping, best)
    left = tuple((one.name, OTHER_SHEET) for one in others)
    notes = tuple((one[:MOST_SHOWN], NOTE) for one in (*beside.above, *beside.below))
    notes += tuple((str(say("row %(n)s", n=one)), AGAIN) for one in beside.again)
    ledger = replace(ledger, not_read=(*ledger.not_read, *left, *notes))
    return Inspection(
        book,
        sheets,
        tuple(best.columns),
        mapping,
        best.what,
        ledger,
        questions=best.questions,
        looked=best,
        profiles=best.profiles,
    )


def _best(
    book: Book, looked: Sequence[Looked], sheet: str, look: Callable[[Book, str], Looked]
) -> tuple[Book, Looked, list[Looked]]:
    """Return the sheet that is named, or the best one, with those that have the same head: several
    that are proven to be one table before each of them. Raises TableError for sheets that are none
    together."""
    named = [one for one in looked if one.name == sheet] or looked
    best = max(named, key=lambda one: one.worth)
    alike = [one for one in looked if one.rows and (one is best or one.continues(best))]
    whole = one_table(book, looked, look) if sheet in ("", ALL_SHEETS, JOINED) else None
    if whole is not None and sheet in ("", whole[1].name):
        return *whole, alike
    if sheet == JOINED:
        raise TableError(say("the sheets cannot be joined by an id: choose one"))
    return book, _together(book, alike, look) if sheet == ALL_SHEETS else best, alike


def _proven(
    book: Book, best: Looked, beside: Beside, look: Callable[..., Looked], *, search: bool
) -> tuple[Looked, list[Sentence]]:
    """Return the table as texts beside it explain its numbers, and without rows that come again if
    repairs are searched; and what the rules ask about it."""
    codes = codes_said(texts_of(best, beside))
    if any(codes & {*one.values} for one in best.profiles):
        given = best.head.rows, best.steps
        best = _once_more(look(book, best.name, given=given, codes=codes), best)
    repeats = best.repeats() if search else None
    asks = list(_unproven(book, best, beside, repeats))
    if repeats is not None and (more := repeats.steps()):
        given = best.head.rows, (*best.steps, *more)
        best = _once_more(look(book, best.name, given=given, codes=codes), best)
        asks = list(_unproven(book, best, beside))
    return best, asks


def _once_more(again: Looked, before: Looked) -> Looked:
    """Return a sheet that was looked at again after more repairs, as the sheets that it was."""
    again.sheets, again.parts = before.sheets, before.parts
    again.join, again.how = before.join, before.how
    return again


def _unproven(
    book: Book, looked: Looked, beside: Beside, repeats: RowRepeats | None = None
) -> Iterator[Sentence]:
    """Yield what the rules find: in the rows that were looked at, and in parts of the rest, each
    by itself. Of very long tables, most parts are looked at row by row alone. `repeats` compares
    all rows with each other."""
    mapping = looked.mapping(book)
    seen: set[str] = set()
    parts = chain([looked], later_parts(book, looked))
    for at, part in enumerate(parts):
        light = at > WHOLE_PARTS and at % WHOLE_PARTS > 0
        if repeats is not None:
            repeats.see(part.rows)
        for one in unproven(mapping, part, Beside() if at else beside, light=light):
            if one.template not in seen or not at:
                yield one
            seen.add(one.template)


def texts_beside(book: Book, looked: Looked) -> Beside:
    """Return the texts of a file that are no part of its table."""
    parts = [beside_part(book, one) for one in looked.parts or (looked,)]
    names = [name for name in (*looked.sheets, looked.name) if name in book.sheets]
    sheets = [
        "; ".join(_joined(cells) for _, cells in islice(book.rows(name), MOST_LOOKED_AT))
        for name in book.sheets
        if name not in (*names, ALL_SHEETS, JOINED)
    ]
    return Beside(
        tuple(text for one in parts for text in one.above),
        tuple(text for one in parts for text in one.below),
        (*sheets,),
        book.remarks,
        tuple(number for one in parts for number in one.again),
        _marks(book, looked),
    )


def texts_of(looked: Looked, beside: Beside) -> tuple[str, ...]:
    """Return the texts that may say what numbers mean: beside the table, and over its columns."""
    heads = dict.fromkeys(f"{looked.group_of(one.column)} {one.name}" for one in looked.columns)
    heads |= dict.fromkeys(part for head in heads for part in re.split(r"[()（）,;]", head))
    return (*beside.above, *beside.below, *beside.sheets, *heads)


def beside_part(book: Book, looked: Looked) -> Beside:
    """Return the rows of a sheet, or of sheets with the same head, that are no part of the table,
    and not its head."""
    names = [name for name in (*looked.sheets, looked.name) if name in book.sheets]
    first = min(looked.read, default=0)
    left = [
        (number, cells)
        for name in names
        for number, cells in islice(book.rows(name), MOST_LOOKED_AT)
        if number not in looked.read
    ]
    again = [
        number
        for number, cells in left
        if is_total(cells) or is_head_again(cells, looked.head.names)
    ]
    rows = [(number, _joined(cells)) for number, cells in left if number not in again]
    return Beside(
        tuple(text for number, text in rows if number < first),
        tuple(text for number, text in rows if number > first),
        again=tuple(again),
    )


def _marks(book: Book, looked: Looked) -> dict[int, set[int]]:
    """Return the rows with cells of the table that look otherwise than the others of their column,
    by the place of this."""
    marks: dict[int, set[int]] = {}
    for part in looked.parts or (looked,):
        rows = part.read - {*part.head.rows}
        for row, at in book.marks.get(part.name, ()):
            if row in rows:
                marks.setdefault(place_in_whole(looked, part, at), set()).add(row)
    return marks


def _joined(cells: Sequence[Cell]) -> str:
    filled = [str(cell).strip() for cell in cells if not is_empty(cell)]
    return " = ".join(filled) if len(filled) == 2 else " ".join(filled)


def _look(
    book: Book,
    name: str,
    what: str | None,
    scales: Sequence[str],
    ranges: word_values_Ranges | None,
    given: tuple[tuple[int, ...] | None, Sequence[Mapping[str, Any]] | None],
    codes: frozenset[float] = frozenset(),
) -> Looked:
    head, steps = given
    return looked_at(book, name, what, scales, head, ranges=ranges, steps=steps, codes=codes)


def _together(book: Book, alike: Sequence[Looked], look: Callable[..., Looked]) -> Looked:
    """Look at sheets with the same head as one table. Raises TableError for less than two."""
    if len(alike) < 2:
        raise TableError(say("no two sheets have the same columns: choose one"))
    names = tuple(one.name for one in alike)
    whole = together(book, names, alike[0].head.rows)
    seen = look(whole, ALL_SHEETS)
    seen.sheets = names
    return seen


def _of_tool(book: Book, form: str, table: ToolTable, ranges: word_values_Ranges) -> Inspection:
    """Return the inspection of a file that a tool wrote."""
    if table.refused is not None:
        raise TableError(table.refused)
    seen = of_tool(book, table)
    words = {**table.words, **words_of_tool(seen, table, ranges)}
    mapping = replace(
        seen.mapping(book_of(book, table)),
        form=form,
        fixed=dict(table.fixed),
        words=words,
    )
    sheets = (SheetSeen("", seen.count),)
    asks = (*table.asks, *of_records(mapping, seen, ranges), *left_by_tool(book, seen))
    mapping = replace(mapping, ask=tuple(str(one) for one in asks))
    ledger = ledger_of(mapping, seen)
    left = tuple((str(piece), why) for piece, why in table.left_out)
    ledger = replace(ledger, not_read=(*ledger.not_read, *left))
    return Inspection(
        replace(book, named=True),
        sheets,
        tuple(seen.columns),
        mapping,
        table.what,
        ledger,
        table.tool,
        asks,
        profiles=seen.profiles,
    )


def inspection_lines(inspection: Inspection) -> list[str]:
    """Return the inspection as lines for a terminal."""
    book = inspection.book
    how = [book.kind]
    if book.encoding:
        how.append(book.encoding)
    if book.delimiter:
        how.append(f"{DELIMITER_NAMES.get(book.delimiter, repr(book.delimiter))} between the cells")
    lines = [f"{book.name}: {', '.join(how)}; read as {inspection.what}"]
    if book.sheets != ("",):
        for one in inspection.sheets:
            mark = "*" if one.name == inspection.mapping.sheet else " "
            lines.append(f"{mark} sheet {one.name}: {one.rows} rows")
    lines.append(f"head: {', '.join(f'row {row}' for row in inspection.mapping.head) or 'none'}")
    for seen in inspection.columns:
        role = " ".join(part for part in (seen.guess.role, seen.guess.of) if part)
        mark = "?" if seen.guess.ask else " "
        name = seen.name or "(no name)"
        lines.append(f"{mark} {seen.column:>3}  {name}: {role} - {seen.guess.reason}")
    lines += [f"missing: {one}" for one in inspection.missing]
    return [*lines, str(inspection.ledger.line)]


def with_roles(inspection: Inspection, mapping: ColumnMap) -> Inspection:
    """Return the inspection with another mapping of the same sheet, whose roles were chosen."""
    chosen = {one.column: one for one in mapping.columns}
    columns = []
    for seen in inspection.columns:
        one = chosen.get(seen.column)
        role, of = (one.role, one.of) if one is not None else (IGNORE, "")
        guess = seen.guess
        if (role, of) != (guess.role, guess.of):
            guess = Guess(role, of, say("chosen"))
        columns.append(replace(seen, guess=guess))
    return replace(inspection, columns=tuple(columns), mapping=mapping)
