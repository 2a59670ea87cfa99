"""An opened file: its sheets, and their rows as the file numbers them."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from itertools import islice
from typing import IO, BinaryIO
from xml.parsers import expat

from paraanno.common.texts import Sentence, SentenceError, say


class TableError(SentenceError):
    """A file that cannot be read as a table; the message says what to do. `line` is its row."""

    def __init__(self, message: Sentence, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Coded:
    """A number with its label, as statistics programs store answers."""

    number: float
    label: str


@dataclass(frozen=True, slots=True)
class NoValue:
    """A cell that has something in it but no value that could be read; `why` says it."""

    why: Sentence


Cell = None | str | bool | int | float | datetime | date | time | Coded | NoValue
# The row's number in the file, and its cells. The names of columns that are no row are row 0.
Row = tuple[int, Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Book:
    """An opened file. `rows` reads a sheet from its start, each time anew, and gives the rows that
    are not empty.

    `encoding`, `delimiter` and `decimal` are of text files (`decimal` is "," or "."); None
    otherwise. `named` says that row 0 holds the names of the columns.
    `remarks` are comments that somebody put on cells, `hidden` the sheets with rows or columns that
    are not shown, `marks` the cells of sheets that are merged, struck out or in another colour than
    most of their column: (row, column), the column from 0.
    """

    name: str
    kind: str
    sheets: tuple[str, ...]
    rows: Callable[[str], Iterator[Row]]
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    named: bool = False
    remarks: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    marks: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)


# Sheets that are alike, read as one table: a column says of which sheet a row is.


ALL_SHEETS = "*"
JOINED = "+"
# What the column with their names is called.
OF_SHEET, OF_PERSON, OF_SCALE, OF_SYSTEM = "sheet", "annotator", "scale", "system"
WIDTH_OF = 2000  # rows of each sheet that say how many columns there are


def short_names(names: Sequence[str]) -> Sequence[str]:
    """Return names without the words that all begin with, where others are left: Ratings_Ana."""
    parts = [re.split(r"(?<=[\s_:\-–])", name) for name in names]
    size = 0
    while all(len(one) > size + 1 for one in parts) and len({one[size] for one in parts}) == 1:
        size += 1
    short = ["".join(one[size:]).strip() for one in parts]
    bare = all(len(one) > 1 and not any(map(str.isdigit, one[:1])) for one in short)
    return short if size and bare else names


def together(
    book: Book,
    sheets: Sequence[str],
    head: Sequence[int],
    called: str | Mapping[int, str] = OF_SHEET,
) -> Book:
    """Return the book with one sheet more, that has the rows of some with the same head, and their
    names in a column that is `called` so, or as a mapping calls the column in its place. Its rows
    are counted through all of them."""

    def rows() -> Iterator[Row]:
        width = max(
            (len(cells) for one in sheets for _, cells in islice(book.rows(one), WIDTH_OF)),
            default=0,
        )
        last, before = max(head, default=0), 0
        name = called if isinstance(called, str) else called.get(width, OF_PERSON)
        labels = sheets if name == OF_SHEET else short_names(sheets)
        for at, one in enumerate(sheets):
            number = 0
            for number, cells in book.rows(one):
                whole = [*cells, *[None] * (width - len(cells))]
                if len(whole) > width:
                    why = say("the row has more columns than those before: choose a single sheet")
                    raise TableError(why, number)
                if number > last:
                    alone = sum(not is_empty(cell) for cell in cells) < 2  # a note
                    yield number + before, [*whole, None if alone else labels[at]]
                elif at == 0:
                    yield number, [*whole, name if number == last else None]
            before += number

    return replace(
        book,
        sheets=(*book.sheets, ALL_SHEETS),
        rows=lambda one: rows() if one == ALL_SHEETS else book.rows(one),
    )


@dataclass(frozen=True, slots=True)
class Join:
    """Judgments on one sheet about the texts of another: both, the rows of their heads, and the
    letters of the columns that have to be equal. `wide`: the texts stand beside each other, in
    columns (letters) of a system each, which the judgments name in their column `label`."""

    ratings: str
    texts: str
    head: tuple[int, ...]
    texts_head: tuple[int, ...]
    keys: tuple[tuple[str, str], ...]
    wide: tuple[tuple[str, str], ...] = ()
    label: str = ""
    made_by: Join | None = None  # what joins the sheet of the texts, where that is `JOINED`

    def to_json(self) -> dict[str, object]:
        """Return the join as JSON."""
        return {
            "ratings": self.ratings,
            "texts": self.texts,
            "head": list(self.head),
            "texts_head": list(self.texts_head),
            "keys": [list(pair) for pair in self.keys],
            **(
                {"wide": [list(pair) for pair in self.wide], "label": self.label}
                if self.wide
                else {}
            ),
            **({"made_by": self.made_by.to_json()} if self.made_by else {}),
        }


def key_of(cells: Sequence[Cell], at: int) -> str:
    """Return the cell of a key as it is compared: 7 and 7.0 are equal."""
    cell = cells[at] if at < len(cells) else None
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if is_empty(cell) else str(cell).strip()


def texts_by_key(
    book: Book, join: Join, keys: Sequence[int]
) -> tuple[list[Cell], dict[tuple[str, ...], list[Cell]]]:
    """Return the names and the rows of the texts without the columns of the key, by this."""
    names: list[Cell] = []
    by_key: dict[tuple[str, ...], list[Cell]] = {}
    systems = [(place_of(at) or 0, name) for at, name in join.wide]
    apart = {*keys, *(at for at, _ in systems)}
    for number, cells in book.rows(join.texts):
        left = [cell for at, cell in enumerate(cells) if at not in apart]
        if number in join.texts_head:
            names = [*left, "paraphrase"] if systems else left
        if number <= max(join.texts_head):
            continue
        key = tuple(key_of(cells, at) for at in keys)
        rows = {
            (*key, name): [*left, cells[at]]
            for at, name in systems
            if at < len(cells) and not is_empty(cells[at])
        }
        for one, row in (rows if systems else {key: left}).items():
            if by_key.setdefault(one, row) is not row:
                twice = ", ".join(one)
                why = say(
                    "%(key)s stands twice in the sheet %(name)s: keep one of the rows",
                    key=twice,
                    name=join.texts,
                )
                raise TableError(why, number)
    return names, by_key


def joined_sheets(given: Book, join: Join) -> Book:
    """Return the book with one sheet more: the rows of judgments, each with the text that it is
    about on its right, and the texts that nobody judged below. Raises TableError for a row whose
    text is not there once."""
    book = joined_sheets(given, join.made_by) if join.made_by else given
    here = [place_of(one) or 0 for one, _ in join.keys]
    there = [place_of(two) or 0 for _, two in join.keys]
    here += [place_of(join.label) or 0] if join.wide else []

    def rows() -> Iterator[Row]:
        names, by_key = texts_by_key(book, join, there)
        first = islice(book.rows(join.ratings), WIDTH_OF)
        width = max((len(cells) for _, cells in first), default=0)
        last, number, read = max(join.head, default=0), 0, set()
        for number, cells in book.rows(join.ratings):
            whole = [*cells, *[None] * (width - len(cells))]
            if number <= last:
                yield number, [*whole, *(names if number == last else ())]
                continue
            key = tuple(key_of(cells, one) for one in here)
            if key not in by_key:
                lacking = ", ".join(key)
                why = say(
                    "%(key)s is not in the sheet %(name)s: add its texts there, or remove this row",
                    key=lacking,
                    name=join.texts,
                )
                raise TableError(why, number)
            read.add(key)
            yield number, [*whole, *by_key[key]]
        for key in [one for one in by_key if one not in read]:
            number += 1
            alone: list[Cell] = [None] * width
            for one, part in zip(here, key, strict=True):
                alone[one] = part
            yield number, [*alone, *by_key[key]]

    return replace(
        given,
        sheets=(*given.sheets, JOINED),
        rows=lambda one: rows() if one == JOINED else book.rows(one),
    )


def letters(column: int) -> str:
    """Return the letters of a column as spreadsheets count them: A for 0, AA for 26."""
    label = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        label = chr(ord("A") + rest) + label
    return label


def place_of(text: str) -> int | None:
    """Return the number of a column from its letters, from 0; None if they are none."""
    if not 1 <= len(text) <= 3 or not (text.isascii() and text.isalpha()):
        return None
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def is_empty(cell: Cell) -> bool:
    """True for an empty cell."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


