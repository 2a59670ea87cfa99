"""Tables, looked at: sheets, ledger, and the repairs that a person chooses."""

import json
from io import BytesIO

import pytest

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, TableError, inspect_book, open_book
from annotation.importers.tables.inspecting import inspection_lines
from annotation.importers.tables.steps import told_step
from tests.annotation.messy import opened
from tests.annotation.spreadsheets import book
from tests.data.tables import tables


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


RANGES = {"MEANING": (1.0, 5.0)}
TEXTS = (
    ("The old bridge gave way.", "A bridge collapsed."),
    ("They look into it.", "They check it."),
)


def look(data, what, **options):
    seen = inspect_book(
        open_book(BytesIO(data), "f.xlsx"), what=what, scales=("MEANING",), ranges=RANGES, **options
    )
    return seen, {str(one.label): one.step for one in seen.offers_for(seen.mapping)}


def rows_of(data, seen):
    mapping = ColumnMap.from_json(seen.mapping.sure().to_json())
    read = {"items": read_items, "judgments": read_judgments}[mapping.what]
    parsed = read(MappedTable(BytesIO(data), "f.xlsx", mapping), name="f.xlsx")
    assert parsed.ok, parsed.problems
    return parsed.rows


def test_values_beyond_a_scale_are_read_to_its_range_if_somebody_says_so():
    head = ["source", "paraphrase", "rater", "MEANING"]
    values = iter((0, "62,5", 100, 25))
    rows = [[*pair, who, next(values)] for pair in TEXTS for who in ("ann", "ben")]
    data = book({"S": [head, *rows]})
    seen, offered = look(data, "judgments")
    assert len(seen.questions) == 1
    step = offered["Read values from 0 to 100 as points from 1 to 5"]
    assert str(told_step(step, {"D": "MEANING"})) == (
        "values of MEANING from 0 to 100 read as points from 1 to 5"
    )
    seen, _ = look(data, "judgments", steps=[step])
    assert not seen.mapping.waits()  # Values between points are none of several people's.
    assert [row.value for row in rows_of(data, seen)] == [1, 3.5, 5, 2]


def test_values_are_put_beside_their_texts_in_the_way_that_somebody_chooses():
    """Nothing says whether C, D are both of the first text: each way is offered."""
    head = ["source", "BART", "T5", "q1", "q2", "q3", "q4", "rater"]
    rows = [[one, new, f"{new[:-1]}!", 1, 2, 3, 4, "ann"] for one, new in TEXTS]
    data = book({"S": [head, *rows]})
    _, offered = look(data, "items")
    labels = [label for label in offered if label.startswith("Put texts and their values")]
    assert {label.partition("(")[2] for label in labels} == {
        "BART: D, E; T5: F, G)",
        "BART: D, F; T5: E, G)",
    }
    step = next(offered[label] for label in labels if "BART: D, F" in label)
    seen, _ = look(data, "judgments", steps=[step])
    assert seen.mapping.waits(named=True)  # Nobody said what the numbers are.
    names = {one.name: one.column for one in seen.columns}
    chosen = seen.mapping.with_roles(
        {names[step["into"][1]]: ("value_of", "MEANING"), names[step["into"][2]]: ("ignore", "")}
    )
    mapping = ColumnMap.from_json(chosen.sure().to_json())
    parsed = read_judgments(MappedTable(BytesIO(data), "f.xlsx", mapping), name="f.xlsx")
    assert [(row.target.paraphrase[-1], row.value) for row in parsed.rows] == [
        (".", 1),
        ("!", 2),
    ] * 2


def test_sheets_that_are_alike_are_read_as_one_table():
    one = tables("strangers")["en_sheet_each_system"]
    seen, _ = look(one.data, "items", sheet="*")
    assert [sheet.name for sheet in seen.sheets][-1] == "*" and not seen.asks
    systems = {row.system for row in rows_of(one.data, seen)}
    assert systems == set(seen.mapping.sheets) == {sheet.name for sheet in seen.sheets[:-1]}
    one = tables("strangers")["en_sheet_each_annotator"]
    seen, _ = look(one.data, "judgments", sheet="*")
    assert {row.annotator for row in rows_of(one.data, seen)} == {"Anna", "Ben"}
