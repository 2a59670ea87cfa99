"""PINC beside an independent slow form of the formula of Chen and Dolan (2011)."""

import pytest

from scoring.metrics import Pair, create


def pinc(original, paraphrase, **options):
    return create("pinc", options).score(Pair(original, paraphrase))


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
