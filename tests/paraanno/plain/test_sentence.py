"""Sentences keep their parts: through copies, other processes and stored JSON, into Korean."""

from __future__ import annotations

import json

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.texts import Sentence, revived, revived_json, say, sentence_json
from paraanno.translated import translated

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
