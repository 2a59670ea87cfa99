import json
from io import BytesIO

import pytest

from annotation.importers.tables import ColumnMap, TableError, inspect_book, open_book
from annotation.importers.tables.inspecting import inspection_lines
from tests.annotation.importers.tables.messy import opened
from tests.annotation.importers.tables.writing import book


def test_the_best_sheet_its_head_and_the_mapping():
    workbook = opened("notes first.xlsx")
    found = inspect_book(workbook)
    data = json.loads(json.dumps(found.to_json()))
    assert data["sheets"] == [{"name": "Notizen", "rows": 1}, {"name": "Daten", "rows": 20}]
    assert ColumnMap.from_json(data["map"]) == found.mapping
    assert (found.mapping.sheet, found.mapping.head, found.missing) == ("Daten", (1,), [])
    assert inspection_lines(found)[2] == "* sheet Daten: 20 rows"
    assert inspect_book(workbook, sheet="Notizen").mapping.sheet == "Notizen"
    with pytest.raises(TableError, match="no sheet 'x'"):
        inspect_book(workbook, sheet="x")


def test_the_decimal_sign_of_numbers_written_as_text():
    found = inspect_book(opened("means.ods"))
    assert (found.what, found.mapping.decimal) == ("gold", ",")


def of_rows(*rows):
    return inspect_book(open_book(BytesIO(book({"S": rows})), "f.xlsx"))


def test_the_ledger_counts_what_is_read_and_says_of_how_many_rows():
    """One text has two references, the last has one; of a column nothing is read."""
    rows = [
        ["sentence", "paraphrase", "system", "reference 1", "reference 2", "seconds"],
        *([f"It gave way {n} times.", f"It broke {n}.", "S", f"a {n}", "b", 7] for n in "123"),
        ["The roof is new.", "New roof.", "T", "c", None, 8.5],
    ]
    ledger = of_rows(*rows).ledger
    assert (ledger.originals, ledger.systems, ledger.references) == (4, ("S", "T"), 2)
    assert ledger.of_rows is None and "rows" not in str(ledger.line)
    assert [name for name, _ in ledger.not_read] == ["seconds"]
    large = "sentence,paraphrase\n" + "".join(f"It broke {n}.,It gave way.\n" for n in range(3_000))
    seen = inspect_book(open_book(BytesIO(large.encode()), "large.csv"))
    n = seen.ledger.of_rows
    assert n and str(seen.ledger.line).startswith(f"in the first {n} rows: {n} originals")


def test_the_ledger_counts_the_references_of_all_rows_of_a_text():
    head = ["sentence", "paraphrase", "system", "reference 1", "reference 2"]
    first = ["It gave way twice.", "It broke.", "S", "It fell.", "It sank."]
    others = [["The roof is new.", "New roof.", name, "It is new.", None] for name in "ST"]
    last = ["It gave way twice.", "It went.", "T", "It fell.", None]
    assert of_rows(head, first, *others, last).ledger.references == 2


def test_the_ledger_names_who_judged_and_nobody_else():
    texts = [[f"It gave way {n} times.", f"It broke {n}."] for n in "123"]
    rows = [[*text, who, 3] for text in texts for who in ("ann", "ben")]
    rows += [[*text, "cho", None] for text in texts]
    head = ["sentence", "paraphrase", "annotator", "MEANING"]
    workbook = open_book(BytesIO(book({"S": [head, *rows]})), "f.xlsx")
    ledger = inspect_book(workbook, what="judgments", scales=("MEANING",)).ledger
    assert ledger.annotators == ("ann", "ben")


def test_sentences_that_stand_once_are_filled_down_and_a_head_alone_is_no_table():
    head = ["sentence", "paraphrase"]
    found = of_rows(head, ["It gave way.", "a"], [None, "b"], [None, "c"])
    assert found.mapping.fill_down
    with pytest.raises(TableError, match="no records"):
        of_rows(head)
