"""Cutting texts of any script into words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics.texts.tokenizers import tokenizer
from scoring.metrics.texts.words import word_spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat.", ["The", "cat", "sat"]),
        ("don't 'quote' dogs' rock’n’roll", ["don't", "quote", "dogs", "rock'n'roll"]),
        ("well-known U2 3.5 a_b", ["well", "known", "U2", "3", "5", "a", "b"]),
        ("콘서트를 개최한 국가는 어디입니까?", ["콘서트를", "개최한", "국가는", "어디입니까"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # Vowel signs belong to the word.
        ("مرحبا، 🙂 cafe\u0301", ["مرحبا", "cafe\u0301"]),
        ("' ’ ''", []),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_as_a_tokenizer():
    assert tokenizer("words", lowercase=True)("The CAT's.") == ["the", "cat's"]
    assert tokenizer("words", lowercase=False)("The CAT.") == ["The", "CAT"]


@given(st.text(alphabet=st.sampled_from("ab é콘'’-. \n\u2028\x1f3") | st.characters()))
def test_spans_are_where_the_words_are(text):
    found = [text[a:b].replace("’", "'") for a, b in word_spans(text)]
    assert found == words(text)
