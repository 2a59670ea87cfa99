from io import BytesIO

import pytest

from annotation.importers import read_gold, read_items, read_judgments
from annotation.importers.tables import ColumnMap, MappedTable
from tests.annotation.importers.tables.writing import book


def mapped(rows, columns, what="items", **more):
    read = []
    for letter, name, role in zip("ABCDEFGH", rows[0], columns.values(), strict=False):
        role, of = (role, "") if isinstance(role, str) else role
        read.append({"column": letter, "name": name, "role": role, "of": of})
    mapping = ColumnMap.from_json({"what": what, "columns": read, **more})
    return MappedTable(BytesIO(book({"S": rows})), "t.xlsx", mapping)


def told(parsed):
    return [str(one) for one in parsed.problems]


BROKE = [["s", "p", "t"], ["It gave way.", "gave way", "broke"]]
TEXT = {"s": "sentence", "p": "phrase", "t": "paraphrase"}


def test_a_scale_that_the_campaign_lacks_is_told_once():
    columns = {"i": "item", "t": "paraphrase", "v": ("value_of", "STYLE")}
    rows = [["i", "t", "v"], [1, "x", 3], [2, "y", 4]]
    parsed = read_gold(mapped(rows, columns, "gold"), name="t.xlsx", scales=["MEANING"])
    assert len(parsed.problems) == 1 and "no scale 'STYLE'" in told(parsed)[0]


@pytest.mark.parametrize(
    ("more", "why"),
    [({"sheet": "T"}, "no sheet 'T'"), ({"head": [9]}, "there is no column 's'")],
)
def test_a_mapping_of_another_file_is_told(more, why):
    assert why in told(read_items(mapped(BROKE, TEXT, **more), name="t.xlsx"))[0]


def test_columns_are_found_by_their_names_in_another_order():
    table = mapped(BROKE, TEXT)
    turned = [[row[2], row[0], row[1]] for row in BROKE]
    other = MappedTable(BytesIO(book({"S": turned})), "u.xlsx", table.mapping)
    assert read_items(other, name="u.xlsx").rows == read_items(table, name="t.xlsx").rows


@pytest.mark.parametrize(
    ("what", "columns", "why"),
    [
        ("items", {"t": "paraphrase", "s": "system"}, "holds the sentence or the phrase"),
        ("judgments", {"t": "item", "s": "paraphrase"}, "holds the judgments"),
        ("gold", {"t": "item", "s": "paraphrase"}, "holds the values of a scale"),
    ],
)
def test_a_table_is_not_read_by_an_incomplete_mapping(what, columns, why):
    """Without values, judgments would be read as answers that were not given."""
    fixed = {"annotator": "A", "scale": "MEANING"} if what == "judgments" else {}
    table = mapped([["t", "s"], ["1", "x"], ["2", "y"]], columns, what, fixed=fixed)
    read = {"items": read_items, "judgments": read_judgments, "gold": read_gold}[what]
    parsed = read(table, name="t.xlsx", **({"scales": ["MEANING"]} if what == "gold" else {}))
    assert parsed.rows == ()
    assert told(parsed) == [f"t.xlsx:1: no column {why}: choose one"]
