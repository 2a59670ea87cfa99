"""Writer of CSV, TSV and JSON Lines, in constant memory."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby, islice
from json.encoder import encode_basestring
from typing import Any, BinaryIO, TextIO

from annotation.exporters.columns import (
    Column,
    RowBlock,
    RowBlocks,
    cell_text,
    json_text,
    plain_number,
    time_text,
)
from annotation.exporters.parquet import write_parquet
from paraanno.common.texts import SentenceError, say

# Writer of Excel files (.xlsx), in constant memory.


MOST_ROWS = 1_048_575  # of a sheet, below the names of the columns
MOST_COLUMNS = 16_384
MOST_CHARACTERS = 32_767  # of a cell
MOST_EXACT = 10**15  # Excel keeps fifteen digits


class ExcelError(SentenceError):
    """What an Excel sheet cannot hold."""


def write_excel(
    rows: Iterable[Mapping[str, object]],
    stream: BinaryIO,
    columns: Sequence[Column],
    *,
    sheet: str = "paraanno",
) -> int:
    """Write all rows to one sheet; return their number.

    Texts are cells of text and never formulas, whatever they begin with; numbers and flags are
    cells of their kind, longer whole numbers than Excel keeps and times (ISO 8601, UTC) are text;
    lists and JSON values are JSON text. Raises ExcelError for what a sheet cannot hold.
    """
    from xlsxwriter import Workbook

    if len(columns) > MOST_COLUMNS:
        raise ExcelError(
            say("an Excel sheet has at most %(most)s columns: export CSV", most=MOST_COLUMNS)
        )
    count = 0
    with Workbook(stream, {"constant_memory": True, "strings_to_formulas": False}) as book:
        page = book.add_worksheet(sheet)
        page.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for at, column in enumerate(columns):
            page.write_string(0, at, column.name, bold)
        for count, row in enumerate(rows, 1):
            if count > MOST_ROWS:
                raise ExcelError(
                    say("an Excel sheet has at most %(most)s rows: export CSV", most=MOST_ROWS)
                )
            for at, column in enumerate(columns):
                _write(page, count, at, column, row.get(column.source))
    return count


def _write(page: Any, row: int, at: int, column: Column, value: object) -> None:
    if value is None or value == "":
        return
    if isinstance(value, bool):
        page.write_boolean(row, at, value)
        return
    number = isinstance(value, int | float) and math.isfinite(value) and abs(value) < MOST_EXACT
    if number and column.kind not in ("json", "text"):
        page.write_number(row, at, value)
        return
    text = value if isinstance(value, str) and not isinstance(value, datetime) else None
    text = cell_text(value, raw=True) if text is None else text
    if len(text) > MOST_CHARACTERS:
        raise ExcelError(
            say(
                "row %(row)s, column %(column)s: an Excel cell holds at most %(most)s characters: "
                "export CSV",
                row=row + 1,
                column=column.name,
                most=MOST_CHARACTERS,
            )
        )
    page.write_string(row, at, text)


# Writer of any format.


Row = Mapping[str, object]
FORMATS = ("csv", "tsv", "jsonl", "parquet", "xlsx")
CHUNK = 1 << 16
LINES = 500  # in a piece of text
SHAPES = 1000  # sets of columns and types of single rows that are remembered


def write_rows(
    rows: Iterable[Row],
    stream: BinaryIO | TextIO,
    columns: Sequence[Column],
    *,
    format: str,
    raw: bool = False,
) -> int:
    """Write all rows in the given format; return their number.

    CSV, TSV and JSONL are written to a byte stream as UTF-8 or to a text stream (open it with
    newline=""); Parquet and Excel need a byte stream. `raw` leaves out the apostrophes of CSV and
    TSV.
    """
    if format in ("parquet", "xlsx"):
        if isinstance(stream, io.TextIOBase):
            raise ValueError("Parquet and Excel need a byte stream")
        write = write_parquet if format == "parquet" else write_excel
        return write(rows, stream, columns)  # type: ignore[arg-type]
    counted = _Counted(rows)
    write_text(row_chunks(counted.rows, columns, format=format, raw=raw), stream)
    return counted.count


def row_chunks(
    rows: Iterable[Row], columns: Sequence[Column], *, format: str, raw: bool = False
) -> Iterator[str]:
    """Yield the text of a file in pieces, for a streaming response."""
    if format == "csv":
        return _delimited(rows, columns, ",", raw)
    if format == "tsv":
        return _delimited(rows, columns, "\t", raw)
    if format == "jsonl":
        return _json_lines(rows, columns)
    raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")


def write_text(chunks: Iterable[str], stream: BinaryIO | TextIO) -> None:
    """Write pieces of text to a text stream, or as UTF-8 to a byte stream."""
    if isinstance(stream, io.TextIOBase):
        for chunk in chunks:
            stream.write(chunk)
    else:
        for chunk in chunks:
            stream.write(chunk.encode())  # type: ignore[arg-type]


class _Counted:
    """Counts the `rows` that pass through."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.count = 0
        self.rows: Iterable[Row] = (
            RowBlocks(self._each(rows.blocks, len))
            if isinstance(rows, RowBlocks)
            else self._each(rows)
        )

    def _each(self, rows: Iterable[Any], size: Callable[[Any], int] = lambda _: 1) -> Iterator[Any]:
        for row in rows:
            self.count += size(row)
            yield row


