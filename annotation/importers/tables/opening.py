"""Open a file by what it holds; its name decides only where that leaves a choice."""

from __future__ import annotations

import codecs
import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import BinaryIO, cast

from annotation.importers.columns import knows_column
from annotation.importers.gold import knows_gold_column
from annotation.importers.judgments import COLUMN_NAMES
from annotation.importers.tables.books import Book, Row, TableError
from annotation.importers.tables.by_pandas import (
    open_json,
    open_lines_of_json,
    open_parquet,
    open_spss,
    open_stata,
)
from paraanno.common.cells import has_decimal_comma, has_decimal_point
from paraanno.common.records import FORMATS, format_of, split_records
from paraanno.common.texts import Lines, ProblemLog, Sentence, say, shown

# Whether a file is one of ours already: all its columns are known by our names.


_START = 1 << 18
_SCORES = ("score", "metric", "low", "high", "pass", "systems")


def is_ours(stream: BinaryIO, name: str, scales: Sequence[str]) -> bool:
    """Whether the names of the columns of a CSV, TSV or JSON Lines file are ours.

    A file of ours may be broken: the readers of our files report that.
    """
    format = format_of(name)
    if format not in FORMATS.values():
        return False
    names = _names(stream.read(_START), format)
    if names is None:
        return True
    return bool(names) and all(
        knows_column(one)
        or one in COLUMN_NAMES
        or one.startswith("score.")
        or one in _SCORES
        or knows_gold_column(one, scales)
        for one in names
    )


def _names(start: bytes, format: str) -> list[str] | None:
    """Return the names of the columns; None for what only the reader of JSON Lines can tell of."""
    text = start.decode("utf-8-sig", "replace")
    if format == "jsonl":
        try:
            first = json.loads(next((line for line in text.splitlines() if line.strip()), ""))
        except (ValueError, RecursionError):
            return None
        return [str(key).strip() for key in first] if isinstance(first, dict) else None
    delimiter = "," if format == "csv" else "\t"
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        return [cell.strip().removeprefix("'") for cell in next(rows, [])]
    except csv.Error:
        return []


# The encoding of a text file.


_BLOCK = 1 << 20
MOST_TRIED = 1 << 18  # bytes around what is not ASCII
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Letters of a script, by the encodings that write it: they are tried first, because a wrong one of
# them gives fewer such letters than the share or fails.
_SCRIPTS = (
    (("cp932", "euc_jp"), re.compile("[\u3041-\u30ff]"), 0.2),
    (("cp949",), re.compile("[\uac00-\ud7a3]"), 0.8),
    (("gb18030", "big5"), re.compile("[\u4e00-\u9fff]"), 0.8),
)
# What charset-normalizer may answer. Single-byte encodings of Western Europe differ in few
# characters, and spreadsheets write the first.
_OTHERS = [
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp949",
    "cp932",
    "euc_jp",
    "gb18030",
    "big5",
    "koi8_r",
    "mac_roman",
    "cp437",
    "cp850",
]
_WEST = {"cp1252", "cp1250", "cp1254", "mac_roman", "cp437", "cp850"}
# Accented letters of one byte mostly stand alone; those of two bytes beside others.
_ABOVE = re.compile(rb"[\x80-\xff]")
_ALONE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_COMMON = re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")  # the more frequent Chinese characters
_WESTERN = re.compile("[ -~\\s\u00a0-\u00ff\u0152\u0153\u2013-\u2026\u20ac\u0160\u0161]")


def writes_text(name: str) -> bool:
    """Whether an encoding of this name is known, and makes bytes of text."""
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except (LookupError, ValueError):  # A NUL in the name.
        return False


def unknown_encoding(name: str) -> Sentence:
    """Return the error about an encoding that nobody knows."""
    return say(
        "encoding: %(name)s is not known: write utf-8, cp1252, cp949 or the like", name=shown(name)
    )


def encoding_of(stream: BinaryIO) -> str:
    """Return the name of the encoding of a seekable stream, which is read to its end.

    A file whose bytes above ASCII are mostly UTF-8 is UTF-8: the others are reported as errors.
    """
    stream.seek(0)
    start = stream.read(4)
    for bom, encoding in _BOMS:
        if start.startswith(bom):
            return encoding
    stream.seek(0)
    strange = b""
    first = b""
    good = True
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    while block := stream.read(_BLOCK):
        first = first or block
        if good:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                good = False
        if not block.isascii() and len(strange) < MOST_TRIED:
            strange += b"\n".join(line for line in block.splitlines() if not line.isascii())[
                : MOST_TRIED - len(strange)
            ]
    stream.seek(0)
    if wide := _without_bom(first):
        return wide
    return "utf-8" if good or _mostly_utf8(strange) else _guessed(strange)


