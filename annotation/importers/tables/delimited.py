"""Delimited text in any encoding and with any delimiter, as a stream."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import BinaryIO, cast

from annotation.importers.tables.books import Book, Row, TableError
from annotation.importers.tables.encodings import (
    encoding_of,
    unknown_encoding,
    writes_text,
)
from paraanno.plain.lines import Lines
from paraanno.plain.number_text import has_decimal_comma, has_decimal_point
from paraanno.plain.problems import ProblemLog
from paraanno.plain.records import split_records
from paraanno.plain.sentence import say

DELIMITERS = (",", ";", "\t", "|")
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
SAMPLE = 1 << 18
MOST_LINES = 200
_BLOCK = 1 << 18


class Recoded:
    """A byte stream as UTF-8. A byte that cannot be decoded stays as it is, and is reported with
    its line; where an encoding of several bytes is cut, or is not the file's, reading ends."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        if not writes_text(encoding):
            raise TableError(unknown_encoding(encoding))
        self._stream, self._encoding, self._lines = stream, encoding, 1
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogateescape")
        self._rest = b""
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """Return about `size` bytes; none at the end."""
        while not self._ended and (size < 0 or len(self._rest) < size):
            block = self._stream.read(_BLOCK)
            self._ended = not block
            try:
                text = self._decoder.decode(block, final=self._ended)
                self._rest += text.encode("utf-8", "surrogateescape")
            except UnicodeError as error:
                raise TableError(
                    say("the rest of the file is not %(encoding)s, or the file was cut there: save "
                        "it again as UTF-8", encoding=self._encoding), self._lines,
                ) from error  # fmt: skip
            self._lines += text.count("\n")
        if size < 0:
            size = len(self._rest)
        found, self._rest = self._rest[:size], self._rest[size:]
        return found


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file is written."""

    encoding: str
    delimiter: str
    decimal: str


def dialect_of(stream: BinaryIO, encoding: str | None = None) -> Dialect:
    """Find the encoding, the delimiter and the decimal sign of a seekable stream.

    The encoding is looked for in the whole file, the others in its first lines.
    """
    encoding = encoding or encoding_of(stream)
    stream.seek(0)
    sample = Recoded(stream, encoding).read(SAMPLE).decode("utf-8", "replace").lstrip("\ufeff")
    stream.seek(0)
    lines = sample.splitlines(keepends=True)
    if len(sample) >= SAMPLE // 4 and len(lines) > 1:
        lines = lines[:-1]
    lines = lines[:MOST_LINES]
    best = max(DELIMITERS, key=lambda mark: _score(lines, mark))
    cells = [cell for row in _parsed(lines, best) for cell in row]
    commas, points = sum(map(has_decimal_comma, cells)), sum(map(has_decimal_point, cells))
    return Dialect(encoding, best, "," if commas > points else ".")


def _parsed(lines: Sequence[str], mark: str) -> list[list[str]]:
    try:
        return list(csv.reader(StringIO("".join(lines), newline=""), delimiter=mark))
    except csv.Error:
        return [line.rstrip("\r\n").split(mark) for line in lines]


def _score(lines: Sequence[str], mark: str) -> tuple[float, int]:
    """Return how many of the rows have the same number of cells, and that number."""
    widths = Counter(len(row) for row in _parsed(lines, mark) if any(cell.strip() for cell in row))
    widths.pop(1, None)
    if not widths:
        return 0.0, 0
    width, often = max(widths.items(), key=lambda one: (one[1], one[0]))
    return round(often / max(1, sum(bool(line.strip()) for line in lines)), 1), width


def open_delimited(
    stream: BinaryIO, name: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Book:
    """Open a text file, with the encoding and the delimiter that are given or found."""
    found = dialect_of(stream, encoding)
    mark = delimiter or found.delimiter
    kind = "tsv" if mark == "\t" else "csv"
    return Book(
        name, kind, ("",), lambda _: _rows(stream, name, found.encoding, mark),
        encoding=found.encoding, delimiter=mark, decimal=found.decimal,
    )  # fmt: skip


def _rows(stream: BinaryIO, name: str, encoding: str, delimiter: str) -> Iterator[Row]:
    """Yield the rows; raise TableError where the rest cannot be read."""
    stream.seek(0)
    log = ProblemLog(name, limit=1)
    source = stream if encoding in ("utf-8", "ascii") else cast(BinaryIO, Recoded(stream, encoding))
    lines = Lines(source, log)
    for start, end, cells in split_records(lines, log, delimiter):
        flaw = lines.flaw(start, end) if lines.bad else None
        if flaw is not None:
            raise TableError(flaw, start)
        if log.errors:
            break
        if any(cell.strip() for cell in cells):
            yield start, cells
    for problem in log.problems()[:1]:
        raise TableError(problem.message, problem.line)
    if lines.number == 0:
        raise TableError(say("the file is empty: it needs at least a header"))
