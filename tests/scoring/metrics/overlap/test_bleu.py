"""BLEU beside sacrebleu itself, and the cases that sentence BLEU is known to get wrong."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from scoring.metrics import Pair, create

WORDS = st.lists(
    st.sampled_from(["the", "The", "cat", "sat", "on", "mat", "a", ".", "it's", "고양이"]),
    min_size=1,
    max_size=12,
).map(" ".join)
SMOOTH = st.sampled_from(["exp", "floor", "add-k", "none"])
TOKENIZE = st.sampled_from(["13a", "intl", "char", "none"])
YES_NO = st.sampled_from(["yes", "no"])


def bleu_of(text, references, **options):
    return create("bleu", options).score(Pair("the original", text, tuple(references))).value


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), SMOOTH, TOKENIZE, YES_NO)
def test_a_text_scores_as_in_sacrebleu(text, references, smooth, tokenize, lowercase):
    theirs = BLEU(
        smooth_method=smooth,
        tokenize=tokenize,
        lowercase=lowercase == "yes",
        effective_order=True,
    ).sentence_score(text, references)
    ours = bleu_of(text, references, smooth=smooth, tokenize=tokenize, lowercase=lowercase)
    assert ours == pytest.approx(theirs.score, abs=1e-9)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=8), SMOOTH)
def test_a_system_scores_as_a_corpus_in_sacrebleu(rows, smooth):
    theirs = BLEU(smooth_method=smooth, effective_order=True).corpus_score(
        [text for text, _, _ in rows], [[one for _, one, _ in rows], [two for _, _, two in rows]]
    )
    metric = create("bleu", {"smooth": smooth})
    ours = metric.corpus_score([Pair("x", text, (one, two)) for text, one, two in rows])
    assert ours.value == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "references", "smooth", "value"),
    [
        # Papineni et al. 2002, example 2: modified unigram precision 2/7, no bigram in common. With
        # add-k of sacrebleu: precisions 2/7, 1/7, 1/6, 1/5, brevity penalty 1.
        (
            "the the the the the the the",
            ["the cat is on the mat", "there is a cat on the mat"],
            "add-k",
            100 * (2 / 7 * 1 / 7 * 1 / 6 * 1 / 5) ** 0.25,
        ),
        ("a b c d", ["a b c d e f"], "exp", 100 * math.exp(1 - 6 / 4)),  # The brevity penalty.
    ],
)
def test_worked_by_hand(text, references, smooth, value):
    assert bleu_of(text, references, smooth=smooth) == pytest.approx(value)


@pytest.mark.parametrize(
    ("against", "references", "expected"),
    [
        ("auto", ("a b c d",), 100),
        ("auto", (), 0),
        ("original", ("a b c d",), 0),
        ("both", ("a b c d",), 100),
        ("both", (), 0),
        ("references", ("a b c d",), 100),
        ("references", (), None),
    ],
)
def test_what_a_text_is_compared_with(against, references, expected):
    score = create("bleu", {"against": against}).score(Pair("w x y z", "a b c d", references))
    assert score.value == (expected if expected is None else pytest.approx(expected))
    assert bool(score.reason) == (expected is None)


def test_an_empty_text_in_a_corpus_costs_length_and_no_score_is_made_of_nothing():
    pairs = [Pair("a b c d", "a b c d"), Pair("a b c d", "")]
    assert create("bleu").corpus_score(pairs).value == pytest.approx(100 * math.exp(1 - 8 / 4))
    assert create("bleu").corpus_score([Pair("a", "")]).value is None
    assert create("bleu").corpus_score([]).value is None
