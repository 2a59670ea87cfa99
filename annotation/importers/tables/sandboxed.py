"""Tables that the parser of a library reads (calamine, pyarrow, pandas ...), in the sandbox.

Its process reads the sheets and writes their rows, a line of JSON each, into a file without a name;
this one reads them from there. Values that JSON does not have are objects: {"date": "2024-01-31"}.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from itertools import islice
from typing import IO, Any, BinaryIO

from annotation.importers.tables.books import (
    MOST_UNPACKED,
    Book,
    Cell,
    Coded,
    NoValue,
    Row,
    TableError,
)
from annotation.importers.tables.opening import HEAD, MOST_BYTES, needs_parser, open_book
from paraanno.common.records import parts_of, with_parts
from paraanno.common.sandbox.parent import Allowance, Unread, sandboxed
from paraanno.common.texts import joined

# Times what a file declares to hold: its reader's memory, and the rows that it writes.
MEMORY, ROWS = 16, 4


def open_apart(
    stream: BinaryIO,
    name: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str = "",
    most: int | None = None,
) -> Book:
    """The same as `open_book`; what a library's parser reads is read in the sandbox, at once.

    `sheet`: no other one is wanted, if there is one of this name. `most` rows of a sheet are
    enough, where these are not counted.
    """
    stream.seek(0)
    head = stream.read(HEAD)
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if size > MOST_BYTES or not needs_parser(head, name):
        return open_book(stream, name, encoding=encoding, delimiter=delimiter)
    rows = _RowsKept()
    with tempfile.TemporaryFile() as source:
        shutil.copyfileobj(stream, source)
        source.flush()
        allowed = Allowance.of(_declared(source, size), memory=MEMORY, file=ROWS)
        given = (source.fileno(), rows.file.fileno())
        try:
            [about] = sandboxed(
                f"{__name__}:reading", *given, name, sheet, most, allowed=allowed, files=given
            )
        except Unread as refusal:
            raise TableError(refusal.message, max(1, refusal.line)) from refusal
    places = {one: (at, n) for one, at, n in about["sheets"]}
    return Book(
        name,
        about["kind"],
        tuple(places),
        lambda one: rows.read(*places[one]),
        named=about["named"],
        remarks=tuple(about["remarks"]),
        hidden=tuple(about["hidden"]),
        marks={name: [(row, at) for row, at in cells] for name, cells in about["marks"].items()},
    )


def _declared(source: IO[bytes], size: int) -> int:
    """Return how many bytes a file says that it unpacks to."""
    try:
        with zipfile.ZipFile(source) as archive:
            return max(size, min(MOST_UNPACKED, sum(one.file_size for one in archive.infolist())))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return size


class _RowsKept:
    """The file of the rows, which goes when nobody can read it any more."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 closed below

    def __del__(self) -> None:
        self.file.close()

    def read(self, at: int, n: int) -> Iterator[Row]:
        for _ in range(n):
            self.file.seek(at)
            number, cells = json.loads(self.file.readline())
            at = self.file.tell()
            yield number, [_cell(one) if isinstance(one, dict) else one for one in cells]


def reading(
    tell: Callable[[object], None], source: int, rows: int, name: str, sheet: str, most: int | None
) -> None:
    """What the process does: write the rows of all sheets, and tell where each begins."""
    with open(f"/dev/fd/{source}", "rb") as stream, os.fdopen(rows, "wb") as out:
        book = open_book(stream, name)
        most = most if book.named and book.kind != "json" else None
        sheets = []
        for one in [sheet] if sheet in book.sheets else book.sheets:
            at = out.tell()
            n = sum(_write(out, row) for row in islice(book.rows(one), most))
            sheets.append((one, at, n))
    marks = {name: list(cells) for name, cells in book.marks.items()}
    beside = {"remarks": list(book.remarks), "hidden": list(book.hidden), "marks": marks}
    tell({"kind": book.kind, "named": book.named, "sheets": sheets, **beside})


def _write(out: IO[bytes], row: Row) -> int:
    out.write(json.dumps(row, default=_object).encode() + b"\n")
    return 1


def _object(cell: Cell) -> dict[str, Any]:
    if isinstance(cell, datetime):
        return {"datetime": cell.isoformat(timespec="microseconds")}
    if isinstance(cell, date | time):
        return {type(cell).__name__: cell.isoformat()}
    if isinstance(cell, Coded):
        return {"number": cell.number, "label": cell.label}
    if isinstance(cell, NoValue):
        return {"why": str(cell.why), "parts": parts_of(cell.why)}
    raise TypeError(type(cell).__name__)


def _cell(given: dict[str, Any]) -> Cell:
    match given:
        case {"datetime": str(text)}:
            return datetime.fromisoformat(text)
        case {"date": str(text)}:
            return date.fromisoformat(text)
        case {"time": str(text)}:
            return time.fromisoformat(text)
        case {"number": number, "label": str(label)}:
            return Coded(float(number), label)
        case {"why": str(why), "parts": parts}:
            return NoValue(joined("", [with_parts(why, parts)]))
    raise ValueError(given)
