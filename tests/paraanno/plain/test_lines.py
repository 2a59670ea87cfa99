"""Physical lines of a file, and what is wrong with their encoding."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common import texts
from paraanno.common.texts import Lines, ProblemLog, has_bad_character


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
