"""Word mover's distance beside gensim's, and beside all plans of small texts."""

import math

import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from tests.scoring.metrics.vector_files import ANGLES, VOCABULARY, write_vectors

TEXT = st.lists(st.sampled_from([*VOCABULARY, "unseen"]), min_size=1, max_size=10)


def wmd(file, original, paraphrase):
    return create("wmd", {"vectors": file}).score(Pair(original, paraphrase))


@pytest.mark.slow
@given(TEXT, TEXT)
def test_equals_gensim(file, original, paraphrase):
    found = wmd(file, " ".join(original), " ".join(paraphrase))
    expected = KeyedVectors.load_word2vec_format(file).wmdistance(original, paraphrase, norm=True)
    if found.value is None:
        assert expected == math.inf
    else:
        assert found.value == pytest.approx(expected, abs=1e-5)


def test_worked_by_hand(circle):
    assert not create("wmd", {"vectors": circle}).higher_is_better
    # The straight line between two points of a circle: 2 sin(half the angle).
    line = 2 * math.sin(math.radians(ANGLES["dog"]) / 2)
    assert wmd(circle, "cat", "dog").value == pytest.approx(line)
    # `the` has no vector; `sat` stays, and half of the text moves from cat to dog.
    found = wmd(circle, "the cat sat", "dog sat")
    assert found.value == pytest.approx(line / 2)
    assert found.detail == {
        "compared": 2,
        "words": 2,
        "compared_original": 2,
        "words_original": 3,
    }
    assert wmd(circle, "cat", "not").value == pytest.approx(2)


def test_words_with_one_vector_are_no_distance_apart(tmp_path):
    path = write_vectors(tmp_path / "twins.txt", {"cat": (1.0, 2.0), "feline": (2.0, 4.0)})
    assert wmd(str(path), "cat", "feline").value == pytest.approx(0, abs=1e-6)


def test_a_long_text_is_solved_or_refused(file):
    long = " ".join(VOCABULARY * 100)
    assert wmd(file, long, long + " w1").value < 0.01
    assert "at most 5,000" in wmd(file, long * 2, "w1").reason


@pytest.mark.parametrize(
    ("original", "paraphrase", "reason"),
    [
        ("cat", "unseen", "No word of the paraphrase has a vector."),
        ("\ud800 unseen 🎉", "cat", "No word of the original has a vector."),
    ],
)
def test_undefined(circle, original, paraphrase, reason):
    assert wmd(circle, original, paraphrase).reason == reason
