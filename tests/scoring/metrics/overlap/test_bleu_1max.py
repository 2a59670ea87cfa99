"""BLEU-1max beside the figures of the APEM paper and a slow form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create

TEXT = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(" ".join)
POISON = ["🙂", "🙂 a", "שלום עולם", "\ud800 a", "a " * 3000]


def bleu_1max(text, texts, **options):
    return create("bleu_1max", options).score(Pair("the original", text, tuple(texts)))


def test_the_figures_of_the_paper():
    # APEM paper (Moon et al. 2015), section III.C, Fig. 3: a candidate of five words shares two
    # with reference 1, 2/5, and four with reference 2, 4/5; the final score is their maximum. The
    # words of the figure are not in the text of the paper: these share as many.
    candidate, one, two = (
        "the power failed last night",
        "the lights failed",
        "last night power failed",
    )
    assert bleu_1max(candidate, [one]).value == 2 / 5
    assert bleu_1max(candidate, [two]).value == 4 / 5
    assert bleu_1max(candidate, [one, two]).value == 4 / 5


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), st.booleans())
def test_equals_the_slow_form(text, references, clip):
    shares = []
    for reference in references:
        left, found = reference.split(), 0
        for word in text.split():
            if word in left:
                found += 1
                if clip:
                    left.remove(word)
        shares.append(found / len(text.split()))
    assert bleu_1max(text, references, clip=clip).value == pytest.approx(max(shares))
    mean = bleu_1max(text, references, clip=clip, references="mean").value
    assert mean == pytest.approx(sum(shares) / len(shares))


def test_references_are_not_pooled():
    # A word found only in one and a word found only in the other do not add up.
    assert bleu_1max("a b", ["a x", "b x"]).value == 0.5


def test_one_right_word_repeated_is_clipped_unless_told_otherwise():
    assert bleu_1max("the the the", ["the cat"]).value == pytest.approx(1 / 3)
    assert bleu_1max("the the the", ["the cat"], clip="no").value == 1


def test_case_and_punctuation_do_not_count_unless_told_otherwise():
    assert bleu_1max("The cat.", ["the cat"]).value == 1
    assert bleu_1max("The cat.", ["the cat"], lowercase="no").value == 0.5
    assert bleu_1max("the cat.", ["the cat"], tokenize="13a").value == pytest.approx(2 / 3)


def test_without_a_reference_the_original_is_compared_with():
    assert create("bleu_1max").score(Pair("a b", "a c")).value == 0.5


@pytest.mark.parametrize(
    ("text", "reference", "reason"),
    [
        (" ", "a", "The paraphrase has no words."),
        ("...", "a", "The paraphrase has no words."),
        ("a", "...", "The text compared with has no words."),
    ],
)
def test_no_words_is_undefined(text, reference, reason):
    score = bleu_1max(text, [reference])
    assert (score.value, score.reason) == (None, reason)


@pytest.mark.parametrize("text", POISON)
def test_strange_texts_get_a_number_or_a_reason(text):
    for pair in (Pair(text, "a b"), Pair("a b", text), Pair(text, text)):
        score = create("bleu_1max").score(pair)
        assert bool(score.reason) if score.value is None else 0 <= score.value <= 1
