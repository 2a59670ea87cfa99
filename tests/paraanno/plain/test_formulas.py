"""Texts that a spreadsheet would take for formulas carry an apostrophe in CSV and TSV."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.cells import escape, plain_number_text, read_number, unescape


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@A1", "\t=1", "\r=1", "'=1", "''-x"])
def test_what_a_spreadsheet_would_compute_gets_an_apostrophe(text):
    assert escape(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "word", "a=1", " =1", "'tis", "''", "1-2"])
def test_other_texts_stay_as_they_are(text):
    assert escape(text) == unescape(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r a")))
def test_taking_the_apostrophe_off_gives_the_text_back(text):
    assert unescape(escape(text)) == text


@given(st.text(st.sampled_from("'=+-@\t\ra")))
def test_an_apostrophe_is_taken_off_only_where_one_was_put(text):
    bare = text.lstrip("'")
    touched = text.startswith("'") and bare[:1] in tuple("=+-@\t\r")
    assert unescape(text) == (text[1:] if touched else text)


@given(st.decimals(-999_999, 999_999, places=2), st.sampled_from(",."))
def test_a_number_is_the_same_with_either_sign(number, sign):
    assert read_number(f" {number} ".replace(".", sign), sign) == float(str(number))


@pytest.mark.parametrize(
    ("text", "sign", "found"),
    [
        ("1.234,5", ",", 1234.5),
        ("３．５", ".", 3.5),
        ("3,5", ".", None),
        ("x", ",", None),
        ("1_000", ".", None),
        ("", ".", None),
        ("1e5", ".", 1e5),
    ],
)
def test_what_is_a_number(text, sign, found):
    assert read_number(text, sign) == found


def test_other_texts_come_back():
    assert plain_number_text(" 3, 5 ", ",") == "3, 5"
