"""Which files are large: by rows, whatever their line ends and quotes."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importing import jobs
from annotation.importing.jobs import is_large, lines_of


@pytest.fixture(autouse=True, scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "AT_ONCE", 10)
        patch.setattr(jobs, "AT_ONCE_BYTES", 2000)
        yield


cells = st.sampled_from(["a", "two\nlines", "", 'a "quote"', "comma, too"])


@given(st.integers(0, 14), cells, st.sampled_from(["\n", "\r\n", "\r"]))
def test_rows_are_counted_and_not_their_lines(n, cell, end):
    quoted = '"' + cell.replace('"', '""') + '"'
    data = end.join(["sentence,x", *[f"{quoted},1"] * n, ""]).encode()
    stream = io.BytesIO(data)
    assert is_large(stream=stream, name="a.csv", format=None) is (n > 10)
    assert stream.tell() == 0 and lines_of(stream) == data.count(b"\n")


@given(st.integers(0, 14))
def test_lines_of_json_are_rows(n):
    stream = io.BytesIO(b'{"a": 1}\n\n' * n)
    for name, format in (("a.jsonl", None), ("a.txt", "jsonl"), ("a.txt", "ccb")):
        assert is_large(stream=stream, name=name, format=format) is (2 * n > 10 and n > 5)


def test_long_texts_and_broken_quotes_are_large_by_what_they_are():
    long = io.BytesIO(b"sentence\n" + b"x" * 2000)
    assert is_large(stream=long, name="a.csv", format=None)
    broken = b'sentence\n"a" b\n'
    assert not is_large(stream=io.BytesIO(broken), name="a.csv", format=None)
    assert is_large(stream=io.BytesIO(broken + b"c\n" * 10), name="a.csv", format=None)
