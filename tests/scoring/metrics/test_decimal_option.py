"""Kinds of options beside choices, whole numbers and files."""

import pytest

from scoring.metrics.base import DecimalOption

WEIGHT = DecimalOption("weight", "0.5", "A weight.", low=-1, high=1)


@pytest.mark.parametrize(
    ("given", "text"), [("0.50", "0.5"), (1, "1"), ("-1", "-1"), ("1e-3", "0.001"), (0.25, "0.25")]
)
def test_one_number_has_one_text(given, text):
    assert WEIGHT.read("toy", given) == text


@pytest.mark.parametrize("given", ["1.01", "-2", "nan", "inf", "a half", ""])
def test_what_is_no_number_within_the_bounds_is_refused(given):
    with pytest.raises(ValueError, match="toy: weight=.* is not allowed; use .* from -1 to 1"):
        WEIGHT.read("toy", given)
