import pytest
from hypothesis import given
from hypothesis import strategies as st

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
