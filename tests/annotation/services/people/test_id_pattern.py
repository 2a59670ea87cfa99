"""Patterns for ids: what is refused, and that the rest cannot take long."""

import time

import pytest

from annotation.panels.services import LONGEST_ID, id_fits, pattern_problem


@pytest.mark.parametrize(
    ("taken", "patterns"),
    [
        (True, ["[0-9a-f]{24}", "A[A-Z0-9]+", r"\d{1,5}|x", "^(P|Q)[0-9]*$", r"[\]\-a]+"]),
        (False, ["(a+)+", "[a-", "(a|b)*", r"(a)\1", "(?=a)b", "a*a*a*a*b"]),
    ],
    ids=["of platforms", "broken, or could take long"],
)
def test_patterns(taken, patterns):
    for pattern in patterns:
        assert (pattern_problem(pattern) == "") is taken, pattern


def test_the_slowest_pattern_is_quick():
    pattern = "a*a*a*b"
    assert pattern_problem(pattern) == ""
    start = time.process_time()
    assert not id_fits("a" * LONGEST_ID, pattern)
    assert time.process_time() - start < 1


def test_ids_are_visible_characters_and_fit_as_a_whole():
    for text in ("", " ", "a b", "a\n", "a" * (LONGEST_ID + 1), "a\0"):
        assert not id_fits(text, ""), text
    assert id_fits("abc1", "[a-z]+[0-9]")
    assert not id_fits("xabc1", "[b-z]c1")
