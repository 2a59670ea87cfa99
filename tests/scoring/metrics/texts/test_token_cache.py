"""The tokens of texts, kept for a while so that metrics share them."""

from scoring.metrics.texts.tokenizers import tokens
from scoring.metrics.texts.words import LONGEST_KEPT


def test_a_text_is_cut_once_and_a_long_one_not_kept():
    text = "the cat sat on the mat"
    assert tokens(text, "13a", lowercase=False) is tokens(text, "13a", lowercase=False)
    assert tokens("The cat", "13a", lowercase=True) != tokens("The cat", "13a", lowercase=False)
    long = "word " * (LONGEST_KEPT // 4)
    assert tokens(long, "13a", lowercase=False) is not tokens(long, "13a", lowercase=False)