def _without_bom(block: bytes) -> str | None:
    """Return UTF-16 where every other byte of plain text is NUL."""
    sample = block[:2000]
    if len(sample) < 8:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > len(sample) // 5 and even < odd // 10:
        return "utf-16-le"
    return "utf-16-be" if even > len(sample) // 5 and odd < even // 10 else None


def _mostly_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= letter <= "\udcff" for letter in text)
    return sum(letter > "\x7f" for letter in text) - bad > 3 * bad


def _guessed(data: bytes) -> str:
    alone = len(_ALONE.findall(data)) > 0.7 * max(1, len(_ABOVE.findall(data)))
    for encodings, letters, share in () if alone else _SCRIPTS:
        for encoding in encodings:
            text = data.decode(encoding, "replace")
            above = sum(letter > "\x7f" for letter in text)
            if encoding == "gb18030" and len(_COMMON.findall(data)) < 0.5 * above:
                continue
            if above and "\ufffd" not in text and len(letters.findall(text)) > share * above:
                return encoding
    western = data.decode("cp1252", "replace")
    if alone and "\ufffd" not in western and _WESTERN.sub("", western) == "":
        # All letters are of Western Europe, and most stand within words.
        words = re.findall(r"\w*[\u00c0-\u00ff]\w*", western)
        if not words or sum(len(word) > 1 for word in words) >= 0.5 * len(words):
            return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_OTHERS).best()
    if best is None or best.encoding in _WEST:
        return "cp1252"
    return str(best.encoding)


# Delimited text in any encoding and with any delimiter, as a stream.


DELIMITERS = (",", ";", "\t", "|")
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
SAMPLE = 1 << 18
MOST_LINES = 200
_ENTITIES = re.compile(r"&#?[0-9A-Za-z]{1,31};")  # whose ends are no delimiters
_delimited_BLOCK = 1 << 18


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
            block = self._stream.read(_delimited_BLOCK)
            self._ended = not block
            try:
                text = self._decoder.decode(block, final=self._ended)
                self._rest += text.encode("utf-8", "surrogateescape")
            except UnicodeError as error:
                raise TableError(
                    say(
                        "the rest of the file is not %(encoding)s, or the file was cut there: save "
                        "it again as UTF-8",
                        encoding=self._encoding,
                    ),
                    self._lines,
                ) from error
            self._lines += text.count("\n")
        if size < 0:
            size = len(self._rest)
        chunk, self._rest = self._rest[:size], self._rest[size:]
        return chunk


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file is written. `quoted`: quotation marks around a cell are none of its text."""

    encoding: str
    delimiter: str
    decimal: str
    quoted: bool = True


def dialect_of(stream: BinaryIO, encoding: str | None = None) -> Dialect:
    """Find the encoding, the delimiter and the decimal sign of a seekable stream.

    The encoding is looked for in the whole file, the others in its first lines.
    """
    encoding = encoding or encoding_of(stream)
    stream.seek(0)
    sample = Recoded(stream, encoding).read(SAMPLE).decode("utf-8", "replace").lstrip("\ufeff")
    stream.seek(0)
    lines = _ENTITIES.sub("", sample).splitlines(keepends=True)
    if len(sample) >= SAMPLE // 4 and len(lines) > 1:
        lines = lines[:-1]
    whole, lines = lines, lines[:MOST_LINES]
    best = max(DELIMITERS, key=lambda mark: _score(lines, mark))
    cells = [cell for row in _parsed(lines, best) for cell in row]
    commas, points = sum(map(has_decimal_comma, cells)), sum(map(has_decimal_point, cells))
    quoted = best != "\t" or not _have_bare_quotes(whole)
    return Dialect(encoding, best, "," if commas > points else ".", quoted)


def _have_bare_quotes(lines: Sequence[str]) -> bool:
    """Whether quotation marks beside tabs are signs of the texts: as marks around cells they are
    broken, and without them all lines have as many cells."""
    try:
        list(csv.reader(lines, delimiter="\t", strict=True))
    except csv.Error:
        return len({line.count("\t") for line in lines if line.strip()}) == 1
    return False


def _parsed(lines: Sequence[str], mark: str) -> list[list[str]]:
    try:
        return list(csv.reader(StringIO("".join(lines), newline=""), delimiter=mark))
    except csv.Error:
        return [line.rstrip("\r\n").split(mark) for line in lines]


def _score(lines: Sequence[str], mark: str) -> tuple[float, int]:
    """Return how many of the rows have the same number of cells, and that number. A row may have
    several lines; that all lines are one row is an unclosed quotation mark."""
    widths = Counter(len(row) for row in _parsed(lines, mark) if any(cell.strip() for cell in row))
    n = widths.total()
    widths.pop(1, None)
    if not widths:
        return 0.0, 0
    width, often = max(widths.items(), key=lambda one: (one[1], one[0]))
    filled = sum(bool(line.strip()) for line in lines)
    return round(often / (n if often > 1 else max(1, filled)), 1), width


def open_delimited(
    stream: BinaryIO, name: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Book:
    """Open a text file, with the encoding and the delimiter that are given or found."""
    dialect = dialect_of(stream, encoding)
    mark = delimiter or dialect.delimiter
    kind = "tsv" if mark == "\t" else "csv"
    return Book(
        name,
        kind,
        ("",),
        lambda _: _rows(stream, name, dialect.encoding, mark, quoted=dialect.quoted),
        encoding=dialect.encoding,
        delimiter=mark,
        decimal=dialect.decimal,
    )


def _rows(
    stream: BinaryIO, name: str, encoding: str, delimiter: str, *, quoted: bool = True
) -> Iterator[Row]:
    """Yield the rows; raise TableError where the rest cannot be read."""
    stream.seek(0)
    log = ProblemLog(name, limit=1)
    source = stream if encoding in ("utf-8", "ascii") else cast(BinaryIO, Recoded(stream, encoding))
    lines = Lines(source, log)
    for start, end, cells in split_records(lines, log, delimiter, quoted=quoted):
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


# What is read as a whole or in parts by a library, not as a stream of text.
TABLE_KINDS = (
    ".xlsx",
    ".xlsm",
    ".xls",
    ".ods",
    ".json",
    ".parquet",
    ".dta",
    ".sav",
    ".zsav",
    ".zip",
)
MOST_BYTES = 100 * 2**20  # of such a file
HEAD = 512  # bytes by which a kind is known
_BLANK = b"\xef\xbb\xbf \t\r\n"
_OF_LINES = (".jsonl", ".ndjson")
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_book(name: str) -> bool:
    """Whether the name's ending is that of a kind that is no stream of text."""
    return name.lower().endswith(TABLE_KINDS)


