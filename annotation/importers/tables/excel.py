"""Sheets of Excel and OpenDocument files, read by calamine within bounds."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from pathlib import PurePosixPath
from typing import BinaryIO

import python_calamine

from annotation.importers.tables.books import (
    MOST_CELLS,
    MOST_MARKS,
    MOST_ROWS,
    MOST_WITHOUT_VALUE,
    NO_STORED_VALUE,
    Book,
    Cell,
    NoValue,
    Row,
    SheetSize,
    TableError,
    check_archive,
    damaged,
    elements,
    is_empty,
    parse_part,
    place_of,
    too_many_cells,
    too_many_rows,
)
from paraanno.common.texts import say

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP = b"PK\x03\x04"
_REF = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MARK = re.compile(r"#(REF!|DIV/0!|VALUE!|NAME\?|N/A|NUM!|NULL!)")
_COMMENTS = re.compile(r"xl/(?:comments|threadedComments)/?[^/]*\.xml|content\.xml")
MOST_REMARKS = 500
Merged = dict[tuple[int, int], tuple[int, int]]


def open_excel(stream: BinaryIO, name: str, head: bytes) -> Book:
    """Open an Excel (.xlsx, .xlsm, .xls) or OpenDocument (.ods) file. Raises TableError."""
    sizes: dict[str, SheetSize] = {}
    kind = "xls"
    remarks: tuple[str, ...] = ()
    if head.startswith(ZIP):
        with check_archive(stream) as archive:
            kind = _kind(archive)
            sizes = _ods_sizes(archive) if kind == "ods" else _xlsx_sizes(archive)
            remarks = tuple(_remarks(archive))
    stream.seek(0)
    book = _calamine(stream)
    sheets = tuple(
        one.name
        for one in book.sheets_metadata
        if one.typ == python_calamine.SheetTypeEnum.WorkSheet
        and one.visible == python_calamine.SheetVisibleEnum.Visible
    )
    if not sheets:
        raise TableError(say("the file has no visible sheet with a table: show or add one"))
    empty = SheetSize()
    return Book(
        name,
        kind,
        sheets,
        lambda sheet: _rows(book, sheet, sizes.get(sheet, empty)),
        remarks=remarks,
        hidden=tuple(one for one in sheets if sizes.get(one, empty).hidden),
        marks={one: sizes.get(one, empty).marks for one in sheets},
    )


def _kind(archive: zipfile.ZipFile) -> str:
    names = set(archive.namelist())
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "content.xml" in names and "mimetype" in names:
        return "ods"
    if "xl/workbook.bin" in names:
        raise TableError(say("this is an Excel binary workbook (.xlsb): save it as .xlsx"))
    raise TableError(say("this is a zip archive, not a spreadsheet: unpack it and choose one file"))


def _remarks(archive: zipfile.ZipFile) -> Iterator[str]:
    """Yield the comments on cells."""
    for part in archive.namelist():
        if _COMMENTS.fullmatch(part) is None:
            continue
        ends = frozenset({"comment", "annotation", "threadedComment"})
        yield from _texts_of(archive, part, ends)


def _texts_of(archive: zipfile.ZipFile, part: str, ends: frozenset[str]) -> list[str]:
    """Return the texts within elements of some names."""
    texts: list[str] = []
    inside = [False]

    def start(name: str, _: dict[str, str]) -> None:
        if name in ends:
            inside[0] = True
            texts.append("")

    def end(name: str) -> None:
        inside[0] = inside[0] and name not in ends

    def text(data: str) -> None:
        if inside[0] and len(texts) <= MOST_REMARKS:
            texts[-1] += data

    parse_part(archive, part, start=start, end=end, text=text)
    return [" ".join(one.split()) for one in texts[:MOST_REMARKS]]


def _calamine(stream: BinaryIO) -> python_calamine.CalamineWorkbook:
    try:
        return python_calamine.CalamineWorkbook.from_filelike(stream)
    except python_calamine.PasswordError as error:
        raise TableError(say("the file is protected by a password: save it without one")) from error
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise damaged() from error


def _xlsx_sizes(archive: zipfile.ZipFile) -> dict[str, SheetSize]:
    """Return the size of each sheet by its name."""
    targets = {
        one.given.get("Id", ""): one.given.get("Target", "")
        for one in elements(archive, "xl/_rels/workbook.xml.rels")
        if one.name == "Relationship"
    }
    if "xl/sharedStrings.xml" in archive.namelist():
        parse_part(archive, "xl/sharedStrings.xml")
    parts, looks = set(archive.namelist()), _looks(archive)
    sizes: dict[str, SheetSize] = {}
    for one in elements(archive, "xl/workbook.xml"):
        if one.name != "sheet":
            continue
        target = targets.get(one.given.get("id", ""), "")
        part = target.lstrip("/") if target.startswith("/") else str(PurePosixPath("xl", target))
        if part in parts and part.endswith(".xml"):
            sizes[one.given.get("name", "")] = _xlsx_size(archive, part, looks)
    return sizes


def _looks(archive: zipfile.ZipFile) -> list[object]:
    """Return what a person sees of the cells of each style: strokes through them, and colours."""
    fonts: list[list[object]] = []
    fills: list[list[object]] = []
    looks: list[object] = []
    inside = ""
    for one in elements(archive, "xl/styles.xml"):
        about = tuple(sorted(one.given.items()))
        if one.name in (
            "fonts",
            "fills",
            "borders",
            "cellStyleXfs",
            "cellXfs",
            "cellStyles",
            "dxfs",
        ):
            inside = one.name
        elif inside == "fonts" and one.name == "font":
            fonts.append([])
        elif inside == "fills" and one.name == "fill":
            fills.append([])
        elif inside == "fonts" and one.name in ("strike", "color"):
            fonts[-1].append((one.name, about))
        elif inside == "fills" and one.name == "fgColor":
            fills[-1].append(about)
        elif inside == "cellXfs" and one.name == "xf":
            font, fill = (one.given.get(key, "0") for key in ("fontId", "fillId"))
            looks.append((str(_at(fonts, font)), str(_at(fills, fill))))
    return looks


def _at(listed: list[list[object]], index: str) -> list[object]:
    return listed[int(index)] if index.isdigit() and int(index) < len(listed) else []


class _XlsxScan:
    """Counts the cells of a sheet, finds formulas without a value, and sees how cells look."""

    def __init__(self, looks: list[object]) -> None:
        self.size, self._looks = SheetSize(), looks
        self._row = self._column = -1
        self._formula = self._value = self._inside = False
        self._style = ""

    def start(self, name: str, given: dict[str, str]) -> None:
        self._inside = name in ("v", "t")
        if name in ("row", "col") and given.get("hidden") in ("1", "true"):
            self.size.hidden = True
        if name == "row":
            self._row = int(given["r"]) - 1 if given.get("r", "").isdigit() else self._row + 1
            self._column = -1
        elif name == "c":
            self._cell(given.get("r", ""))
            self._style = given.get("s", "0")
        elif name == "mergeCell":
            self._merge(given.get("ref", ""))
        elif name == "f":
            self._formula = True

    def _cell(self, ref: str) -> None:
        match = _REF.fullmatch(ref)
        column = None if match is None else place_of(match[1])
        if match is None or column is None:
            self._column += 1
        else:
            self._row, self._column = int(match[2]) - 1, column
        self.size.grow(max(self._row, 0), self._column)
        self._formula = self._value = False

    def _look(self) -> None:
        at = int(self._style) if self._style.isdigit() else 0
        look = self._looks[at] if at < len(self._looks) else None
        self.size.see(max(self._row, 0), self._column, look)

    def _merge(self, ref: str) -> None:
        ends = [_REF.fullmatch(one) for one in ref.split(":")]
        if len(ends) == 2 and ends[0] and ends[1]:
            left, right = (place_of(one[1]) or 0 for one in ends if one)
            top, bottom = (int(one[2]) - 1 for one in ends if one)
            room = MOST_MARKS - len(self.size.merged)
            cells = ((row, at) for at in range(left, right + 1) for row in range(top, bottom + 1))
            self.size.merged += islice(cells, 1, max(1, room))

    def text(self, data: str) -> None:
        self._value = self._value or (self._inside and bool(data))

    def end(self, name: str) -> None:
        self._inside = False
        if name == "c" and self._value:
            self._look()
        lacks = name == "c" and self._formula and not self._value
        if lacks and len(self.size.without_value) < MOST_WITHOUT_VALUE:
            self.size.without_value.add((self._row, self._column))


def _xlsx_size(archive: zipfile.ZipFile, part: str, looks: list[object]) -> SheetSize:
    scan = _XlsxScan(looks)
    parse_part(archive, part, start=scan.start, end=scan.end, text=scan.text)
    return scan.size


def _ods_sizes(archive: zipfile.ZipFile) -> dict[str, SheetSize]:
    """Return the size of each table; repeated cells and rows count as often as they stand."""
    sizes: dict[str, SheetSize] = {}
    size = SheetSize()
    row, column, waiting, filled = [0], [0], [1], [False]

    def start(name: str, given: dict[str, str]) -> None:
        nonlocal size
        if name == "table":
            size = sizes.setdefault(given.get("name", ""), SheetSize())
            row[0] = 0
        elif name == "table-row":
            column[0], filled[0] = 0, False
            waiting[0] = _times(given.get("number-rows-repeated"))
        elif name in ("table-cell", "covered-table-cell"):
            times = _times(given.get("number-columns-repeated"))
            if "value-type" in given or "formula" in given:
                size.grow(row[0] + waiting[0] - 1, column[0] + times - 1)
                filled[0] = True
            if "formula" in given and "value-type" not in given:
                size.without_value.add((row[0], column[0]))
            column[0] += times

    def end(name: str) -> None:
        if name == "table-row":
            row[0] += waiting[0]

    parse_part(archive, "content.xml", start=start, end=end)
    return sizes


def _times(text: str | None) -> int:
    return max(1, int(text)) if text is not None and text.isdigit() and len(text) < 9 else 1


def _rows(book: python_calamine.CalamineWorkbook, name: str, size: SheetSize) -> Iterator[Row]:
    try:
        sheet = book.get_sheet_by_name(name)
    except python_calamine.CalamineError as error:
        raise damaged() from error
    if sheet.total_height > MOST_ROWS:
        raise too_many_rows()
    if sheet.total_height * sheet.total_width > MOST_CELLS:
        raise too_many_cells()
    if sheet.start is None:
        return
    merged = _merged(sheet)
    first: dict[tuple[int, int], Cell] = {}
    left = sheet.start[1]
    # calamine gives the rows from the first one on, and the cells from the first column that is
    # used, or from the first of all: the width tells which.
    for at, row in enumerate(sheet.iter_rows()):
        offset = 0 if len(row) == sheet.total_width else left
        cells: list[Cell] = [None] * offset + [_cell(one) for one in row]
        for column in range(len(cells)):
            if (at, column) in size.without_value and is_empty(cells[column]):
                cells[column] = NoValue(NO_STORED_VALUE)
            origin = merged.get((at, column))
            if origin is not None:
                cells[column] = first.setdefault(origin, cells[column])
        if not all(map(is_empty, cells)):
            yield at + 1, cells


def _merged(sheet: python_calamine.CalamineSheet) -> Merged:
    """Return, for each cell of the ranges that are merged over several rows, the first one.

    Ranges over one row are titles, and heads over several columns: those are not filled, so that
    the columns below can be told apart.
    """
    merged: Merged = {}
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or []:
        if bottom > top and (bottom - top + 1) * (right - left + 1) + len(merged) <= MOST_CELLS:
            for row in range(top, bottom + 1):
                merged[row, left] = (top, left)
    return merged


def _cell(value: object) -> Cell:
    if isinstance(value, timedelta):
        return NoValue(say("holds a length of time, not a text or number: format it as text"))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, str) and _MARK.fullmatch(value):
        return NoValue(say("holds an error of the spreadsheet: correct its formula"))
    return value  # type: ignore[return-value]
