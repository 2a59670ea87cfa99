"""A sentence in two columns of a row: its text, and its parts."""

import json

import pytest

from paraanno.common.records import columns, kept, parts_of, told
from paraanno.common.texts import Sentence, say
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader

SAID = say("needs %(n)s %(what)s", n=3, what=say("units"))


def test_a_sentence_comes_back_from_its_columns():
    row = json.loads(json.dumps(columns("reason", SAID)))
    assert row["reason"] == "needs 3 units"
    back = kept(row["reason"], row["reason_parts"])
    assert isinstance(back, Sentence)
    assert (back, back.template) == (SAID, SAID.template)


@pytest.mark.parametrize("text", ["plain", "", say("no rating")])
def test_a_text_that_suffices_has_no_parts(text):
    assert columns("reason", text) == {"reason": text, "reason_parts": None}
    assert parts_of(text) is None and kept(str(text), None) == text


def test_parts_of_another_text_are_not_believed():
    found = kept("somebody changed the text", parts_of(SAID))
    assert found == "somebody changed the text" and not isinstance(found, Sentence)


def test_an_exception_is_told_after_its_type_and_can_be_stored():
    sentence = told(ValueError("bad \0 and \ud800"))
    assert sentence == "ValueError: bad ? and ?"
    assert columns("error", sentence)["error_parts"]


def test_a_file_that_no_reader_can_decode_is_told_without_a_type():
    assert told(raised_in_a_reader("b'\\xff'.decode()")).startswith("the file cannot be read (")
    assert told(raised_in_a_reader("{}['a']")) == "KeyError: 'a'"
