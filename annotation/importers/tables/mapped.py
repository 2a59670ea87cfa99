"""Somebody's table, read as records in the columns that our readers know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import chain, islice
from typing import BinaryIO

from annotation.importers.tables.books import (
    ALL_SHEETS,
    JOINED,
    Book,
    Cell,
    Coded,
    NoValue,
    Row,
    TableError,
    is_empty,
    joined_sheets,
    letters,
    place_of,
    together,
)
from annotation.importers.tables.heads import columns_of, named_head
from annotation.importers.tables.looking import table_of
from annotation.importers.tables.mapping import IGNORE, OF, ColumnMap, MapColumn
from annotation.importers.tables.sandboxed import open_apart
from annotation.importers.tables.shaping import shaped
from annotation.importers.tables.steps import repaired
from annotation.importers.tables.word_values import NO_VALUE
from paraanno.common.cells import Cells, Columns, plain_number_text
from paraanno.common.records import RecordSource
from paraanno.common.texts import Problem, ProblemLog, Sentence, say, shown

# The cells of a row, read as records in the columns that our readers know.


NUMBERS = frozenset(
    {"value", "value_of", "voice_of", "n_of", "sd_of", "start", "end", "rank", "occasion"}
)
VALUES = frozenset({"value", "value_of", "voice_of"})
SUFFIX = {"value_of": "", "n_of": "_n", "sd_of": "_sd", "method_of": "_method"}
Values = dict[str, object]


def our_columns(one: MapColumn, what: str) -> tuple[str, ...]:
    """Return our columns that a column fills."""
    if one.role == "output_of":
        return "paraphrase", "system"
    if one.role == "voice_of":
        return ("value", "annotator", "scale") if one.scale else ("value", "annotator")
    if one.role in OF:
        return (one.of + SUFFIX[one.role],) if what == "gold" else ("value", "scale")
    return (f"attr.{one.of or one.name}",) if one.role == "attr" else (one.role,)


REFERENCES = ("reference", "phrase_reference")


class RowReader:
    """Makes records of the cells of a row."""

    def __init__(self, mapping: ColumnMap, placed: Sequence[tuple[int, MapColumn]]) -> None:
        self.mapping = mapping
        several = (
            ("output_of", "voice_of")
            if mapping.what != "judgments"
            else ("output_of", "voice_of", "value_of")
        )
        self._one = [(at, one, self._column(one)) for at, one in placed if one.role not in several]
        self._several = [(at, one) for at, one in placed if one.role in several]
        self._last: Values = {}
        self._needs = len(placed) > 1
        self._texts = {at for at, one in placed if one.role in ("paraphrase", "output_of")}
        for role in REFERENCES:
            places = [at for at, one, _ in self._one if one.role == role]
            names = [role, *(f"{role}_{n}" for n in range(2, len(places) + 1))]
            named = dict(zip(places, names[: len(places)], strict=True))
            self._one = [(at, one, named.get(at, ours)) for at, one, ours in self._one]
        self.references = [ours for _, one, ours in self._one if one.role in REFERENCES]

    def _column(self, one: MapColumn) -> str:
        return our_columns(one, self.mapping.what)[0]

    def is_note(self, cells: Sequence[Cell]) -> bool:
        """Whether the row has one cell only, which is not that of a new text, where a record needs
        several."""
        filled = [at for at, cell in enumerate(cells) if not is_empty(cell)]
        return self._needs and len(filled) == 1 and filled[0] not in self._texts

    def read(
        self, cells: Sequence[Cell]
    ) -> Iterator[tuple[Values, list[tuple[str, Sentence]], Mapping[str, str]]]:
        """Yield records with their failures, and labels of columns that only they have."""
        values: Values = dict(self.mapping.fixed)
        failures: list[tuple[str, Sentence]] = []
        for at, one, ours in self._one:
            self._put(values, failures, ours, one, cells[at] if at < len(cells) else None)
        if self.mapping.fill_down:
            self._fill(values)
        self._place(values)
        if not self._several:
            yield values, failures, {}
        for at, one in self._several:
            own, bad = dict(values), list(failures)
            cell = cells[at] if at < len(cells) else None
            given, named = {
                "output_of": ("paraphrase", "system"),
                "voice_of": ("value", "annotator"),
                "value_of": ("value", "scale"),
            }[one.role]
            own[named] = one.of
            if one.scale:
                own["scale"] = one.scale
            self._put(own, bad, given, one, cell)
            if given == "paraphrase" or given in own or len(bad) > len(failures):
                yield own, bad, {given: one.label, named: one.label}

    def lacks(self, values: Values) -> Sentence | None:
        """Return why a row is left out, if the mapping asks for that."""
        if not self.mapping.skip_incomplete:
            return None
        if self.mapping.what == "items":
            whole = "sentence" in values or "phrase" in values
            whole = whole and ("paraphrase" in values or not self.mapping.has("paraphrase"))
            whole = whole and ("phrase" in values or not self.mapping.role("phrase"))
        else:
            whole = "paraphrase" in values and ("value" in values or self.mapping.what == "gold")
        return None if whole else say("the row is not complete: left out")

    def _put(
        self,
        values: Values,
        failures: list[tuple[str, Sentence]],
        ours: str,
        one: MapColumn,
        cell: Cell,
    ) -> None:
        if is_empty(cell):
            return
        text = self._value(cell, one, values) if one.role in NUMBERS else _text(cell, one.role)
        if text is None:
            values[ours] = ""  # Said to be no judgment, which is not the same as an empty cell.
        elif isinstance(text, Sentence):
            failures.append((ours, text))
        elif text:
            values[ours] = self.mapping.scales.get(text, text) if ours == "scale" else text

    def _value(self, cell: Cell, one: MapColumn, values: Values) -> str | Sentence | None:
        """Return a number, that of a word where the mapping has it; None if it has none."""
        if self.mapping.words and one.role in VALUES:
            scale = one.of if one.role == "value_of" else one.scale or values.get("scale")
            words = self.mapping.words.get(str(scale)) or self.mapping.words.get("") or {}
            word = cell.label if isinstance(cell, Coded) else str(cell).strip()
            if word in words:
                point = words[word]
                return None if point is None else _plain(point)
        return self._number(cell)

    def _number(self, cell: Cell) -> str | Sentence:
        if isinstance(cell, str):
            if cell.strip().casefold() in NO_VALUE:
                return ""
            return plain_number_text(cell, self.mapping.decimal)
        if isinstance(cell, Coded):
            return _plain(cell.number)
        if isinstance(cell, datetime | date | time):
            return say(
                "holds the date %(date)s, not a number: spreadsheet programs make dates of scores "
                "such as 4.5; write the score as text or number again",
                date=cell.isoformat()[:10],
            )
        if isinstance(cell, NoValue):
            return cell.why
        return _plain(float(cell)) if isinstance(cell, int | float) else ""

    def _fill(self, values: Values) -> None:
        names = ("item", "sentence", "phrase", "start", "end")
        if not any(name in values for name in names):
            values.update(self._last)
        else:
            self._last = {name: values[name] for name in names if name in values}

    def _place(self, values: Values) -> None:
        """Correct the case of the phrase, or choose its first place, if the mapping says so."""
        phrase, sentence = values.get("phrase"), values.get("sentence")
        if not isinstance(phrase, str) or not isinstance(sentence, str) or "start" in values:
            return
        if self.mapping.any_case and phrase not in sentence:
            at = sentence.lower().find(phrase.lower())
            there = sentence[at : at + len(phrase)]
            if at >= 0 and there.lower() == phrase.lower():
                values["phrase"] = phrase = there
        if self.mapping.first_place and sentence.find(phrase, sentence.find(phrase) + 1) >= 0:
            values["start"] = str(sentence.find(phrase))


def _plain(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _text(cell: Cell, role: str) -> str | Sentence:
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, Coded):
        return cell.label
    if isinstance(cell, NoValue):
        return cell.why
    if isinstance(cell, datetime | date | time):
        if role in ("judged_at", "attr", "comment", "item"):
            return cell.isoformat()
        return say(
            "holds the date %(date)s, not a text: write it as text again",
            date=cell.isoformat()[:10],
        )
    return (
        _plain(float(cell))
        if isinstance(cell, int | float) and not isinstance(cell, bool)
        else str(cell).upper()
    )


MOST_NOTES = 200
WIDTH_OF = 2000  # rows whose cells tell how wide the table is


class UserColumn(str):
    """A column as the owner of the file knows it."""

    __slots__ = ()


class MappedTable(RecordSource):
    """The records of a table under a mapping. Problems name the rows and columns of the file."""

    def __init__(
        self, stream: BinaryIO, name: str, mapping: ColumnMap, *, most_rows: int | None = None
    ) -> None:
        self._stream, self._name, self.mapping = stream, name, mapping
        self._most = most_rows  # rows below the head that are read; None: all
        self._labels = _labels(mapping)
        self._now: Mapping[str, str] = {}

    def column_of(self, column: str) -> str:
        """Return the user's column for one of ours."""
        if isinstance(column, UserColumn):
            return column
        return UserColumn(self._now.get(column) or self._labels.get(column, column))

    def explained(self, problems: Sequence[Problem]) -> list[Problem]:
        """Return problems that were found later, with the user's columns."""
        self._now = {}
        return [
            one if one.column is None else replace(one, column=self.column_of(one.column))
            for one in problems
        ]

    def records(self, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
        """Yield the records; each row gives one, or one for each of several like columns."""
        log.column_of = self.column_of
        try:
            missing = self.mapping.missing()
            if missing:
                for one in missing:
                    log.error(1, one)
                return
            beside = 1 + max(self.mapping.head, default=0) + MOST_NOTES
            # Of sheets that are joined, all rows are needed.
            part = self._most is not None and self.mapping.join is None
            most = (self._most or 0) + beside if part else None
            book = open_apart(
                self._stream,
                self._name,
                encoding=self.mapping.encoding,
                delimiter=self.mapping.delimiter,
                sheet=self.mapping.sheet,
                most=most,
            )
            book = shaped(book, self.mapping.form, self.mapping.what)
            book = as_one_table(book, self.mapping)
            yield from self._records(book, log, columns)
        except TableError as error:
            log.error(error.line, error.message)

    def _records(self, book: Book, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
        rows = book.rows(chosen_sheet(book, self.mapping.sheet))
        head, rest = split_head(rows, self.mapping.head)
        names = named_head(head, self.mapping.head)
        first = list(islice(rest, WIDTH_OF))
        table = table_of(names, first)
        table = replace(table, rows=lambda: chain(first, rest))
        table = repaired(table, self.mapping.steps)
        placed = place_columns(self.mapping, table.names)
        strange = [one for _, one in placed if not self._is_readable(one, columns)]
        for one in strange:
            log.error(
                max(self.mapping.head, default=1),
                say(
                    "the campaign has no scale %(scale)s: choose one that it has, or add it",
                    scale=shown(one.of),
                ),
                UserColumn(one.label),
            )
        if strange:
            return
        reader = RowReader(self.mapping, placed)
        empty = True
        for line, cells in islice(without_notes(table.rows(), reader, log), self._most):
            empty = False
            for values, failures, labels in reader.read(cells):
                self._now = labels
                record = Cells(line, values, log)
                for column, why in failures:
                    record.fail(column, why)
                if not record.failed and (lack := reader.lacks(values)) is not None:
                    log.warn(line, lack)
                    continue
                if record.failed:
                    continue
                yield record
        if empty and not log.errors:
            columns.no_record(
                max(self.mapping.head, default=1),
                say("there is a header but no record: write the records below it"),
                log,
            )

    def _is_readable(self, one: MapColumn, columns: Columns) -> bool:
        return (
            self.mapping.what != "gold"
            or one.role not in SUFFIX
            or columns.knows(one.of + SUFFIX[one.role])
        )


def as_one_table(book: Book, mapping: ColumnMap) -> Book:
    """Return the book with the sheet that a mapping makes of others."""
    join = mapping.join
    if mapping.sheet == ALL_SHEETS or (join is not None and join.ratings == ALL_SHEETS):
        called = {place_of(one.column) or 0: one.name for one in mapping.columns}
        parts = [one for one in mapping.sheets if join is None or one != join.texts]
        book = together(book, parts, join.head if join else mapping.head, called)
    return joined_sheets(book, join) if join is not None and mapping.sheet == JOINED else book


def chosen_sheet(book: Book, name: str) -> str:
    """Return the sheet of this name, or the first. Raises TableError if there is none."""
    if name in book.sheets:
        return name
    if name and book.sheets != ("",):
        raise TableError(
            say(
                "there is no sheet %(name)s: choose one of %(sheets)s",
                name=shown(name),
                sheets=", ".join(book.sheets),
            )
        )
    return book.sheets[0]


def split_head(rows: Iterator[Row], head: tuple[int, ...]) -> tuple[list[Row], Iterator[Row]]:
    """Return the rows of the head, and the rows below it."""
    head_rows: list[Row] = []
    last = max(head, default=-1)
    for row in rows:
        if row[0] > last:

            def rest(first: Row = row) -> Iterator[Row]:
                yield first
                yield from rows

            return head_rows, rest()
        if row[0] in head:
            head_rows.append(row)
    return head_rows, iter(())


def place_columns(mapping: ColumnMap, names: Sequence[str]) -> list[tuple[int, MapColumn]]:
    """Return the columns that are read, with their places in the rows.

    A column is found by its name, whose place may have changed; where several have the name or it
    has none, by its letters. Raises TableError if it is not there.
    """
    places = columns_of(names)
    columns: list[tuple[int, MapColumn]] = []
    for one in mapping.columns:
        if one.role == IGNORE:
            continue
        at = place_of(one.column) or 0
        if one.name and mapping.head:
            there = places.get(one.name.casefold(), [])
            if not there:
                raise TableError(
                    say(
                        "there is no column %(name)s: correct the mapping (there are %(there)s)",
                        name=shown(one.name),
                        there=", ".join(name for name in names if name),
                    ),
                    max(1, *mapping.head) if mapping.head else 1,
                )
            at = at if at in there else there[0]
        columns.append((at, replace(one, column=letters(at))))
    return columns


def _labels(mapping: ColumnMap) -> dict[str, str]:
    """Return the user's columns by ours."""
    by_column: dict[str, list[str]] = {}
    for one in mapping.columns:
        for ours in our_columns(one, mapping.what):
            by_column.setdefault(ours, []).append(one.label)
    return {ours: ", ".join(labels) for ours, labels in by_column.items()}


def without_notes(rows: Iterator[Row], reader: RowReader, log: ProblemLog) -> Iterator[Row]:
    """Leave out notes below the table: rows at its end with one cell, where others have more."""
    waiting: list[Row] = []
    for row in rows:
        if reader.is_note(row[1]) and len(waiting) < MOST_NOTES:
            waiting.append(row)
            continue
        yield from waiting
        waiting = []
        yield row
    for line, _ in waiting:
        log.warn(line, say("one cell stands alone below the table: left out as a note"))
