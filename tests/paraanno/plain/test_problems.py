"""Errors and warnings about a file: where, what, and never too many."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.texts import Problem, ProblemLog, TextError, clean_text, nfc_offset, say
from tests.annotation.strategies import RAW_TEXT


def test_a_problem_names_its_place():
    message = say("is empty")
    assert str(Problem("f.csv", 3, None, message)) == "f.csv:3: is empty"
    warned = Problem("f.csv", 3, "va\nlue", message, "warning")
    assert str(warned) == "f.csv:3: warning: column 'va\\nlue': is empty"


def test_errors_stand_first_and_those_beyond_the_limit_are_counted():
    log = ProblemLog("f.csv", limit=2)
    log.warn(1, say("odd"))
    for line in (2, 9, 5, 4):
        log.error(line, say("wrong"))
    assert (log.errors, log.warnings) == (4, 1)
    assert [str(one) for one in log.problems()] == [
        "f.csv:2: wrong",
        "f.csv:9: wrong",
        "f.csv:9: and 2 more errors; put these right first",  # At the last line with a problem.
        "f.csv:1: warning: odd",
    ]


# Texts are stored in NFC, and spans follow them.


@given(RAW_TEXT)
def test_a_clean_text_is_nfc_and_stays_so(text):
    clean = clean_text(text)
    assert clean == unicodedata.normalize("NFC", text)
    assert clean_text(clean) == clean


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x\udc80", "é\0"])
def test_what_no_database_stores_is_refused_with_its_position(text):
    with pytest.raises(TextError, match=r"position [01]"):
        clean_text(text)


def test_a_heap_of_combining_marks_is_refused_before_it_is_sorted():
    # Descending classes: the worst case of canonical ordering, hours for a cell of this length.
    with pytest.raises(TextError, match="combining marks"):
        clean_text("a" + "\u0301\u0323" * 200_000)
    assert clean_text("a" + "\u0323" * 100) == "ạ" + "\u0323" * 99


def test_a_text_beyond_the_limit_is_refused():
    assert len(clean_text("x" * 1_000_000)) == 1_000_000
    with pytest.raises(TextError, match="1000001"):
        clean_text("x" * 1_000_001)


@given(RAW_TEXT, st.data())
def test_a_moved_offset_cuts_the_same_text(text, data):
    offset = data.draw(st.integers(0, len(text)))
    moved = nfc_offset(text, offset)
    clean = clean_text(text)
    if moved is not None:
        assert clean[:moved] == clean_text(text[:offset])
        assert clean[moved:] == clean_text(text[offset:])
    else:
        assert clean != clean_text(text[:offset]) + clean_text(text[offset:])
