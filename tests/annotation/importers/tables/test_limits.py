"""Bombs and broken archives are refused before anything is unpacked at large, in a sandbox."""

import io
import zipfile
from datetime import datetime
from io import BytesIO

import pytest

from annotation.importers.tables import TableError, open_apart, open_book
from annotation.importers.tables import sandboxed as module
from annotation.importers.tables.books import MOST_ROWS, SheetSize, elements
from annotation.importers.tables.excel import ZIP
from tests.annotation.messy import FILES
from tests.annotation.spreadsheets import book, ods

SHEET = "xl/worksheets/sheet1.xml"


def changed(change):
    """A spreadsheet with other parts."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book({"S": [["a", "b"], ["x", "y"]]}))) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change.get(name, old.read(name)))
        for name in change.keys() - set(old.namelist()):
            new.writestr(name, change[name])
    return out.getvalue()


def sheet(rows):
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return {SHEET: b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (space, rows)}


def with_encoding(name):
    """An OpenDocument table whose XML says that it is written in an encoding of this name."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(ods({"S": [["a"], ["x"]]}))) as old,
        zipfile.ZipFile(out, "w") as new,
    ):
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(b'"UTF-8"', f'"{name}"'.encode()))
    return out.getvalue()


FIRST = b'<row r="1"><c r="A1"><v>1</v></c></row>'
ENTITIES = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed({"xl/media/image.bin": bytes(30 * 2**20)}), "would unpack to 30 MB"),
        (changed({SHEET: ENTITIES}), "entities"),
        (changed(sheet(FIRST + b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')), "rows"),
        (changed(sheet(FIRST + b'<row r="9999"><c r="XFD9999"><v>1</v></c></row>')), "cells"),
        (changed(sheet(b'<row r="1"><c r="A1"><v>1</v>')), "truncated or damaged"),
        (book({"S": [["a"]]})[:900], "truncated or damaged"),
        (changed({})[:-30] + bytes(30), "truncated or damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "truncated or damaged"),
        (changed({})[700:], "no .xlsx file"),
        (ZIP + changed({})[700:], "truncated or damaged"),
        (with_encoding("no-such"), "truncated or damaged"),
    ],
)
def test_a_bomb_or_a_broken_file_is_refused(data, why):
    with pytest.raises(TableError, match=why):
        open_book(io.BytesIO(data), "a.xlsx")


def test_a_size_that_lies_is_found():
    """The directory says ten bytes; the part has more."""
    data = bytearray(changed({}))
    at = data.rindex(SHEET.encode()) - 46  # the entry of the directory
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(TableError, match="truncated or damaged"):
        open_book(io.BytesIO(bytes(data)), "a.xlsx")


def test_other_archives_and_macros():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(TableError, match="not a spreadsheet"):
        open_book(out, "a.xlsx")
    macros = changed({"xl/vbaProject.bin": b"Sub AutoOpen()"})
    found = open_book(io.BytesIO(macros), "a.xlsm")
    assert list(found.rows("S")) == [(1, ["a", "b"]), (2, ["x", "y"])]


def test_bounds_of_a_sheet():
    size = SheetSize()
    size.grow(MOST_ROWS - 1, 3)
    with pytest.raises(TableError, match="rows"):
        size.grow(MOST_ROWS, 0)
    with zipfile.ZipFile(io.BytesIO(changed({}))) as archive:
        assert elements(archive, "nowhere.xml") == []


def rows(opened):
    return {name: [(at, list(cells)) for at, cells in opened.rows(name)] for name in opened.sheets}


def test_a_sheet_that_is_wanted_is_read_alone_and_cells_keep_their_kind():
    day = datetime(2024, 1, 31, 12, 30)
    data = book({"A": [["a"]], "B": [["x", 1.5, 2, day, "=A1", True], ["a\nb", None, -3]]})
    opened = open_apart(BytesIO(data), "b.xlsx", sheet="B")
    assert opened.sheets == ("B",)
    plain = open_book(BytesIO(data), "b.xlsx")
    found = rows(opened)["B"]
    assert found == rows(plain)["B"] and day in found[0][1]


def test_lines_are_read_here(monkeypatch):
    monkeypatch.setattr(module, "sandboxed", None)
    opened = open_apart(BytesIO(b"a,b\nx,y\n"), "a.csv")
    assert rows(opened) == {"": [(1, ["a", "b"]), (2, ["x", "y"])]}


def many_times_one_text():
    """A text of 300 kB, once in the file, in 100,000 cells."""
    cells = b'<row><c t="s"><v>0</v></c></row>' * 100_000
    text = b"<sst><si><t>%s</t></si></sst>" % (b"x" * 300_000)
    return changed({**sheet(cells), "xl/sharedStrings.xml": text})


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("a.json", lambda: b"[" * 90_000, "truncated or damaged"),
        ("a.txt", lambda: b"[" * 90_000, "truncated or damaged"),
        pytest.param("a.xlsx", many_times_one_text, "than its size allows", marks=pytest.mark.slow),
        ("a.dta", lambda: FILES["panel.dta"].make()[:900], "truncated or damaged"),
        ("a.ods", lambda: b"PK\x03\x04" + bytes(500), "truncated or damaged"),
    ],
)
def test_what_was_made_to_harm_is_refused(name, make, why):
    with pytest.raises(TableError, match=why):
        open_apart(BytesIO(make()), name)


def test_what_a_zip_declares_counts_and_not_what_it_takes_packed():
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(10**7))
    size = len(out.getvalue())
    assert size < 10**5 and module._declared(out, size) == 10**7
    assert module._declared(BytesIO(b"no zip"), 6) == 6
