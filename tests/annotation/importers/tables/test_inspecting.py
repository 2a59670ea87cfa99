from __future__ import annotations

import json
from io import BytesIO

import pytest

from annotation.importers.tables import ColumnMap, TableError, inspect_book, open_book
from annotation.importers.tables.inspecting import told
from tests.annotation.importers.tables.messy import FILES
from tests.annotation.importers.tables.writing import book


def test_the_best_sheet_its_head_and_the_mapping() -> None:
    opened = open_book(BytesIO(FILES["notes first.xlsx"].make()), "n.xlsx")
    found = inspect_book(opened)
    data = json.loads(json.dumps(found.to_json()))
    assert data["sheets"] == [{"name": "Notizen", "rows": 1}, {"name": "Daten", "rows": 20}]
    assert ColumnMap.from_json(data["map"]) == found.mapping
    assert (found.mapping.sheet, found.mapping.head, found.missing) == ("Daten", (1,), [])
    assert told(found)[2] == "* sheet Daten: 20 rows"
    assert inspect_book(opened, sheet="Notizen").mapping.sheet == "Notizen"
    with pytest.raises(TableError, match="no sheet 'x'"):
        inspect_book(opened, sheet="x")


def test_the_decimal_sign_of_numbers_written_as_text() -> None:
    found = inspect_book(open_book(BytesIO(FILES["means.ods"].make()), "m.ods"))
    assert (found.what, found.mapping.decimal) == ("gold", ",")


def test_sentences_that_stand_once_are_filled_down() -> None:
    rows = [["sentence", "paraphrase"], ["It gave way.", "a"], [None, "b"], [None, "c"]]
    found = inspect_book(open_book(BytesIO(book({"S": rows})), "f.xlsx"))
    assert found.mapping.fill_down


def test_a_head_alone_is_no_table() -> None:
    with pytest.raises(TableError, match="no records"):
        inspect_book(open_book(BytesIO(book({"S": [["sentence", "paraphrase"]]})), "e.xlsx"))
