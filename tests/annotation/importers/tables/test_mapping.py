"""Mappings: read, refused, and tables read by them."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.gold import read_gold
from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import MappedTable
from annotation.importers.tables.books import letters
from annotation.importers.tables.mapping import (
    FIXED,
    IGNORE,
    KINDS,
    MANY,
    OF,
    ROLES_OF_KIND,
    ColumnMap,
    MapColumn,
    MapError,
)
from tests.annotation.spreadsheets import book

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).map(
    lambda text: text.strip() or "x"
)


@st.composite
def maps(draw):
    what = draw(st.sampled_from(KINDS))
    roles = draw(st.lists(st.sampled_from((*ROLES_OF_KIND[what], IGNORE)), min_size=1, max_size=8))
    once = [role for at, role in enumerate(roles) if role in MANY or role not in roles[:at]]
    columns = tuple(
        MapColumn(letters(at), draw(TEXTS), role, f"{draw(TEXTS)}{at}" if role in OF else "")
        for at, role in enumerate(once)
    )
    return ColumnMap(
        what,
        columns,
        tuple(sorted(draw(st.sets(st.integers(0, 9), max_size=2)))),
        draw(TEXTS),
        draw(st.sampled_from([None, "utf-8", "cp949"])),
        draw(st.sampled_from([None, ";", "\t"])),
        draw(st.sampled_from([".", ","])),
        {role: draw(TEXTS) for role in FIXED[what] if draw(st.booleans())},
        *(draw(st.booleans()) for _ in range(4)),
    )


@given(maps())
def test_a_mapping_comes_back_from_its_file(mapping):
    assert ColumnMap.from_json(mapping.to_json()) == mapping


GOOD = {"what": "items", "columns": [{"column": "A", "name": "Satz", "role": "sentence"}]}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"what": "verses"}, "items, judgments, gold"),
        ({"shet": "x"}, "did you mean 'sheet'"),
        ({"version": 2}, "another version"),
        ({"columns": [{"column": "A", "role": "sentense"}]}, "did you mean 'sentence'"),
        ({"columns": [{"column": "A", "role": "value_of", "of": "M"}]}, "none of item"),
        ({"columns": [{"column": "A", "role": "output_of"}]}, 'needs "of"'),
        ({"columns": [{"column": "1", "role": "item"}]}, "no column"),
        (
            {"columns": [{"column": "A", "role": "item"}, {"column": "B", "role": "item"}]},
            "same role item",
        ),
        ({"columns": []}, "list of 1"),
        ({"columns": [{"column": "A", "rolle": "item"}]}, "did you mean 'role'"),
        ({"head": [3, 1]}, "in order"),
        ({"head": 1}, "up to three rows"),
        ({"words": {"": {"good": "4"}}}, "no number"),
        ({"steps": [{}]}, "name of a step"),
        ({"ask": "x"}, "list of sentences"),
        ({"encoding": "klingon"}, "not known"),
        ({"encoding": "rot13"}, "not known"),
        ({"delimiter": "::"}, "single character"),
        ({"decimal": ";"}, "decimal"),
        ({"fixed": {"phrase": "x"}}, "none of system"),
        ({"any_case": "yes"}, "any_case"),
    ],
)
def test_a_wrong_mapping_is_told(change, why):
    with pytest.raises(MapError, match=why):
        ColumnMap.from_json({**GOOD, **change})


def test_what_is_missing_is_told():
    alone = ColumnMap.from_json({"what": "judgments", "columns": [{"column": "A"}]})
    assert len(alone.missing()) == 3
    assert ColumnMap.from_json(GOOD).missing() == []
    with pytest.raises(MapError):
        ColumnMap.from_json([])


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


@pytest.mark.slow
def test_options_correct_what_people_write():
    rows = [
        ["s", "p", "t"],
        ["As a rule, it rains.", "as a rule", "mostly"],
        ["He said he said no.", "he said", "he told"],
        ["No text here.", "text", None],
    ]
    parsed = read_items(mapped(rows, TEXT), name="t.xlsx")
    assert told(parsed) == [
        "t.xlsx:2: column 'p (B)': 'as a rule' occurs only in different case in the sentence: "
        "correct one of the two"
    ]
    parsed = read_items(mapped(rows, TEXT, any_case=True, skip_incomplete=True), name="t.xlsx")
    assert [row.phrase for row in parsed.rows] == ["As a rule", "he said"]
    assert told(parsed) == ["t.xlsx:4: warning: the row is not complete: left out"]
    twice = [["s", "p", "t"], ["he said he said no.", "he said", "he told"]]
    assert "2 times" in told(read_items(mapped(twice, TEXT), name="t.xlsx"))[0]
    parsed = read_items(mapped(twice, TEXT, first_place=True), name="t.xlsx")
    assert (parsed.rows[0].start, parsed.ok) == (0, True)
