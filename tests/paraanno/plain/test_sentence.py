"""Sentences keep their parts: through copies, other processes and stored JSON, into Korean."""

from __future__ import annotations

import json

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.records import columns, error_sentence, parts_of, with_parts
from paraanno.common.texts import Sentence, revived, revived_json, say, sentence_json
from paraanno.template_filters import translated
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader

TEXTS = st.text(max_size=8)
NAMES = st.sampled_from(["n", "of", "reason"])
KEYS = st.sampled_from(["reason", "method", "method_parts", "reasons", "n", "x_parts_parts"])
TOLD = say("undefined: needs 3 units, has %(n)s", n=2)
INSIDE = say("%(method)s, %(clusters)s assumed independent", method=TOLD, clusters=say("units"))


def _said(values, before):
    text = before.replace("%", "%%") if values else before
    return say(text + ", ".join(f"%({name})s" for name in values), **values)


PLAIN = st.builds(_said, st.just({}), TEXTS)
SENTENCES = st.recursive(
    PLAIN,
    lambda inner: st.builds(
        _said,
        st.dictionaries(NAMES, st.one_of(inner, TEXTS, st.integers(), st.floats()), max_size=3),
        TEXTS,
    ),
    max_leaves=5,
)
DATA = st.recursive(
    st.one_of(SENTENCES, TEXTS, st.integers(), st.none(), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


def korean(data):
    """What a Korean page shows of every text in the data."""
    if isinstance(data, dict):
        return {key: korean(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [korean(value) for value in data]
    if not isinstance(data, str):
        return data
    with translation.override("ko"):
        return translated(data)


def own_parts(data):
    """Whether a key with parts in its name stands beside the text that it would belong to."""
    if isinstance(data, dict):
        return any(f"{key}_parts" in data for key in data) or any(map(own_parts, data.values()))
    return isinstance(data, list) and any(map(own_parts, data))


@given(DATA)
def test_stored_sentences_come_back_as_they_were(data):
    stored = json.loads(json.dumps(sentence_json({"all": data})))
    back = revived(stored)["all"]
    assert korean(revived_json(json.dumps(stored))["all"]) == korean(back)
    if not own_parts(data):
        assert back == data
        assert korean(back) == korean(data)


@given(
    st.recursive(
        TEXTS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(KEYS, inner, max_size=4),
        ),
        max_leaves=12,
    )
)
def test_data_of_others_stay_as_they_are(data):
    assert sentence_json(data) == data == revived(data)


@pytest.mark.parametrize(
    "parts",
    [
        ["needs %(n)s units", {"n": "4"}],
        ["needs %(n)s units", {"m": "3"}],
        ["needs %(n)s units", {"n": [1]}],
        ["needs %d units", {"n": "3"}],
        ["needs 3 units"],
        ["needs", "3 units"],
        [],
        "needs 3 units",
        {},
        None,
    ],
)
def test_parts_of_something_else_make_no_sentence(parts):
    data = {"reason": "needs 3 units", "reason_parts": parts, "list": ["a", "b"], "list_parts": []}
    assert revived(data) == data == revived_json(json.dumps(data))
    assert not isinstance(revived(data)["reason"], Sentence)


# A sentence in two columns of a row: its text, and its parts.


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
