"""Edit similarity, Jaccard overlap and length ratio beside plain forms written out here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create

NAMES = ("edit_similarity", "jaccard", "length_ratio")
WORDS = st.lists(st.sampled_from(["a", "bc", "d", "한국"]), min_size=1, max_size=9)


def score(name, original, paraphrase, *references, **options):
    return create(name, options).score(Pair(original, paraphrase, references))


def slow_distance(one, other):
    """The textbook's table, row by row."""
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        above, row = row, [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (mine != theirs)))
    return row[-1]


@given(WORDS, WORDS, st.sampled_from(["words", "characters"]))
def test_edit_similarity_equals_the_table(original, paraphrase, unit):
    one, other = " ".join(original), " ".join(paraphrase)
    units = (original, paraphrase) if unit == "words" else (one, other)
    expected = 1 - slow_distance(*units) / max(map(len, units))
    assert score("edit_similarity", one, other, unit=unit).value == pytest.approx(expected)


@given(WORDS, WORDS, st.integers(1, 4))
def test_jaccard_equals_a_search_of_lists(original, paraphrase, n):
    one, other = (
        [words[at : at + n] for at in range(len(words) - n + 1)] for words in (original, paraphrase)
    )
    either = []
    for gram in one + other:
        if gram not in either:
            either.append(gram)
    both = [gram for gram in either if gram in one and gram in other]
    found = score("jaccard", " ".join(original), " ".join(paraphrase), n=n)
    if not either:
        assert "too short" in found.reason
    else:
        assert found.value == pytest.approx(len(both) / len(either))


@pytest.mark.parametrize("name", NAMES)
@given(words=WORDS)
def test_a_copy_has_1(name, words):
    assert score(name, " ".join(words), " ".join(words)).value == 1


@pytest.mark.parametrize("name", NAMES)
@given(original=WORDS, paraphrase=WORDS)
def test_the_other_way_round(name, original, paraphrase):
    one, other = " ".join(original), " ".join(paraphrase)
    there, back = score(name, one, other).value, score(name, other, one).value
    assert back == (pytest.approx(1 / there) if name == "length_ratio" else there)


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
