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
@given(original=st.text(), paraphrase=st.text())
def test_any_text_has_a_score_or_a_reason(name, original, paraphrase):
    found = score(name, original, paraphrase)
    assert bool(found.reason) if found.value is None else found.value >= 0
    assert name == "length_ratio" or found.value is None or found.value <= 1


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


def test_worked_by_hand():
    # kitten -> sitting: three edits of seven characters.
    found = score("edit_similarity", "kitten", "sitting", unit="characters").value
    assert found == pytest.approx(4 / 7)
    assert score("edit_similarity", "the cat sat", "the dog sat down").value == 0.5
    assert score("jaccard", "the cat sat", "the dog sat").value == 0.5
    assert score("jaccard", "the cat sat", "the cat lay", n=2).value == pytest.approx(1 / 3)
    assert score("length_ratio", "the cat sat", "the cat sat down there, now").value == 2


def test_blanks_punctuation_and_case_are_those_of_the_words():
    for name in NAMES:
        assert score(name, "The  CAT!", "the cat").value == 1
    assert score("edit_similarity", "The  CAT!", "the cat", unit="characters").value == 1
    assert score("jaccard", "The CAT", "the cat", lowercase="no").value == 0
    assert score("length_ratio", "a - b", "a b", tokenize="none").value == pytest.approx(2 / 3)


def test_several_references():
    texts = ("x", "a b", "a b", "a c d d")
    assert score("jaccard", *texts).value == 1
    assert score("jaccard", *texts, references="mean").value == pytest.approx((1 + 1 / 4) / 2)
    assert score("edit_similarity", *texts).value == 1
    # The best ratio means nothing, so there is only the mean.
    assert score("length_ratio", *texts).value == pytest.approx((1 + 1 / 2) / 2)
    assert score("length_ratio", *texts, against="original").value == 2


@pytest.mark.parametrize("name", NAMES)
def test_no_words_is_undefined(name):
    assert score(name, "a", " ").reason == "The paraphrase has no words."
    assert score(name, "?!", "a").reason == "The text compared with has no words."


@pytest.mark.parametrize("name", NAMES)
def test_what_is_odd_or_long(name):
    assert score(name, "a \ud800 b", "a b \udfff 🎉").value == 1
    assert score(name, "مرحبا بالعالم", "مرحبا بالعالم").value == 1
    text = "one two three four " * 1000
    assert score(name, text, text).value == 1


def test_a_text_that_would_take_minutes_is_refused():
    assert "at most 20,000" in score("edit_similarity", "a b " * 5001, "a").reason