# Bounds of files that are unpacked, checked before a library unpacks them.
#
# A spreadsheet is a zip archive of XML. What it says about its size may be a lie, so its tables are
# unpacked here piece by piece, and counted: bytes, and the rows and columns that a reader would
# make room for. XML that declares entities is refused: no spreadsheet program writes any.


MOST_UNPACKED = 400 * 2**20  # bytes of all parts together
MOST_RATIO = 250  # of what is unpacked to what is packed, from `FREE_RATIO` bytes on
FREE_RATIO = 10 * 2**20
MOST_PARTS = 5000
MOST_ROWS = 200_000  # of a sheet
MOST_CELLS = 4_000_000  # of a sheet: rows times columns
MOST_WITHOUT_VALUE = 100_000
MOST_MARKS = 10_000
MOST_OF_A_LOOK = 100  # rows that are remembered
_BLOCK = 1 << 18
_BROKEN = (
    expat.ExpatError,
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
    LookupError,  # of a part that is not there, or an unknown encoding
)
_CONVERT = say("save the sheet as CSV (UTF-8), which may have any number of rows")


def too_many_rows(most: int = MOST_ROWS) -> TableError:
    """Return the error about a table with too many rows."""
    return TableError(
        say("the table has more than %(most)s rows: %(convert)s", most=most, convert=_CONVERT)
    )


def too_many_cells() -> TableError:
    """Return the error about a table with too many cells."""
    return TableError(
        say(
            "the table has more than %(most)s cells (rows times columns): delete what is far "
            "from it, or %(convert)s",
            most=MOST_CELLS,
            convert=_CONVERT,
        )
    )


