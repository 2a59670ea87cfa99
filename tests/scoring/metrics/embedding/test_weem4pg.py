"""WEEM4PG beside a plain loop over gensim's vectors, and the choices that its options name.

Hailu, Yu and Fantaye (2020), equation 1; the paper prints no worked example.
"""

import math

import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from tests.scoring.metrics.vector_files import CIRCLE, cosine, write_vectors

WORDS = st.lists(st.sampled_from([*CIRCLE, "unseen", "strange"]), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return str(write_vectors(tmp_path_factory.mktemp("vectors") / "circle.txt", CIRCLE))


@pytest.fixture
def score(file):
    def call(original, paraphrase, **options):
        return create("weem4pg", {"vectors": file, **options}).score(Pair(original, paraphrase))

    return call


def plain_weem4pg(vectors, original, paraphrase):
    """Word by word, as the paper's sentence reads: one cosine at a time by gensim."""
    shared = sum(min(original.count(word), paraphrase.count(word)) for word in set(paraphrase))
    total = 0.0
    for word in paraphrase:
        if word in original:
            total += 1
        elif word in vectors:
            others = [vectors.similarity(word, other) for other in original if other in vectors]
            total += max(others, default=0)
    return (math.sqrt(shared) / shared if shared else 1) * total / len(paraphrase)


@given(WORDS, WORDS)
def test_equals_the_plain_loop(file, original, paraphrase):
    metric = create("weem4pg", {"vectors": file})
    found = metric.score(Pair(" ".join(original), " ".join(paraphrase)))
    if found.value is None:
        assert "can be compared" in found.reason
        return
    vectors = KeyedVectors.load_word2vec_format(file)
    assert found.value == pytest.approx(plain_weem4pg(vectors, original, paraphrase), abs=1e-6)


@given(st.text(), st.text())
def test_lies_between_minus_1_and_1_or_says_why_not(file, original, paraphrase):
    for factor in ("paper", "share"):
        metric = create("weem4pg", {"vectors": file, "factor": factor})
        found = metric.score(Pair(original, paraphrase))
        assert bool(found.reason) if found.value is None else -1 <= found.value <= 1


@given(WORDS)
def test_a_copy_of_n_words_has_one_by_root_n(file, text):
    metric = create("weem4pg", {"vectors": file})
    found = metric.score(Pair(" ".join(text), " ".join(text)))
    assert found.value == pytest.approx(1 / math.sqrt(len(text)))


def test_worked_by_hand(score):
    # Shared: cat (N = 1, factor 1). Nearest to `lay`: sat. (1 + cos 10 degrees) / 2.
    assert score("the cat sat", "cat lay").value == pytest.approx((1 + cosine("lay", "sat")) / 2)
    # Shared: the, cat, sat (N = 3): sqrt(3)/3; `the` counts although it has no vector.
    assert score("the cat sat", "the cat sat").value == pytest.approx(math.sqrt(3) / 3)


def test_a_cosine_below_zero_stays(score):
    assert score("cat", "not").value == pytest.approx(-1)


def test_nothing_shared(score):
    near = cosine("kitten", "cat")
    assert score("cat", "kitten").value == pytest.approx(near)
    assert score("cat", "kitten", zero_overlap="zero").value == 0
    assert "zero_overlap" in score("cat", "kitten", zero_overlap="undefined").reason
    assert score("cat", "kitten", factor="share", zero_overlap="zero").value == pytest.approx(near)


def test_unknown_words(score):
    near = cosine("kitten", "cat")
    assert score("cat", "kitten unseen").value == pytest.approx(near / 2)
    assert score("cat", "kitten unseen", unknown="skip").value == pytest.approx(near)
    # An unknown word that the original has is 1 either way.
    assert score("unseen cat", "unseen").value == 1
    assert score("unseen", "kitten").value is None
    assert score("cat", "unseen strange").value is None


def test_ways_to_count_shared_words(score):
    # Original cat cat sat, paraphrase cat cat cat sat: 3 tokens are shared, 2 types.
    texts = ("cat cat sat", "cat cat cat sat")
    assert score(*texts).value == pytest.approx(math.sqrt(3) / 3)
    assert score(*texts, count="types").value == pytest.approx(math.sqrt(2) / 2)
    assert score(*texts, count="types_by_tokens").value == pytest.approx(math.sqrt(2) / 3)


def test_the_share_does_not_fall_with_length(score):
    near = cosine("kitten", "cat")
    one = score("cat sat", "kitten sat", factor="share").value
    assert one == pytest.approx((1 - 1 / 2) * (1 + near) / 2)
    assert score("cat sat " * 9, "kitten sat " * 9, factor="share").value == pytest.approx(one)


def test_case_and_punctuation(score):
    assert score("The CAT.", "the cat").value == pytest.approx(math.sqrt(2) / 2)
    assert score("CAT", "cat", lowercase="no").value is None


def test_it_tells_how_many_words_were_compared(score):
    assert score("cat", "kitten unseen").detail == {"compared": 1, "words": 2}


@pytest.mark.parametrize(
    ("original", "paraphrase", "reason"),
    [("cat", "", "The paraphrase has no words."), ("!", "cat", "The original has no words.")],
)
def test_no_words_is_undefined(score, original, paraphrase, reason):
    assert score(original, paraphrase).reason == reason


def test_vectors_are_needed_and_signed_by_content(file, tmp_path):
    with pytest.raises(ValueError, match=r"weem4pg: the option vectors=FILE is missing"):
        create("weem4pg")
    with pytest.raises(ValueError, match=r"none.txt:0: there is no such file"):
        create("weem4pg", {"vectors": str(tmp_path / "none.txt")})
    copy = write_vectors(tmp_path / "copy.txt", CIRCLE)
    other = write_vectors(tmp_path / "other.txt", {"cat": (1.0, 0.0)})
    one, same, different = (
        str(create("weem4pg", {"vectors": path}).signature()) for path in (file, copy, other)
    )
    assert one == same != different
    assert "circle" not in one
