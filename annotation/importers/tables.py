"""CSV, TSV and JSON Lines as records: tolerant of how a file was saved, never of what it says."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Literal

from annotation.importers.cells import Cells
from annotation.importers.columns import Known
from annotation.importers.json_lines import json_records
from annotation.importers.lines import Lines, Source, has_bad_character, open_lines
from annotation.importers.problems import ProblemLog, shown
from annotation.importers.texts import MAX_TEXT, TextError, clean_text
from annotation.importers.told import Told, told

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
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")

# The limit is one for the whole process and its default (131,072) is below what we allow.
csv.field_size_limit(max(csv.field_size_limit(), MAX_TEXT))


def unescape(cell: str) -> str:
    """Take off the apostrophe that keeps a spreadsheet from reading a text as a formula."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def read_records(
    source: Source,
    *,
    log: ProblemLog,
    format: str | None,
    raw: bool,
    known: Known,
) -> Iterator[Cells]:
    """The records of a table, each with the physical line where it starts.

    `known` says which columns may be there. Cells that are empty (in JSON: null) are left out.
    Whatever is wrong goes to `log`; a record with a fault is not handed out.
    """
    chosen = format if format is not None else _format_of(log.file)
    if chosen not in ("csv", "tsv", "jsonl"):
        log.error(
            1,
            told(
                "the format %(chosen)s is none of %(known)s: name or convert it",
                chosen=shown(str(chosen)),
                known=", ".join(FORMATS),
            ),
        )
        return
    try:
        with open_lines(source, log) as lines:
            if chosen == "jsonl":
                yield from json_records(lines, log, known)
            else:
                yield from _delimited_records(lines, log, _DELIMITERS[chosen], raw, known)
            if lines.number == 0:
                log.error(1, told("the file is empty: it needs at least a header"))
    except OSError as error:
        log.error(
            1, told("the file cannot be read: %(strerror)s", strerror=error.strerror or error)
        )


def _format_of(name: str) -> str:
    dot = name.rfind(".")
    ending = name[dot:].lower() if dot >= 0 else ""
    return FORMATS.get(ending, ending or name)


def _delimited_records(
    lines: Lines, log: ProblemLog, delimiter: str, raw: bool, known: Known
) -> Iterator[Cells]:
    header: list[str] | None = None
    count = 0
    for start, cells in _split(lines, log, delimiter):
        if header is None:
            if lines.flaw is not None:
                log.error(start, lines.flaw)
                return
            header = _header(start, cells, log, delimiter, raw, known)
            if header is None:
                return
            continue
        if not any(cells):
            continue
        count += 1
        fault, column = _fault(lines, header, cells)
        if fault is not None:
            log.error(start, fault, column)
            continue
        if raw:
            values: dict[str, object] = {
                name: cell for name, cell in zip(header, cells, strict=True) if cell
            }
        else:
            values = {
                name: unescape(cell) if cell[0] == "'" else cell
                for name, cell in zip(header, cells, strict=True)
                if cell
            }
        yield Cells(start, values, log)
    if header is not None and count == 0 and log.errors == 0:
        log.warn(lines.number, told("there is a header but no record"))


def _split(lines: Lines, log: ProblemLog, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Records as lists of cells, with the line each starts on; blank lines are passed over."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = lines.number + 1
        lines.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if lines.stopped or not _note_quoting(log, start, lines.number, str(error)):
                return
            continue
        if cells is None:
            return
        if cells:
            yield start, cells


def _note_quoting(log: ProblemLog, start: int, end: int, error: str) -> bool:
    """Log a broken quotation; True when the lines after it can still be told apart."""
    if "expected after" in error:
        span = told("this line")
        if end > start:
            span = told("lines %(start)s to %(end)s", start=start, end=end)
        log.error(
            start,
            told(
                "in %(span)s a quoted cell is followed by other text: write a quote inside a "
                'quoted cell twice ("")',
                span=span,
            ),
        )
        return True
    if "larger" in error:
        reason = told(
            "a cell is longer than %(most)s characters, or a quote is not closed", most=MAX_TEXT
        )
    else:
        reason = told("a quote opened in this record is not closed before the end of the file")
    log.error(
        start,
        told(
            '%(reason)s, and reading stopped here: shorten, close it, or write a quote twice ("")',
            reason=reason,
        ),
    )
    return False


def _fault(lines: Lines, header: list[str], cells: list[str]) -> tuple[Told | None, str | None]:
    """What makes a record unreadable, and in which column."""
    if lines.flaw is not None:
        at = next((i for i, cell in enumerate(cells) if has_bad_character(cell)), len(header))
        return lines.flaw, header[at] if at < len(header) else None
    if len(cells) != len(header):
        return (
            told(
                "there are %(n)s cells where the header has %(wanted)s: the line is cut, or a "
                "delimiter or a quote is missing or too many",
                n=len(cells),
                wanted=len(header),
            ),
            None,
        )
    if sum(map(len, cells)) > MAX_TEXT:
        at = max(range(len(cells)), key=lambda i: len(cells[i]))
        if len(cells[at]) > MAX_TEXT:
            long = told("the cell is longer than %(most)s characters: shorten it", most=MAX_TEXT)
            return long, header[at]
    return None, None


def _header(
    line: int,
    cells: list[str],
    log: ProblemLog,
    delimiter: str,
    raw: bool,
    known: Known,
) -> list[str] | None:
    names: list[str] = []
    before = log.errors
    if len(cells) > MAX_COLUMNS:
        log.error(
            line,
            told(
                "the header has %(n)s columns, allowed are %(most)s", n=len(cells), most=MAX_COLUMNS
            ),
        )
        return None
    for position, cell in enumerate(cells, start=1):
        try:
            name = clean_text((cell if raw else unescape(cell)).strip())
        except TextError as error:
            log.error(
                line,
                told(
                    "the name of column %(position)s %(error)s; save the file as UTF-8",
                    position=position,
                    error=error.message,
                ),
            )
            continue
        if not name:
            log.error(
                line,
                told(
                    "column %(position)s has no name: give it one or delete it", position=position
                ),
            )
        elif name in names:
            log.error(
                line, told("the column stands twice in the header: delete or rename one"), name
            )
        names.append(name)
    _note_unknown(line, names, log, delimiter, known)
    return names if log.errors == before else None


def _note_unknown(
    line: int, names: list[str], log: ProblemLog, delimiter: str, known: Known
) -> None:
    names = [name for name in names if name]
    problem = _wrong_delimiter(names, delimiter, known) or known.other_kind(names)
    if problem is not None:
        log.error(line, problem)
    else:
        known.refuse(line, names, log)


def _wrong_delimiter(names: list[str], delimiter: str, known: Known) -> Told | None:
    if len(names) != 1 or known.knows(names[0]):
        return None
    other = next((mark for mark in (";", "\t", ",", "|") if mark in names[0]), None)
    if other is None or other == delimiter:
        return None
    return told(
        "the header holds %(other)s: save the file with %(delimiter)s between the cells",
        other=repr(other),
        delimiter=repr(delimiter),
    )