def needs_parser(head: bytes, name: str) -> bool:
    """Whether a file that begins so is read as a whole, or by a library's parser; any other is read
    as a stream of lines."""
    if head.startswith((_ZIP, _OLE, b"PAR1", b"$FL2", b"$FL3", b"<stata_dta>")):
        return True
    ending = os.path.splitext(name.lower())[1]
    is_list = head.lstrip(_BLANK)[:1] == b"[" and ending not in (*_OF_LINES, ".csv", ".tsv")
    return ending in TABLE_KINDS or is_list


def open_book(
    stream: BinaryIO, name: str, *, encoding: str | None = None, delimiter: str | None = None
) -> Book:
    """Open a seekable stream. Raises TableError for what is no table or beyond the bounds."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    head = stream.read(HEAD)
    stream.seek(0)
    ending = os.path.splitext(name.lower())[1]
    if not head:
        raise TableError(say("the file is empty: it needs at least a header"))
    if not needs_parser(head, name):
        if ending in _OF_LINES:
            return open_lines_of_json(stream, name)
        return open_delimited(stream, name, encoding=encoding, delimiter=delimiter)
    if size > MOST_BYTES:
        raise TableError(
            say(
                "the file has %(size)s MB; at most %(most)s MB are allowed for this kind: save "
                "it as CSV (UTF-8), which may have any size",
                size=size // 2**20,
                most=MOST_BYTES // 2**20,
            )
        )
    if head.startswith((_ZIP, _OLE)):
        return _open_archive(stream, name, head)
    if head.startswith(b"PAR1"):
        return open_parquet(stream, name)
    if head.startswith((b"$FL2", b"$FL3")):
        return open_spss(stream, name)
    if head.startswith(b"<stata_dta>") or ending == ".dta":
        return open_stata(stream, name)
    if ending in TABLE_KINDS and ending != ".json":
        raise TableError(
            say(
                "this is no %(kind)s file, whatever its name says: rename or convert it",
                kind=ending,
            )
        )
    return open_json(stream, name)


def _open_archive(stream: BinaryIO, name: str, head: bytes) -> Book:
    """Open a spreadsheet, or a zip of files."""
    from annotation.importers.tables.excel import open_excel
    from annotation.importers.tables.tools.common.zipped import is_folder, open_folder

    if head.startswith(_ZIP) and is_folder(stream):
        return open_folder(stream, name)
    return open_excel(stream, name, head)
