import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.cells import plain_number_text, read_number


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
