"""Writer of CSV, TSV and JSON Lines, in constant memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from json.encoder import encode_basestring
from typing import Any, BinaryIO, TextIO

from annotation.exporters.columns import Column
from annotation.exporters.excel import write_excel
from annotation.exporters.parquet import write_parquet
from annotation.exporters.values import cell_text, json_text, plain_number, time_text

Row = Mapping[str, object]
FORMATS = ("csv", "tsv", "jsonl", "parquet", "xlsx")
CHUNK = 1 << 16
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
    write_text(row_chunks(counted, columns, format=format, raw=raw), stream)
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
    """Counts the rows that pass through."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.count += 1
            yield row


def _delimited(
    rows: Iterable[Row], columns: Sequence[Column], delimiter: str, raw: bool
) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    plain = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
    # With LF as line terminator the writer leaves a bare CR unquoted, and readers would split
    # there.
    quoting = csv.writer(buffer, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    sources = [column.source for column in columns]
    plain.writerow([cell_text(column.name, raw=raw) for column in columns])
    for row in rows:
        cells = [cell_text(row.get(source), raw=raw) for source in sources]
        writer = quoting if any("\r" in cell for cell in cells) else plain
        writer.writerow(cells)
        if buffer.tell() > CHUNK:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


# How a line is put together, and what makes its pieces: the key of each value and its function.
Plan = tuple[str, Sequence[tuple[str, Callable[[Any], str]]]]


def _json_lines(rows: Iterable[Row], columns: Sequence[Column]) -> Iterator[str]:
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
