"""Languages by their place in the form of HEDS 3.0."""

import pytest

from scoring.paper.heds import CODES, OTHER, place_of


@pytest.mark.parametrize(
    ("language", "place"),
    [
        ("en", 42),
        ("ko", 90),
        ("en-GB", 42),
        ("KO", 90),
        ("ab", 2),
        ("zu", OTHER - 1),
        ("gsw", OTHER),
    ],
)
def test_the_place_of_a_language(language, place):
    assert place_of(language) == place


def test_no_language_is_listed_twice():
    assert len(set(CODES)) == len(CODES) == 183
