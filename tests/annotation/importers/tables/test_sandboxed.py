"""Tables in the sandbox: the same rows as without it, and an end to files made to harm."""

import zipfile
from datetime import datetime
from io import BytesIO

import pytest

from annotation.importers.tables import TableError, open_apart, open_book
from annotation.importers.tables import sandboxed as module
from tests.annotation.importers.tables.messy import FILES
from tests.annotation.importers.tables.test_limits import changed, sheet
from tests.annotation.importers.tables.writing import book


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
