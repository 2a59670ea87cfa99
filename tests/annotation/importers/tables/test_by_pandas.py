import json
import sys
from io import BytesIO

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.tables import TableError, open_book
from annotation.importers.tables.books import Coded
from annotation.importers.tables.by_pandas import open_parquet, plain_cell
from annotation.importers.tables.tools.common.arrow import open_arrow
from tests.annotation.importers.tables.messy import opened

VALUES = st.none() | st.integers(-(10**9), 10**9) | st.text(max_size=9)


@given(st.lists(st.fixed_dictionaries({"a": VALUES, "b": VALUES}), min_size=1, max_size=5))
def test_json_is_read_as_it_stands(records):
    found = open_book(BytesIO(json.dumps(records).encode()), "a.json")
    (_, names), *rows = found.rows("")
    read = [(at, dict(zip(map(str, names), cells, strict=True))) for at, cells in rows]
    assert read == list(enumerate(records, 1))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.json", b'{"a": 1}', "no list of objects"),
        ("a.json", b'[{"a": 1},', "not JSON"),
        ("a.json", b"[" * 100_000, "truncated or damaged"),
        ("a.parquet", b"PAR1" + bytes(100), "truncated or damaged"),
        ("a.dta", b"<stata_dta>" + bytes(100), "truncated or damaged"),
        ("a.sav", b"$FL2" + bytes(100), "truncated or damaged"),
        ("a.parquet", b"a,b\n", "no .parquet file"),
        ("a.jsonl", b'{"a": 1}\n[2]\n', "not a JSON object"),
        ("a.csv", b"", "empty"),
    ],
)
def test_what_is_broken_is_told(name, data, why):
    with pytest.raises(TableError, match=why):
        found = open_book(BytesIO(data), name)
        list(found.rows(found.sheets[0]))


def test_labelled_numbers_keep_both():
    rows = list(opened("survey.sav").rows(""))
    assert rows[0][1][4] == "시스템" and rows[1][1][4] == Coded(1.0, "alpha")
    out = BytesIO()
    frame = pandas.DataFrame({"s": pandas.Categorical(["x", "y", "x"])})
    frame.to_stata(out, write_index=False)
    found = open_book(BytesIO(out.getvalue()), "s.dta")
    assert [cells[0] for _, cells in found.rows("")][1:] == [
        Coded(0.0, "x"),
        Coded(1.0, "y"),
        Coded(0.0, "x"),
    ]


def test_missing_values_of_all_kinds_are_empty():
    assert [plain_cell(one) for one in (None, float("nan"), pandas.NaT, pandas.NA)] == [None] * 4
    assert plain_cell(3.0) == 3 and plain_cell([1, "ä"]) == '[1, "ä"]'


def test_too_many_rows_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr("annotation.importers.tables.by_pandas.MOST_ROWS", 3)
    for name in ("frame.parquet", "survey.sav", "records.json"):
        with pytest.raises(TableError, match="rows"):
            found = opened(name)
            list(found.rows(found.sheets[0]))


@pytest.mark.parametrize("open_it", [open_parquet, open_arrow])
def test_parquet_without_its_extra_is_refused_with_the_line_that_installs_it(open_it, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TableError, match="extra parquet is not installed: run make install-extras"):
        open_it(BytesIO(b"PAR1"), "a.parquet")
