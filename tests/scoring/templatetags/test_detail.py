"""The detail of a score, laid out by what it is."""

import pytest

from scoring.templatetags.detail import shape, spaced


@pytest.mark.parametrize(
    ("detail", "layout"),
    [
        ({"extra_words": 1}, "names"),
        ([[1, 2], [3, 4]], "rows"),
        ([1, {"a": 2}], "rows"),
        ([1, 2], "list"),
        ((), "list"),
        ("abc", "plain"),
        (1.5, "plain"),
        (None, "plain"),
    ],
)
def test_the_layout_of_a_detail(detail, layout):
    assert shape(detail) == layout


def test_names_of_values_are_words():
    assert spaced("extra_words") == "extra words" and spaced(2) == "2"
