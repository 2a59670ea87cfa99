"""Somebody's table, read as records in the columns that our readers know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import BinaryIO

from annotation.importers.tables.books import (
    Book,
    Row,
    TableError,
    letters,
    place_of,
)
from annotation.importers.tables.heads import columns_of, named_head
from annotation.importers.tables.looking import table_of
from annotation.importers.tables.mapping import IGNORE, ColumnMap, MapColumn
from annotation.importers.tables.row_reader import SUFFIX, RowReader, our_columns
from annotation.importers.tables.sandboxed import open_apart
from annotation.importers.tables.shaping import shaped
from annotation.importers.tables.steps import repaired
from paraanno.plain.cells import Cells
from paraanno.plain.columns import Columns
from paraanno.plain.problems import Problem, ProblemLog, shown
from paraanno.plain.records import RecordSource
from paraanno.plain.sentence import say

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

    def told(self, problems: Sequence[Problem]) -> list[Problem]:
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
            most = None if self._most is None else self._most + beside
            book = open_apart(
                self._stream, self._name, encoding=self.mapping.encoding,
                delimiter=self.mapping.delimiter, sheet=self.mapping.sheet, most=most,
            )  # fmt: skip
            book = shaped(book, self.mapping.form, self.mapping.what)
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
        strange = [one for _, one in placed if not self._known(one, columns)]
        for one in strange:
            log.error(
                max(self.mapping.head, default=1),
                say("the campaign has no scale %(scale)s: choose one that it has, or add it",
                    scale=shown(one.of)), UserColumn(one.label),
            )  # fmt: skip
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
            columns.no_record(max(self.mapping.head, default=1),
                              say("there is a header but no record: write the records below it"),
                              log)  # fmt: skip

    def _known(self, one: MapColumn, columns: Columns) -> bool:
        return (
            self.mapping.what != "gold"
            or one.role not in SUFFIX
            or columns.knows(one.of + SUFFIX[one.role])
        )


def chosen_sheet(book: Book, name: str) -> str:
    """Return the sheet of this name, or the first. Raises TableError if there is none."""
    if name in book.sheets:
        return name
    if name and book.sheets != ("",):
        raise TableError(
            say("there is no sheet %(name)s: choose one of %(sheets)s", name=shown(name),
                sheets=", ".join(book.sheets))
        )  # fmt: skip
    return book.sheets[0]


def split_head(rows: Iterator[Row], head: tuple[int, ...]) -> tuple[list[Row], Iterator[Row]]:
    """Return the rows of the head, and the rows below it."""
    found: list[Row] = []
    last = max(head, default=-1)
    for row in rows:
        if row[0] > last:

            def rest(first: Row = row) -> Iterator[Row]:
                yield first
                yield from rows

            return found, rest()
        if row[0] in head:
            found.append(row)
    return found, iter(())


def place_columns(mapping: ColumnMap, names: Sequence[str]) -> list[tuple[int, MapColumn]]:
    """Return the columns that are read, with their places in the rows.

    A column is found by its name, whose place may have changed; where several have the name or it
    has none, by its letters. Raises TableError if it is not there.
    """
    places = columns_of(names)
    found: list[tuple[int, MapColumn]] = []
    for one in mapping.columns:
        if one.role == IGNORE:
            continue
        at = place_of(one.column) or 0
        if one.name and mapping.head:
            there = places.get(one.name.casefold(), [])
            if not there:
                raise TableError(
                    say("there is no column %(name)s: correct the mapping (there are %(there)s)",
                        name=shown(one.name), there=", ".join(name for name in names if name)),
                    max(1, *mapping.head) if mapping.head else 1,
                )  # fmt: skip
            at = at if at in there else there[0]
        found.append((at, replace(one, column=letters(at))))
    return found


def _labels(mapping: ColumnMap) -> dict[str, str]:
    """Return the user's columns by ours."""
    found: dict[str, list[str]] = {}
    for one in mapping.columns:
        for ours in our_columns(one, mapping.what):
            found.setdefault(ours, []).append(one.label)
    return {ours: ", ".join(labels) for ours, labels in found.items()}


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
