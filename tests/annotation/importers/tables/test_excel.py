from datetime import date
from io import BytesIO

from annotation.importers.tables import open_book
from annotation.importers.tables.books import NoValue
from tests.annotation.importers.tables.messy import opened
from tests.annotation.importers.tables.writing import book


def test_cells_keep_their_kind_and_rows_their_number():
    cells = [1, 2.5, True, date(2024, 5, 4), "x"]
    found = open_book(BytesIO(book({"S": [["a"], [], [None, *cells]]})), "a.xlsx")
    line, read = list(found.rows("S"))[1]
    assert line == 3 and [cell for cell in read if cell not in (None, "")] == cells


def test_formulas_without_a_value_are_told_and_others_are_read():
    _, cells = list(opened("formulas.xlsx").rows("Sheet1"))[1]
    assert isinstance(cells[2], NoValue) and cells[3] == "came to a standstill"


def test_cells_merged_over_rows_hold_the_first_everywhere():
    sentences = [cells[0] for _, cells in opened("merged down.xlsx").rows("Tabelle1")]
    assert sentences[1] == sentences[2] == sentences[3] != sentences[4]
