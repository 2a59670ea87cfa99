"""Reading a file of pairs: columns id, original, paraphrase, reference, reference_2, ..."""

from __future__ import annotations

import csv
import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from paraanno.plain.formulas import escape
from scoring.metrics import Pair
from scoring.metrics.pairs import read_pairs, with_groups


def test_a_group_holds_each_distinct_paraphrase_once():
    pairs = with_groups([Pair("x", "b"), Pair("y", "b"), Pair("x", "a"), Pair("x", "b")])
    assert [pair.group for pair in pairs] == [("a", "b"), ("b",), ("a", "b"), ("a", "b")]


def test_tab_separated_and_byte_order_mark(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffid\toriginal\tparaphrase\r\na\tx, y\tz\r\n".encode())
    file = read_pairs(path)
    assert file.problems == ()
    assert (file.pairs[0].original, file.pairs[0].paraphrase) == ("x, y", "z")


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"])))
def test_any_text_comes_back_from_a_guarded_cell(tmp_path_factory, text):
    text = unicodedata.normalize("NFC", text)
    path = tmp_path_factory.mktemp("pairs") / "pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "original", "paraphrase"])
        writer.writerow(["1", "x", escape(text)])
    file = read_pairs(path)
    assert file.problems == ()
    assert file.pairs[0].paraphrase == text


def test_json_lines_and_tables_mean_the_same(tmp_path):
    rows = [
        {
            "id": 1,
            "original": "=a b",
            "paraphrase": "a\tc",
            "reference": "a b c",
            "reference_2": None,
        },
        {"id": "x", "original": "\u1112\u1161", "paraphrase": None, "reference": " ", "n": [1],
         "reference_2": None},
    ]  # fmt: skip
    lines = tmp_path / "pairs.jsonl"
    lines.write_text("\n".join(map(json.dumps, rows)) + "\n")
    files = [read_pairs(lines)]
    for name, delimiter in (("pairs.csv", ","), ("pairs.tsv", "\t")):
        with (tmp_path / name).open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter=delimiter)
            writer.writerow(["id", "original", "paraphrase", "reference"])
            for row in rows:
                cells = [row[key] for key in ("id", "original", "paraphrase", "reference")]
                writer.writerow(["" if cell is None else escape(str(cell)) for cell in cells])
        files.append(read_pairs(tmp_path / name))
    assert files[0] == files[1] == files[2]
    assert files[0].problems == () and files[0].ids == ("1", "x")
    assert [pair.references for pair in files[0].pairs] == [("a b c",), ()]
    assert [pair.original for pair in files[0].pairs] == ["=a b", "\ud558"]
    assert files[0].pairs[1].paraphrase == ""
