"""Repairs that a person chooses: each is a step of the mapping, and what is read after it."""

from io import BytesIO

from annotation.importers import read_items, read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.steps import told_step
from tests.annotation.importers.tables.writing import book
from tests.data.tables import tables

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
    assert [sheet.name for sheet in seen.sheets][-1] == "*"
    [column] = [each for each in seen.columns if each.name == "sheet"]
    assert column.guess.role == "system" and column.guess.ask
    systems = {row.system for row in rows_of(one.data, seen)}
    assert systems == set(seen.mapping.sheets) == {sheet.name for sheet in seen.sheets[:-1]}
    one = tables("strangers")["en_sheet_each_annotator"]
    seen, _ = look(one.data, "judgments", sheet="*")
    assert {row.annotator for row in rows_of(one.data, seen)} == {"Anna", "Ben"}
