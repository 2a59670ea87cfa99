"""Patterns for ids: what is refused, and that the rest cannot take long."""

from __future__ import annotations

import time

import pytest

from paraanno.plain.id_pattern import LONGEST, fits, pattern_problem


@pytest.mark.parametrize(
    "pattern", ["[0-9a-f]{24}", "A[A-Z0-9]+", r"\d{1,5}|x", "^(P|Q)[0-9]*$", r"[\]\-a]+"]
)
def test_patterns_of_platforms_are_taken(pattern: str) -> None:
    assert pattern_problem(pattern) == ""


@pytest.mark.parametrize("pattern", ["(a+)+", "[a-", "(a|b)*", r"(a)\1", "(?=a)b", "a*a*a*a*b"])
def test_patterns_that_are_broken_or_could_take_long_are_refused(pattern: str) -> None:
    assert pattern_problem(pattern) != ""


def test_the_slowest_pattern_is_quick() -> None:
    pattern = "a*a*a*b"
    assert pattern_problem(pattern) == ""
    start = time.process_time()
    assert not fits("a" * LONGEST, pattern)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("text", ["", " ", "a b", "a\n", "a" * (LONGEST + 1), "a\0"])
def test_ids_are_visible_characters(text: str) -> None:
    assert not fits(text, "")


def test_the_whole_id_fits_the_pattern() -> None:
    assert fits("abc1", "[a-z]+[0-9]")
    assert not fits("xabc1", "[b-z]c1")
