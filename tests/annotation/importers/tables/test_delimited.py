from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.tables.books import TableError
from annotation.importers.tables.opening import DELIMITERS, open_delimited

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
