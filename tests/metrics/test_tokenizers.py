"""Our 13a beside sacrebleu's, and what is kept of a text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from scoring.metrics import Pair, create
from scoring.metrics.ngrams import ngram_counts
from scoring.metrics.texts import LONGEST_KEPT, tokens
from scoring.metrics.tokenizers import tokenizer

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


def test_a_text_is_cut_once_and_a_long_one_not_kept():
    text = "the cat sat on the mat"
    assert tokens(text, "13a", lowercase=False) is tokens(text, "13a", lowercase=False)
    assert tokens("The cat", "13a", lowercase=True) != tokens("The cat", "13a", lowercase=False)
    long = "word " * (LONGEST_KEPT // 4)
    assert tokens(long, "13a", lowercase=False) is not tokens(long, "13a", lowercase=False)


def test_counts_of_all_orders_up_to_the_greatest():
    counts = ngram_counts(["a", "b", "a", "b"], 2)
    assert counts == {("a",): 2, ("b",): 2, ("a", "b"): 2, ("b", "a"): 1}


@pytest.mark.parametrize("cut", ["char", "zh"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [("rouge_1", 3 / 4), ("rouge_2", 1 / 3), ("rouge_l", 3 / 4), ("bleu_1max", 3 / 4),
     ("jaccard", 3 / 5), ("edit_similarity", 3 / 4), ("length_ratio", 1)],
)  # fmt: skip
def test_words_without_blanks_are_compared_by_character(name, expected, cut):
    """我要借钱 and 我想借钱: three of four characters, of which two stand side by side."""
    pair = Pair("我要借钱", "我想借钱", ())
    assert create(name, {"tokenize": cut}).score(pair).value == pytest.approx(expected)
