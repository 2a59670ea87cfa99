"""TER beside sacrebleu itself: the shortcuts must not change a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from scoring.metrics import Pair, create
from tests.scoring.metrics.overlap.ter_texts import ter

NAMES = ("normalized", "no_punct", "asian_support", "case_sensitive")

# Few distinct words, so that much can be moved; marks, case, Chinese, Korean.
WORD = st.sampled_from(["a", "b", "c", "D", "d", "it's", "e.", "(f)", "你好。", "고양이", "3,4"])

TEXT = st.lists(WORD, min_size=1, max_size=14).map(" ".join)

FLAGS = st.fixed_dictionaries({name: st.booleans() for name in NAMES})

POISON = ["", " \n", "\u200b", "🙂 🙂 a", "שלום עולם", "\ud800 a", "\0 a", "a b " * 600]


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), FLAGS)
def test_a_text_scores_as_in_sacrebleu(text, references, flags):
    known = [one for one in references if create("ter", flags).words(one)]
    score = ter(text, references, **flags)
    if known:
        expected = TER(**flags).sentence_score(text, known).score
        assert score.value == pytest.approx(expected, abs=1e-9)
    else:
        assert score.reason == "The text compared with has no words."


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
def test_a_system_scores_as_a_corpus_in_sacrebleu(rows):
    texts, ones, twos = zip(*rows, strict=True)
    pairs = [Pair("x", text, (one, two)) for text, one, two in rows]
    ours = create("ter").corpus_score(pairs).value
    assert ours == pytest.approx(TER().corpus_score(texts, [ones, twos]).score, abs=1e-9)


def test_worked_by_hand():
    # One block moved and one word replaced, of six words.
    assert ter("d e f a b x", ["a b c d e f"]).value == pytest.approx(100 * 2 / 6)
    assert ter("a b c d e f", ["x y"]).value == 300
    assert create("ter").higher_is_better is False


@given(TEXT)
def test_a_copy_has_0(text):
    assert ter(text, [text]).value == 0


def test_of_several_references_the_nearest_counts_over_the_mean_length():
    assert ter("a b", ["a b", "c d e f"]).value == 0
    assert ter("a x", ["a b", "c d e f"]).value == pytest.approx(100 * 1 / 3)
    assert ter("a x", ["a b", "c d e f"], references="max").value == 50
    assert ter("a x", ["a b", "c d e f"], references="mean").value == 75


def test_a_paraphrase_without_words_lacks_all_words_of_the_reference():
    assert ter(" ", ["a b"]).value == 100
    assert create("ter").corpus_score([Pair("a b", ""), Pair("a b", "a b")]).value == 50


def test_a_reference_without_words_is_left_out():
    assert ter("a b", ["...", "a b"], no_punct="yes") == ter("a b", ["a b"])
    score = ter("a b", ["..."], no_punct="yes")
    assert (score.value, score.reason) == (None, "The text compared with has no words.")
    assert create("ter").corpus_score([Pair(" ", "a")]).value is None


@pytest.mark.parametrize("text", POISON)
def test_strange_texts_get_a_number_or_a_reason(text):
    for pair in (Pair(text, "a b"), Pair("a b", text), Pair(text, text)):
        score = create("ter").score(pair)
        assert bool(score.reason) if score.value is None else score.value >= 0
