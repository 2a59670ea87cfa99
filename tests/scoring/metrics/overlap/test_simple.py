"""Edit similarity, Jaccard overlap and length ratio beside plain forms written out here."""

import pytest

from scoring.metrics import Pair, create

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
