"""Our 13a beside sacrebleu's, and what is kept of a text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from scoring.metrics import Pair, create
from scoring.metrics.texts.tokenizers import tokenizer

PIECES = ["a", "B", "19", "é", "고", " ", ".", ",", "-", "..", ".5", "&quot;", "&amp;", "<skipped>"]

MARKS = [*"!\"#$%&'()*+/:;<=>?@[\\]^_`{|}~", "-\n", "\n", "\t", "\u00a0", "٣"]

TEXTS = st.lists(st.sampled_from(PIECES + MARKS), max_size=12).map("".join)


@given(TEXTS | st.text())
@example("It costs $5.20, not 5,20... (U.S., 1990-91)!")
def test_13a_cuts_as_sacrebleu(text):
    theirs = Tokenizer13a()(text.rstrip()).split()
    assert tokenizer("13a", lowercase=False)(text) == theirs


def test_an_unknown_tokenizer_names_the_known_ones():
    with pytest.raises(ValueError, match="tokenize=word is not allowed; use 13a, intl"):
        tokenizer("word", lowercase=False)


@pytest.mark.parametrize("cut", ["char", "zh"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rouge_1", 3 / 4),
        ("rouge_2", 1 / 3),
        ("rouge_l", 3 / 4),
        ("bleu_1max", 3 / 4),
        ("jaccard", 3 / 5),
        ("edit_similarity", 3 / 4),
        ("length_ratio", 1),
    ],
)
def test_words_without_blanks_are_compared_by_character(name, expected, cut):
    """我要借钱 and 我想借钱: three of four characters, of which two stand side by side."""
    pair = Pair("我要借钱", "我想借钱", ())
    assert create(name, {"tokenize": cut}).score(pair).value == pytest.approx(expected)
