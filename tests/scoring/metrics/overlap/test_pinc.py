"""PINC beside an independent slow form of the formula of Chen and Dolan (2011)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create

WORDS = st.lists(st.sampled_from(list("abcdef")), min_size=1, max_size=12).map(" ".join)


def slow_pinc(original, paraphrase, most):
    """By string search over every n-gram, in exact fractions."""
    source, candidate = f" {original} ", paraphrase.split()
    shares = []
    for n in range(1, most + 1):
        grams = []
        for start in range(len(candidate)):
            gram = candidate[start : start + n]
            if len(gram) == n and gram not in grams:
                grams.append(gram)
        if grams:
            found = sum(1 for gram in grams if f" {' '.join(gram)} " in source)
            shares.append(1 - Fraction(found, len(grams)))
    return sum(shares) / len(shares)


def pinc(original, paraphrase, **options):
    return create("pinc", options).score(Pair(original, paraphrase))


@given(WORDS, WORDS, st.integers(1, 6))
def test_equals_the_slow_form(original, paraphrase, most):
    expected = float(slow_pinc(original, paraphrase, most))
    assert pinc(original, paraphrase, max_n=most).value == pytest.approx(expected, abs=1e-12)


@given(st.text(min_size=1), st.text())
def test_lies_between_0_and_1_or_says_why_not(original, paraphrase):
    score = pinc(original, paraphrase)
    assert bool(score.reason) if score.value is None else 0 <= score.value <= 1


@given(WORDS)
def test_a_copy_has_0_and_a_wholly_new_text_1(text):
    assert pinc(text, text).value == 0
    assert pinc(text, "x y z").value == 1


def test_worked_by_hand():
    # Original a b c, paraphrase a b d: 1-grams 1/3 new, 2-grams 1/2 new, 3-grams 1/1 new,
    # 4-grams undefined: (1/3 + 1/2 + 1) / 3.
    assert pinc("a b c", "a b d").value == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)


def test_a_repeated_word_counts_once():
    assert pinc("a b", "a a a x", max_n=1).value == 0.5


def test_case_counts_unless_told_otherwise():
    assert pinc("The cat", "the cat").value == 0.75
    assert pinc("The cat", "the cat", lowercase="yes").value == 0


def test_references_are_never_looked_at():
    alone = create("pinc").score(Pair("a b", "a c"))
    assert create("pinc").score(Pair("a b", "a c", ("a c",))) == alone
    with pytest.raises(ValueError, match="against=references is not allowed; use original"):
        create("pinc", {"against": "references"})


@pytest.mark.parametrize(
    ("original", "paraphrase", "reason"),
    [
        ("a", "", "The paraphrase has no words."),
        (" ", "a", "The original has no words."),
        ("", "", "The original has no words."),
    ],
)
def test_no_words_is_undefined(original, paraphrase, reason):
    score = pinc(original, paraphrase)
    assert (score.value, score.reason) == (None, reason)
