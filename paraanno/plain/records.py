"""Reading of CSV, TSV and JSON Lines: tolerant of how a file was saved, strict about contents."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Literal

from paraanno.plain.cells import Cells
from paraanno.plain.columns import Columns
from paraanno.plain.formulas import unescape
from paraanno.plain.json_lines import json_records
from paraanno.plain.lines import (
    Lines,
    Source,
    cannot_be_read,
    has_bad_character,
    open_lines,
)
from paraanno.plain.problems import ProblemLog, shown
from paraanno.plain.sentence import Sentence, say
from paraanno.plain.texts import MAX_TEXT, TextError, clean_text

Format = Literal["csv", "tsv", "jsonl"]
FORMATS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
MAX_COLUMNS = 2000
_DELIMITERS = {"csv": ",", "tsv": "\t"}

# The limit applies to the entire process, and its default (131,072) is below ours.
csv.field_size_limit(max(csv.field_size_limit(), MAX_TEXT))


class RecordSource(ABC):
    """What gives records itself, instead of lines that are read here."""

    @abstractmethod
    def records(self, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
        """Yield records in these columns; problems go to `log`."""


def format_of(name: str, default: str = "") -> str:
    """Return the format of a file name's ending; else the default, the ending or the name."""
    dot = name.rfind(".")
    ending = name[dot:].lower() if dot >= 0 else ""
    return FORMATS.get(ending, default or ending or name)


def read_records(
    source: Source | RecordSource,
    *,
    log: ProblemLog,
    columns: Columns,
    format: str | None,
    raw: bool = False,
) -> Iterator[Cells]:
    """Yield the records of a table, each with the physical line where it starts.

    `columns` defines the allowed columns. Empty cells (in JSON: null) are left out. Errors go to
    `log`; a record with an error is not yielded. Another source gives its records as it reads them,
    whatever the format.
    """
    if isinstance(source, RecordSource):
        yield from source.records(log, columns)
        return
    chosen = format if format is not None else format_of(log.file)
    if chosen not in ("csv", "tsv", "jsonl"):
        log.error(
            1,
            say(
                "the format %(chosen)s is none of %(known)s: name or convert it",
                chosen=shown(str(chosen)),
                known=", ".join(FORMATS),
            ),
        )
        return
    try:
        with open_lines(source, log) as lines:
            if chosen == "jsonl":
                yield from json_records(lines, log, columns)
            else:
                yield from _delimited_records(lines, log, _DELIMITERS[chosen], raw, columns)
            if lines.number == 0 and not lines.stopped:
                log.error(1, say("the file is empty: it needs at least a header"))
    except OSError as error:
        log.error(1, cannot_be_read(error))


def _delimited_records(
    lines: Lines, log: ProblemLog, delimiter: str, raw: bool, columns: Columns
) -> Iterator[Cells]:
    rows = split_records(lines, log, delimiter)
    first = next(rows, None)
    if first is None:
        return
    header = _header(lines, first, log, delimiter, raw, columns)
    if header is None:
        return
    width = len(header)
    places = [place for place, name in enumerate(header) if name and columns.reads(name)]
    names = [header[place] for place in places]
    take = itemgetter(*places) if 1 < len(places) < width else None
    empty = True
    for start, end, cells in rows:
        if not cells[0] and not any(cells):
            continue
        empty = False
        flaw = lines.flaw(start, end) if lines.bad else None
        if flaw is not None or len(cells) != width:
            _note_fault(log, start, flaw, header, cells)
            continue
        if take is not None:
            cells = take(cells)
        elif len(places) < width:
            cells = [cells[place] for place in places]
        if all(cells) and (raw or "'" not in "".join(cells)):
            yield Cells(start, dict(zip(names, cells, strict=True)), log)  # the usual case
        else:
            yield Cells(start, _values(names, cells, raw), log)
    if empty and log.errors == 0:
        alone = say("there is a header but no record: write the records below it")
        columns.no_record(lines.number, alone, log)


def _values(names: list[str], cells: Sequence[str], raw: bool) -> dict[str, object]:
    """Return the cells that are not empty, by the names of their columns."""
    return {
        name: cell if raw else unescape(cell)
        for name, cell in zip(names, cells, strict=True)
        if cell
    }


