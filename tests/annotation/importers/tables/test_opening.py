"""Files are known by what they hold, and read by what they are."""

import codecs
import json
import sys
from datetime import date
from io import BytesIO

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.tables import TableError, is_book, open_book
from annotation.importers.tables.books import (
    Coded,
    NoValue,
    is_empty,
    letters,
    place_of,
)
from annotation.importers.tables.by_pandas import open_parquet, plain_cell
from annotation.importers.tables.opening import DELIMITERS, encoding_of, is_ours, open_delimited
from annotation.importers.tables.tools.common.zipped import open_arrow
from tests.annotation.messy import FILES, opened
from tests.annotation.spreadsheets import book

KINDS = {
    "capitals.csv": "csv",
    "Excel Unicode.txt": "tsv",
    "notes first.xlsx": "xlsx",
    "empty rows.ods": "ods",
    "frame.parquet": "parquet",
    "panel.dta": "dta",
    "survey.sav": "sav",
    "records.json": "json",
    "lines.jsonl": "jsonl",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_known_by_what_it_holds(name):
    assert opened(name).kind == KINDS[name]
    if name not in ("lines.jsonl", "capitals.csv", "Excel Unicode.txt"):
        renamed = open_book(BytesIO(FILES[name].make()), "renamed.dat")
        assert renamed.kind in (KINDS[name], "csv")


def test_bounds_of_the_file(monkeypatch):
    monkeypatch.setattr("annotation.importers.tables.opening.MOST_BYTES", 1000)
    with pytest.raises(TableError, match="save it as CSV"):
        opened("notes first.xlsx")
    assert opened("capitals.csv").kind == "csv"
    assert is_book("A.XLSX") and not is_book("a.csv")


@pytest.mark.parametrize(
    ("name", "data", "ours"),
    [
        ("a.csv", b"phrase,sentence,attr.x\n", True),
        ("a.csv", b"\xef\xbb\xbfitem,paraphrase,MEANING,MEANING_sd\n", True),
        ("a.csv", b"item,paraphrase,annotator,scale,value\n", True),
        ("a.csv", b"item,paraphrase,STYLE\n", False),
        ("a.csv", b"phrase;sentence\n", False),
        ("a.tsv", b"phrase\tsentence\n", True),
        ("a.csv", b"Sentence,Phrase\n", False),
        ("a.jsonl", b'\n{"phrase": "a", "sentence": "b"}\n', True),
        ("a.jsonl", b'{"text": "a"}\n', False),
        ("a.jsonl", b"{broken\n", True),  # Told of by the reader of our files.
        ("a.txt", b"phrase,sentence\n", False),
        ("a.csv", b"", False),
    ],
)
def test_a_file_with_our_columns_is_ours(name, data, ours):
    assert is_ours(BytesIO(data), name, ["MEANING"]) is ours


GERMAN = FILES["Übersicht;Komma.csv"].make().decode("cp1252")
FRENCH = FILES["français.csv"].make().decode("cp1252")
KOREAN = FILES["한글.csv"].make().decode("cp949")
JAPANESE = (
    "文,言い換え\n委員会は金曜日に止まった。,進まなかった\n彼女は疑いを隠さなかった。,認めた\n"
)
CHINESE = "句子,改写\n委员会星期五陷入了僵局。,停滞不前\n她没有隐瞒自己的怀疑。,坦白\n"
RUSSIAN = "Комитет зашёл в тупик в пятницу.\nОна не скрывала своих сомнений.\n" * 3


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (KOREAN, "cp949"),
        (KOREAN, "utf-8"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "cp1251"),
        ("plain\n" * 5, "utf-8"),
    ],
)
def test_a_file_is_read_in_the_encoding_that_it_was_written_in(text, encoding):
    data = text.encode(encoding)
    assert data.decode(encoding_of(BytesIO(data))) == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_the_encoding_are_believed(encoding):
    data = "é;ü\n".encode(encoding)
    assert codecs.lookup(encoding_of(BytesIO(data))).name in encoding


def test_some_broken_bytes_do_not_make_another_encoding():
    data = (GERMAN * 5).encode() + b"M\xfcde\n"
    assert encoding_of(BytesIO(data)) == "utf-8"


@given(st.integers(0, 16_000))
def test_letters_of_a_column_lead_back_to_it(column):
    assert place_of(letters(column)) == column
    assert place_of(letters(column).lower()) == column


def test_letters_as_spreadsheets_have_them():
    assert [letters(at) for at in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert [place_of(text) for text in ("", "ABCD", "Ä", "A1")] == [None] * 4
    assert is_empty(" \t") and is_empty(None) and not is_empty(0)


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


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6),
    st.sampled_from(DELIMITERS),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16"]),
)
def test_what_was_written_is_read(rows, mark, encoding):
    quoted = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows]
    data = "".join(mark.join(row) + "\r\n" for row in quoted).encode(encoding)
    opened = open_delimited(BytesIO(data), "a.csv", encoding=encoding, delimiter=mark)
    kept = [(at, row) for at, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    assert [(line, list(cells)) for line, cells in opened.rows("")] == kept


@pytest.mark.parametrize(
    ("text", "cells"), [('"No," he said.', '"No," he said.'), ('"No, he said."', "No, he said.")]
)
def test_quotation_marks_beside_tabs_are_signs_of_the_text_where_they_enclose_no_cell(text, cells):
    data = f"a\tb\n{text}\t1\n".encode()
    assert list(open_book(BytesIO(data), "t.tsv").rows(""))[1][1] == [cells, "1"]


@pytest.mark.parametrize("mark", DELIMITERS)
def test_the_delimiter_is_the_one_that_makes_equal_rows(mark):
    rows = [["a, b", "c; d", "3,5"], ["e, f", "g", "4,5"], ["h", "i; j", "1,0"]]
    data = "".join(mark.join(f'"{cell}"' for cell in row) + "\n" for row in rows).encode()
    found = open_delimited(BytesIO(data), "a.txt")
    assert (found.delimiter, found.decimal) == (mark, ",")


@pytest.mark.parametrize(
    ("data", "line", "why"),
    [
        (b"a,b\nx,\0y\n", 2, "NUL"),
        ("a,b\né,è\nç,à\nü,x\n".encode() + b"\xff,y\n", 5, "not UTF-8"),
        (b'a,b\n"x,y\n', 2, "not closed"),
        ("a,b\nx,y\n".encode("utf-16")[:-1], 2, "not utf-16, or the file was cut there"),
        ("a,b\nx,y\n".encode("utf-32")[:-2], 2, "not utf-32, or the file was cut there"),
        ("\ufeffa,b\n".encode("utf-16-le") + b"\x00\xd8a\x00" * 4, 1, "not utf-16"),
        ((b"a\x00,\x00b\x00\n\x00" * 40_000)[:-1], 40_000, "not utf-16-le, or the file was cut"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(data, line, why):
    with pytest.raises(TableError, match=why) as told:
        list(open_delimited(BytesIO(data), "a.csv", delimiter=",").rows(""))
    assert told.value.line == line


@pytest.mark.parametrize(
    "encoding", ["nonsense", "zlib", "rot13", "punycode", "idna", "undefined", "a\0b", "utf-7"]
)
def test_whatever_encoding_is_named_it_is_read_or_refused(encoding):
    data = "é,b\nx,y\n".encode() + b"\xff+A-\\ud800"
    with pytest.raises(TableError, match="not known|not UTF-8|the rest of the file is not"):
        list(open_delimited(BytesIO(data), "a.csv", encoding=encoding).rows(""))


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
