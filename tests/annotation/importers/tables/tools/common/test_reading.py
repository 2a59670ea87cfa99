from annotation.importers.tables.books import Book, TableError
from annotation.importers.tables.tools.common.reading import flat, leaves, names_of, records_of


def book(rows):
    return Book("f", "csv", ("",), lambda _: iter(rows))


def test_records():
    rows = [(1, ["a", "b", None]), (2, ['{"c": 1}', "x", "lost"]), (3, ["[1", "", 5])]
    assert names_of(book(rows), "") == {"a", "b"}
    assert list(records_of(book(rows), "")) == [(2, {"a": {"c": 1}, "b": "x"}), (3, {"a": "[1"})]
    assert names_of(book([]), "") == set() and list(records_of(book([]), "")) == []


def test_a_sheet_that_cannot_be_read_has_no_names():
    def rows(_):
        raise TableError("x")
        yield

    assert names_of(Book("f", "zip", ("",), rows), "") == set()


def test_nested_values():
    value = {"a": {"b": 1, "c": [2, {"d": 3}]}, "e": ["x"], "f": [], "g": {"b": 4}}
    assert flat(value) == {"a.b": 1, "a.c.1": 2, "a.c.2.d": 3, "e": "x", "f": None, "g.b": 4}
    assert leaves(value) == {"a.b": 1, "a.c.1": 2, "d": 3, "e": "x", "f": None, "g.b": 4}
    assert flat(None) == {}
