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


@given(WORDS)
def test_a_copy_has_0_and_a_wholly_new_text_1(text):
    assert pinc(text, text).value == 0
    assert pinc(text, "x y z").value == 1


@pytest.mark.parametrize(
    ("original", "paraphrase", "options", "value"),
    [
        # 1-grams 1/3 new, 2-grams 1/2 new, 3-grams 1/1 new, 4-grams undefined.
        ("a b c", "a b d", {}, (1 / 3 + 1 / 2 + 1) / 3),
        ("a b", "a a a x", {"max_n": 1}, 0.5),  # A repeated word counts once.
        ("The cat", "the cat", {}, 0.75),
        ("The cat", "the cat", {"lowercase": "yes"}, 0),
    ],
)
def test_worked_by_hand(original, paraphrase, options, value):
    assert pinc(original, paraphrase, **options).value == pytest.approx(value)


def test_references_are_never_looked_at():
    alone = create("pinc").score(Pair("a b", "a c"))
    assert create("pinc").score(Pair("a b", "a c", ("a c",))) == alone
    with pytest.raises(ValueError, match="against=references is not allowed; use original"):
        create("pinc", {"against": "references"})
