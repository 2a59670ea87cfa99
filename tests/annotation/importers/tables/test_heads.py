from annotation.importers.tables.books import Book
from annotation.importers.tables.heads import find_head


def book(rows):
    return Book("a.xlsx", "xlsx", ("S",), lambda _: iter(rows))


DATA = (9, ["The bridge gave way last winter.", "gave way", 3])


def test_somebody_says_where_the_head_is():
    rows = [(2, ["A text. Yes.", "a", "b"]), DATA]
    head = find_head(book(rows), rows, (2,))
    assert (head.rows, head.names) == ((2,), ("A text. Yes.", "a", "b"))
    assert find_head(book(rows), rows, ()).names == ()