def damaged(why: object = None) -> TableError:
    """Return the error about an archive that cannot be read."""
    reason: object = say("it is truncated or damaged") if why is None else why
    return TableError(
        say("the file cannot be opened (%(why)s): save it again, or as CSV (UTF-8)", why=reason)
    )


def check_archive(stream: BinaryIO) -> zipfile.ZipFile:
    """Open a zip archive and check what its directory says. Raises TableError."""
    try:
        archive = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise damaged() from error
    parts = archive.infolist()
    unpacked = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts)
    if len(parts) > MOST_PARTS:
        raise TableError(
            say(
                "the file has more than %(most)s parts: %(convert)s",
                most=MOST_PARTS,
                convert=_CONVERT,
            )
        )
    if unpacked > MOST_UNPACKED or (unpacked > FREE_RATIO and unpacked > MOST_RATIO * packed):
        raise TableError(
            say(
                "the file would unpack to %(size)s MB; at most %(most)s MB and %(ratio)s times "
                "its size are allowed: %(convert)s",
                size=unpacked // 2**20,
                most=MOST_UNPACKED // 2**20,
                ratio=MOST_RATIO,
                convert=_CONVERT,
            )
        )
    if any(part.flag_bits & 1 for part in parts):
        raise TableError(say("the file is protected by a password: save it without one"))
    return archive


Start = Callable[[str, dict[str, str]], None]


def parse_part(
    archive: zipfile.ZipFile,
    part: str,
    *,
    start: Start | None = None,
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Unpack an XML part piece by piece and report its elements, without name spaces.

    Raises TableError for damaged XML, and for a document type, in which entities are declared.
    """
    parser = expat.ParserCreate(namespace_separator=" ")

    def refuse(*_: object) -> None:
        raise TableError(say("the file declares entities, which no table needs: save it anew"))

    parser.StartDoctypeDeclHandler = refuse
    if start is not None:
        report = start
        parser.StartElementHandler = lambda name, given: report(
            name.rpartition(" ")[2], {key.rpartition(" ")[2]: one for key, one in given.items()}
        )
    if end is not None:
        done = end
        parser.EndElementHandler = lambda name: done(name.rpartition(" ")[2])
    if text is not None:
        parser.CharacterDataHandler = text
    try:
        with archive.open(part) as stream:
            _feed(parser, stream)
    except TableError:  # A ValueError too, and told already.
        raise
    except _BROKEN as error:
        raise damaged() from error


def _feed(parser: expat.XMLParserType, stream: IO[bytes]) -> None:
    read = 0
    while block := stream.read(_BLOCK):
        read += len(block)
        if read > MOST_UNPACKED:
            raise damaged()
        parser.Parse(block, False)
    parser.Parse(b"", True)


@dataclass(slots=True)
class SheetSize:
    """How large a sheet is, the cells (row, column; from 0) with a formula and no value, whether
    rows or columns are hidden, how many cells of a column have each look, with the first rows of
    these, and `merged` cells but the first of theirs."""

    rows: int = 0
    columns: int = 0
    without_value: set[tuple[int, int]] = field(default_factory=set)
    hidden: bool = False
    looks: dict[int, dict[object, tuple[int, list[int]]]] = field(default_factory=dict)
    merged: list[tuple[int, int]] = field(default_factory=list)

    @property
    def marks(self) -> list[tuple[int, int]]:
        """The cells (row from 1, column from 0) that look otherwise than most of their column."""
        rare = [
            (row + 1, column)
            for column, looks in self.looks.items()
            for n, rows in looks.values()
            if n * 4 < sum(each for each, _ in looks.values())
            for row in rows
        ]
        return [*((row + 1, column) for row, column in self.merged), *rare][:MOST_MARKS]

    def see(self, row: int, column: int, look: object) -> None:
        """Count a cell that looks like this."""
        looks = self.looks.setdefault(column, {})
        n, rows = looks.get(look, (0, []))
        looks[look] = (n + 1, [*rows, row] if len(rows) < MOST_OF_A_LOOK else rows)

    def grow(self, row: int, column: int) -> None:
        """Make room for a cell. Raises TableError beyond the bounds."""
        self.rows, self.columns = max(self.rows, row + 1), max(self.columns, column + 1)
        if self.rows > MOST_ROWS:
            raise too_many_rows()
        if self.rows * self.columns > MOST_CELLS:
            raise too_many_cells()


@dataclass(frozen=True, slots=True)
class Attributes:
    """What a zip part says of one element: its name and attributes."""

    name: str
    given: dict[str, str]


def elements(archive: zipfile.ZipFile, part: str) -> list[Attributes]:
    """Return the elements of a small part, in order; none if the archive has no such part."""
    attributes: list[Attributes] = []
    if part not in archive.namelist():
        return attributes
    parse_part(archive, part, start=lambda name, given: attributes.append(Attributes(name, given)))
    return attributes


NO_STORED_VALUE: Sentence = say(
    "holds a formula whose value the file does not store: open the file in a spreadsheet program "
    "and save it"
)
