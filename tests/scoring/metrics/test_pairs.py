"""Reading a file of pairs: columns id, original, paraphrase, reference, reference_2, ..."""

import csv
import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.cells import escape
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
    head = ("id", "original", "paraphrase", "reference")
    rows = [(1, "=a b", "a\tc", "a b c"), ("x", "\u1112\u1161", None, " ")]
    more = {"n": [1], "reference_2": None}
    lines = [json.dumps(dict(zip(head, row, strict=True)) | more) for row in rows]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines) + "\n")
    for name, delimiter in (("pairs.csv", ","), ("pairs.tsv", "\t")):
        with (tmp_path / name).open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter=delimiter)
            writer.writerow(head)
            writer.writerows([[escape(str(cell or "")) for cell in row] for row in rows])
    files = [read_pairs(path) for path in sorted(tmp_path.iterdir())]
    assert files[0] == files[1] == files[2]
    assert files[0].problems == () and files[0].ids == ("1", "x")
    assert [pair.references for pair in files[0].pairs] == [("a b c",), ()]
    assert [pair.original for pair in files[0].pairs] == ["=a b", "\ud558"]
    assert files[0].pairs[1].paraphrase == ""
