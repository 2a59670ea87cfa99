"""Physical lines of a file, and what is wrong with their encoding."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common import texts
from paraanno.common.cells import Columns
from paraanno.common.records import json_records
from paraanno.common.texts import Lines, ProblemLog, has_bad_character
from tests.annotation.importers.reading import check_first, read_item_rows


def of(content):
    log = ProblemLog("f.csv")
    return Lines(io.BytesIO(content), log), log


@given(st.lists(st.sampled_from([b"a", "\u00fc\uac00".encode(), b"\r", b"\n", b"\r\n"])))
def test_lines_do_not_depend_on_where_a_block_ends(parts):
    content = b"".join(parts)
    whole = list(of(content)[0])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(texts, "_BLOCK", 1)
        read, log = of(content)
        assert list(read) == whole and "".join(whole) == content.decode()
    assert read.number == len(whole) and log.errors == 0


def test_lines_end_in_three_ways():
    lines = ["a\r", "b\r\n", "\r\n", "c\n", "d\r", "\r", "e"]
    assert list(of("".join(lines).encode())[0]) == lines


def test_a_bad_line_is_handed_on_and_its_flaw_told_once():
    read, log = of(b"good\nM\xfc\nx\0y\nlast\n")
    found = list(read)
    assert [has_bad_character(one) for one in found] == [False, True, True, False]
    assert read.flaw(1, 1) is None
    assert "the byte 0xFC (line 2, character 2) is not UTF-8" in str(read.flaw(2, 2))
    assert "NUL character (line 3, character 2)" in str(read.flaw(3, 4))
    assert read.flaw(3, 4) is None and log.errors == 0


# JSON Lines: an object on each line, and an error with its line for anything else.


def records(content, columns):
    """The records with their lines, and the problems."""
    log = ProblemLog("f.jsonl")
    found = json_records(Lines(io.BytesIO(content), log), log, columns)
    return [(one.line, one.values) for one in found], [str(one) for one in log.problems()]


def test_blank_lines_are_passed_over_and_a_null_is_an_empty_cell():
    content = b'\n{"a": 1, "b": null}\r\n  \n{" a ": [2], "b": "x"}\n'
    found, problems = records(content, Columns.of(("a",)))
    assert found == [(2, {"a": 1}), (4, {"a": [2], "b": "x"})] and problems == []


def test_a_line_with_an_error_gives_no_record_and_the_next_one_is_read():
    found, problems = records(b'{"a": 1\n{"b": 1}\n{"a": 2}\n', Columns.of(("a",)))
    assert found == [(3, {"a": 2})]
    assert [one.split(": ")[0] for one in problems] == ["f.jsonl:1", "f.jsonl:2"]
    assert "there is no column a" in problems[1]


def test_blank_lines_alone_are_an_error_where_columns_are_needed():
    assert "all lines are blank" in records(b"\n \n", Columns.of(("a",)))[1][0]
    [warned] = records(b"\n \n", Columns.of(()))[1]
    assert "warning: all lines are blank" in warned


@pytest.mark.parametrize(
    ("content", "line", "part"),
    [
        (b'{"sentence": "A"}\n[1]\n', 2, "not a JSON object"),
        (b'{"sentence": "A"\n', 1, "not JSON"),
        (b'{"sentence": "A", "sentence": "B"}\n', 1, "is there twice"),
        (b'{"sentence": "A", " sentence": "B"}\n', 1, "is there twice"),
        (b'{"sentence": "A", "attr.x": {"a": 1, "a": 2}}\n', 1, "is there twice"),
        (b'{"sentence": "A", "attr.x": NaN}\n', 1, "NaN"),
        (b'{"sentence": "A", "attr.x": -Infinity}\n', 1, "Infinity"),
        (b'{"sentence": "A", "attr.x": 1e999}\n', 1, "too large"),
        (b'{"sentence": "A", "attr.x": "\\u0000"}\n', 1, "NUL"),
        (b'{"sentence": "A", "attr.x": ["\\ud800"]}\n', 1, "surrogate"),
        (b'{"sentence": "A", "attr.x": ' + b"[" * 40 + b"]" * 40 + b"}\n", 1, "32 levels"),
        (b'{"sentence": "A", "attr.x": ' + b"[" * 100_000 + b"\n", 1, "nested too deep"),
        (b'{"sentence": "A", "attr.x": ' + b"9" * 5000 + b"}\n", 1, "digits"),
        (b'{"sentense": "A"}\n', 1, "did you mean 'sentence'?"),
        (b'\n\n{"sentence": "M\xfcller"}\n', 3, "0xFC"),
        (b'"sentence"\n', 1, "not a JSON object"),
    ],
)
def test_broken_json_lines(content, line, part):
    check_first(read_item_rows(content, "f.jsonl"), line, part)
