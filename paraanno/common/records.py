"""Reading of CSV, TSV and JSON Lines: tolerant of how a file was saved, strict about contents."""

from __future__ import annotations

import csv
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, NoReturn, TypeAlias

from paraanno.common.cells import Cells, Columns, unescape
from paraanno.common.sandbox.unreadable import unreadable
from paraanno.common.texts import (
    MAX_TEXT,
    PARTS,
    Lines,
    ProblemLog,
    Sentence,
    SentenceError,
    Source,
    TextError,
    cannot_be_read,
    changed,
    clean_text,
    has_bad_character,
    joined,
    message_of,
    open_lines,
    revived,
    say,
    sentence_json,
    shown,
)

# What JSON can hold, and the reading of JSON Lines as records.


Json: TypeAlias = "str | float | bool | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


class _JsonError(SentenceError):
    """Well-formed JSON that is not a valid record."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _JsonError(say("the key %(key)s is there twice: keep one", key=shown(key)))
            seen.add(key)
    return values


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _JsonError(say("the number %(text)s is too large", text=shown(text)))
    return number


def _no_constant(text: str) -> NoReturn:
    raise _JsonError(say("%(text)s is not a value: write null where there is none", text=text))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
)


def json_records(lines: Lines, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
    """Yield the objects of a file with one object on each line."""
    first = blank = True
    good: tuple[str, ...] = ()  # Nearly all records have the same keys as the previous one.
    for number, line in enumerate(lines, start=1):
        body = line.strip(" \t\r\n")
        flaw = lines.flaw(number, number)
        if not body:
            continue
        blank = False
        try:
            record = _json_object(body, flaw)
        except (ValueError, RecursionError) as error:
            log.error(number, _json_message(error))
            continue
        if first and (other := columns.other_kind(record)) is not None:
            log.error(number, other)
            return
        first = False
        if (names := tuple(record)) != good:
            if columns.refuse(number, record, log):
                continue
            good = names
        if None in record.values():
            _drop_nulls(record, columns)
        yield Cells(number, record, log)
    if blank and lines.number > 0:
        alone = say("all lines are blank: write one {...} per line")
        columns.no_record(lines.number, alone, log)


def _drop_nulls(record: dict[str, object], columns: Columns) -> None:
    """A null is an empty cell, but where the column says that it is a value."""
    for name in list(record):
        if record[name] is None and not columns.null_is_value(name):
            del record[name]


def _json_object(body: str, flaw: Sentence | None) -> dict[str, object]:
    if flaw is not None:
        raise _JsonError(flaw)
    value = _DECODER.decode(body)
    if not isinstance(value, dict):
        raise _JsonError(say("the line is not a JSON object: write one {...} per line"))
    record = dict(zip(map(str.strip, value), value.values(), strict=True))
    if len(record) != len(value):
        names = [key.strip() for key in value]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise _JsonError(say("the key %(name)s is there twice: keep one", name=shown(twice)))
    return record


def _json_message(error: Exception) -> Sentence:
    if isinstance(error, _JsonError):
        return error.message
    if isinstance(error, json.JSONDecodeError):
        return say(
            "the line is not JSON (%(why)s at character %(at)s): write one whole {...} per line",
            why=error.msg,
            at=error.pos + 1,
        )
    if isinstance(error, RecursionError):
        return say("the JSON is nested too deep: make it flatter")
    return say("%(why)s: correct it", why=error)


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
    lines: Lines, log: ProblemLog, delimiter: str, *, quoted: bool = True
) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Yield records as lists of cells, with first and last line; blank lines are skipped. `quoted`:
    quotation marks around a cell are none of its text."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, strict=True, quoting=quoting)
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


# Sentences in the columns of a row: the English text, and its parts in a second column.


def columns(name: str, text: str) -> dict[str, Any]:
    """Return the values of the columns `name` and `name_parts` for a text."""
    return {name: str(text), f"{name}{PARTS}": parts_of(text)}


def parts_of(text: str) -> list[Any] | None:
    """Return the parts that are stored beside a text; None if the text suffices."""
    if not (isinstance(text, Sentence) and text.values):
        return None
    parts: list[Any] = sentence_json({"text": text})[f"text{PARTS}"]
    return parts


def with_parts(text: str, parts: Any) -> str:
    """Return the sentence of a row; the plain text if it has no parts, or they do not match."""
    if parts is None:
        return text
    sentence: str = revived({"text": text, f"text{PARTS}": parts})["text"]
    return sentence


def error_sentence(error: BaseException) -> Sentence:
    """Return the message of an exception, after its type, as every database can store it; a plain
    sentence if a file could not be decoded."""
    if (why := unreadable(error)) is not None:
        return why
    kind = type(error).__name__
    return joined(": ", (kind, changed(message_of(error), storable)))


def storable(text: str) -> str:
    """A text as every database can store it: names of files hold anything."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
