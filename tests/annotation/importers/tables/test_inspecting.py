import json
from io import BytesIO

import pytest

from annotation.importers.tables import ColumnMap, TableError, inspect_book, open_book
from annotation.importers.tables.inspecting import told
from tests.annotation.importers.tables.messy import opened
from tests.annotation.importers.tables.writing import book


def test_the_best_sheet_its_head_and_the_mapping():
    workbook = opened("notes first.xlsx")
    found = inspect_book(workbook)
    data = json.loads(json.dumps(found.to_json()))
    assert data["sheets"] == [{"name": "Notizen", "rows": 1}, {"name": "Daten", "rows": 20}]
    assert ColumnMap.from_json(data["map"]) == found.mapping
    assert (found.mapping.sheet, found.mapping.head, found.missing) == ("Daten", (1,), [])
    assert told(found)[2] == "* sheet Daten: 20 rows"
    assert inspect_book(workbook, sheet="Notizen").mapping.sheet == "Notizen"
    with pytest.raises(TableError, match="no sheet 'x'"):
        inspect_book(workbook, sheet="x")


def test_the_decimal_sign_of_numbers_written_as_text():
    found = inspect_book(opened("means.ods"))
    assert (found.what, found.mapping.decimal) == ("gold", ",")


def of_rows(*rows):
    return inspect_book(open_book(BytesIO(book({"S": rows})), "f.xlsx"))


def test_sentences_that_stand_once_are_filled_down_and_a_head_alone_is_no_table():
    head = ["sentence", "paraphrase"]
    found = of_rows(head, ["It gave way.", "a"], [None, "b"], [None, "c"])
    assert found.mapping.fill_down
    with pytest.raises(TableError, match="no records"):
        of_rows(head)
