"""A sentence in two columns of a row: its text, and its parts."""

import json

import pytest

from paraanno.common.records import columns, error_sentence, parts_of, with_parts
from paraanno.common.texts import Sentence, say
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader

SAID = say("needs %(n)s %(what)s", n=3, what=say("units"))


def test_a_sentence_comes_back_from_its_columns():
    row = json.loads(json.dumps(columns("reason", SAID)))
    assert row["reason"] == "needs 3 units"
    back = with_parts(row["reason"], row["reason_parts"])
    assert isinstance(back, Sentence)
    assert (back, back.template) == (SAID, SAID.template)


@pytest.mark.parametrize("text", ["plain", "", say("no rating")])
def test_a_text_that_suffices_has_no_parts(text):
    assert columns("reason", text) == {"reason": text, "reason_parts": None}
    assert parts_of(text) is None and with_parts(str(text), None) == text


def test_parts_of_another_text_are_not_believed():
    found = with_parts("somebody changed the text", parts_of(SAID))
    assert found == "somebody changed the text" and not isinstance(found, Sentence)


def test_an_exception_is_told_after_its_type_and_can_be_stored():
    sentence = error_sentence(ValueError("bad \0 and \ud800"))
    assert sentence == "ValueError: bad ? and ?"
    assert columns("error", sentence)["error_parts"]


def test_a_file_that_no_reader_can_decode_is_told_without_a_type():
    assert error_sentence(raised_in_a_reader("b'\\xff'.decode()")).startswith(
        "the file cannot be read ("
    )
    assert error_sentence(raised_in_a_reader("{}['a']")) == "KeyError: 'a'"