def split_records(
    lines: Lines, log: ProblemLog, delimiter: str
) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Yield records as lists of cells, with first and last line; blank lines are skipped."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 1
    while True:
        try:
            for cells in reader:
                end = reader.line_num
                if cells:
                    yield start, end, cells
                start = end + 1
            return
        except csv.Error as error:
            end = reader.line_num
            if lines.stopped or not _note_quoting(log, start, end, str(error)):
                return
            start = end + 1


def _note_quoting(log: ProblemLog, start: int, end: int, error: str) -> bool:
    """Log a broken quotation; return True if the lines after it can still be separated."""
    if "expected after" in error:
        span = say("this line")
        if end > start:
            span = say("lines %(start)s to %(end)s", start=start, end=end)
        log.error(
            start,
            say(
                "in %(span)s a quoted cell is followed by other text: write a quote inside a "
                'quoted cell twice ("")',
                span=span,
            ),
        )
        return True
    if "larger" in error:
        reason = say(
            "a cell is longer than %(most)s characters, or a quote is not closed", most=MAX_TEXT
        )
    else:
        reason = say("a quote opened in this record is not closed before the end of the file")
    log.error(
        start,
        say(
            '%(reason)s, and reading stopped here: shorten, close it, or write a quote twice ("")',
            reason=reason,
        ),
    )
    return False


def _note_fault(
    log: ProblemLog, line: int, flaw: Sentence | None, header: list[str], cells: Sequence[str]
) -> None:
    """Log why a record is unreadable, and in which column."""
    if flaw is not None:
        at = next((i for i, cell in enumerate(cells) if has_bad_character(cell)), len(header))
        log.error(line, flaw, header[at] or None if at < len(header) else None)
        return
    log.error(
        line,
        say(
            "there are %(n)s cells where the header has %(wanted)s: the line is truncated, or "
            "there is a delimiter or quote too few or too many",
            n=len(cells),
            wanted=len(header),
        ),
    )


def _header(
    lines: Lines,
    first: tuple[int, int, Sequence[str]],
    log: ProblemLog,
    delimiter: str,
    raw: bool,
    columns: Columns,
) -> list[str] | None:
    """Return the names of the columns; None, with the reason in the log, if they are invalid."""
    line, end, cells = first
    flaw = lines.flaw(line, end)
    if flaw is not None:
        log.error(line, flaw)
        return None
    if columns.strict and len(cells) > MAX_COLUMNS:
        log.error(
            line,
            say(
                "the header has %(n)s columns; at most %(most)s are allowed: leave out those not "
                "needed",
                n=len(cells),
                most=MAX_COLUMNS,
            ),
        )
        return None
    names: dict[str, None] = {}
    header: list[str] = []
    before = log.errors
    for position, cell in enumerate(cells, start=1):
        try:
            name = clean_text((cell if raw else unescape(cell)).strip())
        except TextError as error:
            log.error(
                line,
                say(
                    "the name of column %(position)s %(error)s; save the file as UTF-8",
                    position=position,
                    error=error.message,
                ),
            )
            continue
        header.append(name)
        if name in names and columns.reads(name):
            log.error(line, say("the column is in the header twice: delete or rename one"), name)
        elif not name and columns.strict:
            log.error(
                line,
                say("column %(position)s has no name: give it one or delete it", position=position),
            )
        if name:
            names[name] = None
    _note_columns(line, list(names), log, delimiter, columns)
    return header if log.errors == before else None


def _note_columns(
    line: int, names: list[str], log: ProblemLog, delimiter: str, columns: Columns
) -> None:
    problem = _wrong_delimiter(names, delimiter, columns) or columns.other_kind(names)
    if problem is not None:
        log.error(line, problem)
    else:
        columns.refuse(line, names, log)


def _wrong_delimiter(names: list[str], delimiter: str, columns: Columns) -> Sentence | None:
    if len(names) != 1 or columns.knows(names[0]):
        return None
    other = next((mark for mark in (";", "\t", ",", "|") if mark in names[0]), None)
    if other is None or other == delimiter:
        return None
    return say(
        "the header holds %(other)s: save the file with %(delimiter)s between the cells",
        other=repr(other),
        delimiter=repr(delimiter),
    )