def _delimited(
    rows: Iterable[Row], columns: Sequence[Column], delimiter: str, raw: bool
) -> Iterator[str]:
    names = [{column.source: column.name for column in columns}]
    yield from _lines(names, columns, delimiter, raw)
    if not isinstance(rows, RowBlocks):
        yield from _lines(rows, columns, delimiter, raw)
        return
    special = re.compile(f'[{delimiter}"\n\r]')
    with_return: list[str] = []  # Where a cell has a bare CR, all of its row are quoted.

    def cell(_column: Column, value: object) -> str:
        text = cell_text(value, raw=raw)
        if special.search(text):
            with_return.extend([text] if "\r" in text else [])
            text = '"' + text.replace('"', '""') + '"'
        return delimiter + text

    for block in rows.blocks:
        with_return.clear()
        pieces = _of_block(block, columns, cell, absent=delimiter, line="%s\n")
        first = next(pieces, "")  # Every cell of the block is made before its first line.
        if with_return or len(columns) == 1:
            yield from _lines(block.rows(), columns, delimiter, raw)
        else:
            yield first
            yield from pieces


def _lines(
    rows: Iterable[Row], columns: Sequence[Column], delimiter: str, raw: bool
) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    plain = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    # With LF as line terminator the writer leaves a bare CR unquoted, and readers would split
    # there.
    quoting = csv.writer(buffer, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    sources = [column.source for column in columns]
    for row in rows:
        cells = [cell_text(row.get(source), raw=raw) for source in sources]
        writer = quoting if any("\r" in cell for cell in cells) else plain
        writer.writerow(cells)
        if buffer.tell() > CHUNK:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _of_block(
    block: RowBlock,
    columns: Sequence[Column],
    cell: Callable[[Column, Any], str],
    *,
    absent: str,
    line: str,
) -> Iterator[str]:
    """The lines of a block, many in a piece.

    `cell` gives the text of a value with the mark that separates it from the one before, `absent`
    is that of none; `line` has a line without the mark before its first cell.
    """
    parts: list[Iterable[str]] = []
    for own, group in groupby(columns, lambda column: column.source in block.own):
        neighbours = list(group)
        if own:
            parts += [_texts(block.own[one.source], one, cell) for one in neighbours]
            continue
        shared = [
            "".join([cell(c, row[c.source]) if c.source in row else absent for c in neighbours])
            for row in block.shared
        ]
        parts.append(block.repeated(shared))
    lines = map("".join, zip(*parts, strict=True))
    while some := list(islice(lines, LINES)):
        yield "".join([line % one[1:] for one in some])


def _texts(
    values: Sequence[object], column: Column, cell: Callable[[Column, Any], str]
) -> list[str]:
    """The texts of a column; of equal values, one is made."""
    made = {value: cell(column, value) for value in set(values)}
    return [made[value] for value in values]


# How a line is put together, and what makes its pieces: the key of each value and its function.
Plan = tuple[str, Sequence[tuple[str, Callable[[Any], str]]]]


def _json_lines(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[str]:
    if isinstance(rows, RowBlocks):
        names = {column: f",{encode_basestring(column.name)}:" for column in columns}

        def cell(column: Column, value: object) -> str:
            if value is None and column.kind != "json":
                return ""
            return names[column] + _json_of(type(value), column)(value)

        for block in rows.blocks:
            yield from _of_block(block, columns, cell, absent="", line="{%s}\n")
        return
    # Rows mostly have the columns, and values of the types, that the row before has: what to write,
    # and how, is looked for once.
    plans: dict[tuple[Any, ...], Plan] = {}
    parts: list[str] = []
    size = 0
    for row in rows:
        shape = (*row, *map(type, row.values()))
        if shape not in plans:
            if len(plans) == SHAPES:
                plans.clear()
            plans[shape] = _plan(row, columns)
        line, pieces = plans[shape]
        parts.append(line % tuple([text(row[source]) for source, text in pieces]))
        size += len(parts[-1])
        if size > CHUNK:
            yield "".join(parts)
            parts, size = [], 0
    yield "".join(parts)


def _plan(row: Row, columns: Sequence[Column]) -> Plan:
    """Of the values of a row, all but those that are absent; of JSON values, null too."""
    written = [
        column
        for column in columns
        if row.get(column.source) is not None or (column.source in row and column.kind == "json")
    ]
    names = (encode_basestring(column.name).replace("%", "%%") for column in written)
    line = ",".join(f"{name}:%s" for name in names)
    pieces = [(column.source, _json_of(type(row[column.source]), column)) for column in written]
    return f"{{{line}}}\n", pieces


def _json_of(kind: type, column: Column) -> Callable[[Any], str]:
    if kind is str:
        return encode_basestring
    if kind is int:
        return str
    if kind is float and column.kind == "number":
        return _json_number
    return _json_time if issubclass(kind, datetime) else json_text


def _json_number(value: float) -> str:
    return repr(plain_number(value))


def _json_time(moment: datetime) -> str:
    return f'"{time_text(moment)}"'
