"""Excel files: read back by another program, the same texts and numbers, and never a formula."""

import io
import zipfile
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from annotation.exporters.columns import Column
from annotation.exporters.writers import ExcelError, write_excel, write_rows

COLUMNS = (
    Column("text"),
    Column("n", "integer"),
    Column("x", "number"),
    Column("when", "time"),
    Column("ok", "flag"),
    Column("more", "json"),
    Column("all", "list"),
)
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=40
)


def read(data):
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)
    return [list(row) for row in sheet.to_python(skip_empty_area=False)]


def test_kinds_of_cells():
    out = io.BytesIO()
    row = {
        "text": '=HYPERLINK("http://x")',
        "n": 10**17,
        "x": 0.5,
        "when": datetime(2024, 5, 4, tzinfo=UTC),
        "ok": True,
        "more": {"a": [1]},
        "all": ["p", "q"],
    }
    assert write_rows([row, {"n": 3}], out, COLUMNS, format="xlsx") == 2
    assert read(out.getvalue()) == [
        [column.name for column in COLUMNS],
        [
            '=HYPERLINK("http://x")',
            str(10**17),
            0.5,
            "2024-05-04T00:00:00+00:00",
            True,
            '{"a":[1]}',
            "p|q",
        ],
        ["", 3, *[""] * 5],
    ]
    sheet = zipfile.ZipFile(io.BytesIO(out.getvalue())).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet


@settings(max_examples=20)
@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_texts_come_back(texts):
    out = io.BytesIO()
    write_excel([{"text": text} for text in texts], out, COLUMNS[:1])
    assert [row[0] for row in read(out.getvalue())[1:]] == texts


def test_what_a_sheet_cannot_hold_is_refused(monkeypatch):
    with pytest.raises(ExcelError, match="row 2, column text: an Excel cell holds at most"):
        write_excel([{"text": "x" * 32_768}], io.BytesIO(), COLUMNS)
    monkeypatch.setattr("annotation.exporters.writers.MOST_ROWS", 1)
    with pytest.raises(ExcelError, match="at most 1 rows"):
        write_excel([{}, {}], io.BytesIO(), COLUMNS)
