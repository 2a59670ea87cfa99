"""Files of lists are read line by line, with every problem."""

import pytest

from annotation.importers.columns import Place
from annotation.importers.gold import read_lists
from tests.annotation.importers.reading import check_first


def read(tmp_path, text):
    path = tmp_path / "lists.csv"
    path.write_text(text, encoding="utf-8")
    with path.open("rb") as stream:
        return read_lists(stream, name="lists.csv")


def test_items_are_named_by_id_or_by_text(tmp_path):
    text = 'annotator,list,item,phrase,sentence,start\nA01,,7,,,\n,late,,cat,"a cat, a cat",9\n'
    found = read(tmp_path, text)
    assert found.ok
    first, second = found.rows
    assert (first.whose, first.item, first.place, first.line) == (("A01", ""), "7", None, 2)
    assert second.whose == ("", "late")
    assert second.place == Place("cat", "a cat, a cat", 9, 12)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("A01,,,", "give the item"),
        (",,7,", "code or"),
        ("A01,late,7,", "code or"),
        ("A01,,7,\nA01,,7,", "in line 2 too"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, row, said):
    found = read(tmp_path, f"annotator,list,item,sentence\n{row}\n")
    check_first(found, 1 + len(row.split("\n")), said)
