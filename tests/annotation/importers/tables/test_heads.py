import pytest

from annotation.importers.tables.books import Book
from annotation.importers.tables.heads import find_head
from tests.annotation.importers.tables.messy import opened


def book(rows):
    return Book("a.xlsx", "xlsx", ("S",), lambda _: iter(rows))


DATA = (9, ["The bridge gave way last winter.", "gave way", 3])


@pytest.mark.parametrize(
    ("rows", "found", "names"),
    [
        ([(1, ["a", "b", "c"]), DATA], (1,), ("a", "b", "c")),
        ([(1, ["Results of May"]), (4, ["a", "b", "c"]), DATA], (4,), ("a", "b", "c")),
        ([(1, ["a", "Group", None]), (2, [None, "x", "y"]), DATA], (1, 2), ("a", "x", "y")),
        ([(1, ["Whole text", "crit. expr.", "n"]), DATA], (1,), ("Whole text", "crit. expr.", "n")),
        ([DATA], (), ()),
        ([(1, ["a", "a", "c"]), DATA], (1,), ("a", "a", "c")),
    ],
)
def test_heads(rows, found, names):
    head = find_head(book(rows), rows)
    assert (head.rows, head.names) == (found, names)


def test_somebody_says_where_the_head_is():
    rows = [(2, ["A text. Yes.", "a", "b"]), DATA]
    head = find_head(book(rows), rows, (2,))
    assert (head.rows, head.names) == ((2,), ("A text. Yes.", "a", "b"))
    assert find_head(book(rows), rows, ()).names == ()


def test_groups_stand_over_their_columns():
    workbook = opened("Runde 1 (merged, wide).xlsx")
    rows = list(workbook.rows("Runde 1"))
    assert find_head(workbook, rows).groups[3:6] == ("Systeme",) * 3
