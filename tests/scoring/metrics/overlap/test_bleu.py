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


# Self-BLEU and iBLEU beside sums made of sacrebleu's own scores.


TEXT = st.lists(st.sampled_from(["a", "b", "c", "D", "d", "."]), min_size=1, max_size=9).map(
    " ".join
)


def sentence(text, references):
    return BLEU(effective_order=True).sentence_score(text, list(references)).score


def ibleu(original, paraphrase, references, **options):
    return create("ibleu", options).score(Pair(original, paraphrase, tuple(references)))


@given(TEXT, TEXT, TEXT)
def test_self_bleu_is_bleu_against_the_original_whatever_the_references(original, text, reference):
    score = create("self_bleu").score(Pair(original, text, (reference,)))
    assert score.value == pytest.approx(sentence(text, [original]), abs=1e-9)


def test_self_bleu_of_a_copy_is_100_and_worst():
    metric = create("self_bleu")
    assert metric.score(Pair("a b", "a b")).value == pytest.approx(100)
    assert metric.higher_is_better is False
    with pytest.raises(ValueError, match="against=references is not allowed"):
        create("self_bleu", {"against": "references"})


@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=3), st.sampled_from([0, 0.25, 0.8, 0.9, 1]))
def test_ibleu_is_the_weighted_difference(original, text, references, alpha):
    expected = alpha * sentence(text, references) - (1 - alpha) * sentence(text, [original])
    assert ibleu(original, text, references, alpha=alpha).value == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5))
def test_ibleu_of_a_system_is_made_of_two_corpus_scores(rows):
    originals, texts, references = zip(*rows, strict=True)
    bleu = BLEU(effective_order=True)
    near = bleu.corpus_score(texts, [references]).score
    copied = bleu.corpus_score(texts, [originals]).score
    pairs = [Pair(original, text, (ref,)) for original, text, ref in rows]
    ours = create("ibleu").corpus_score(pairs)
    assert ours.value == pytest.approx(0.9 * near - 0.1 * copied, abs=1e-9)


@pytest.mark.parametrize(
    ("original", "text", "references", "reason"),
    [
        ("a b", "a b", (), "There is no reference."),
        ("a", "a b", (" ",), "The text compared with has no words."),
    ],
)
def test_ibleu_is_undefined_with_a_reason(original, text, references, reason):
    score = ibleu(original, text, references)
    assert (score.value, score.reason) == (None, reason)


def test_a_pair_without_a_reference_is_left_out_of_the_ibleu_of_a_system():
    pairs = [Pair("a b", "a c", ("a c",)), Pair("a b", "a b")]
    assert create("ibleu").corpus_score(pairs) == create("ibleu").corpus_score(pairs[:1])
    assert create("ibleu").corpus_score(pairs[1:]).value is None


@pytest.mark.parametrize("alpha", ["-0.1", "1.1", "x", "nan"])
def test_a_weight_outside_0_to_1_is_refused(alpha):
    with pytest.raises(ValueError, match="use a number from 0 to 1"):
        create("ibleu", {"alpha": alpha})


# BLEU-1max beside the figures of the APEM paper and a slow form.


CANDIDATE, ONE = "the power failed last night", "the lights failed"
TWO = "last night power failed"


def bleu_1max(text, texts, **options):
    return create("bleu_1max", options).score(Pair("the original", text, tuple(texts)))


@pytest.mark.parametrize(
    ("text", "references", "options", "value"),
    [
        # APEM paper (Moon et al. 2015), section III.C, Fig. 3: a candidate of five words shares two
        # with reference 1, 2/5, and four with reference 2, 4/5; the final score is their maximum.
        # The words of the figure are not in the text of the paper: these share as many.
        (CANDIDATE, [ONE], {}, 2 / 5),
        (CANDIDATE, [TWO], {}, 4 / 5),
        (CANDIDATE, [ONE, TWO], {}, 4 / 5),
        # References are not pooled.
        ("a b", ["a x", "b x"], {}, 0.5),
        # One right word repeated is clipped unless told otherwise.
        ("the the the", ["the cat"], {}, 1 / 3),
        ("the the the", ["the cat"], {"clip": "no"}, 1),
        # Nor do case and punctuation count.
        ("The cat.", ["the cat"], {}, 1),
        ("The cat.", ["the cat"], {"lowercase": "no"}, 0.5),
        ("the cat.", ["the cat"], {"tokenize": "13a"}, 2 / 3),
        # Without a reference the original is compared with.
        ("the b", [], {}, 0.5),
    ],
)
def test_bleu_1max_worked_by_hand(text, references, options, value):
    assert bleu_1max(text, references, **options).value == pytest.approx(value)
