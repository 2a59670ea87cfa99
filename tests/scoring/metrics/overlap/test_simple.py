"""Edit similarity, Jaccard overlap and length ratio beside plain forms written out here."""

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.overlap.nist import EMPTY, count_ngrams

NAMES = ("edit_similarity", "jaccard", "length_ratio")


def score(name, original, paraphrase, *references, **options):
    return create(name, options).score(Pair(original, paraphrase, references))


REFERENCES = ("x", "a b", "a b", "a c d d")
ARABIC, LONG = "مرحبا بالعالم", "one two three four " * 1000


@pytest.mark.parametrize(
    ("name", "texts", "options", "value"),
    [
        # kitten -> sitting: three edits of seven characters.
        ("edit_similarity", ("kitten", "sitting"), {"unit": "characters"}, 4 / 7),
        ("edit_similarity", ("the cat sat", "the dog sat down"), {}, 0.5),
        ("jaccard", ("the cat sat", "the dog sat"), {}, 0.5),
        ("jaccard", ("the cat sat", "the cat lay"), {"n": 2}, 1 / 3),
        ("length_ratio", ("the cat sat", "the cat sat down there, now"), {}, 2),
        # Blanks, punctuation and case are those of the words.
        *((name, ("The  CAT!", "the cat"), {}, 1) for name in NAMES),
        ("edit_similarity", ("The  CAT!", "the cat"), {"unit": "characters"}, 1),
        ("jaccard", ("The CAT", "the cat"), {"lowercase": "no"}, 0),
        ("length_ratio", ("a - b", "a b"), {"tokenize": "none"}, 2 / 3),
        ("jaccard", REFERENCES, {}, 1),
        ("jaccard", REFERENCES, {"references": "mean"}, (1 + 1 / 4) / 2),
        ("edit_similarity", REFERENCES, {}, 1),
        # The best ratio means nothing, so there is only the mean.
        ("length_ratio", REFERENCES, {}, (1 + 1 / 2) / 2),
        ("length_ratio", REFERENCES, {"against": "original"}, 2),
        # What is odd or long.
        *((name, ("a \ud800 b", "a b \udfff 🎉"), {}, 1) for name in NAMES),
        *((name, (text, text), {}, 1) for name in NAMES for text in (ARABIC, LONG)),
    ],
)
def test_worked_by_hand(name, texts, options, value):
    assert score(name, *texts, **options).value == pytest.approx(value)


def test_a_text_that_would_take_minutes_is_refused():
    assert "at most 20,000" in score("edit_similarity", "a b " * 5001, "a").reason


# The counts of n-grams beside those of a counter.


@pytest.mark.parametrize("texts", [[], [()], [(), ()]])
def test_nothing_counted_knows_nothing(texts):
    table = count_ngrams(texts, 5)
    assert table.words == 0
    assert table.find(("a", "b"), 5) == EMPTY.find(("a", "b"), 5) == [[0, 0], [0]]


# PINC beside an independent slow form of the formula of Chen and Dolan (2011).


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
def test_pinc_worked_by_hand(original, paraphrase, options, value):
    assert pinc(original, paraphrase, **options).value == pytest.approx(value)


def test_references_are_never_looked_at():
    alone = create("pinc").score(Pair("a b", "a c"))
    assert create("pinc").score(Pair("a b", "a c", ("a c",))) == alone
    with pytest.raises(ValueError, match="against=references is not allowed; use original"):
        create("pinc", {"against": "references"})
