"""The cosine of mean vectors beside gensim, and SIF by hand and by numpy's decomposition."""

import math

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import convert
from tests.scoring.metrics.vector_files import CIRCLE, VOCABULARY, cosine, write_vectors

KNOWN = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8)


def metric(file, **options):
    return create("embedding_cosine", {"vectors": file, **options})


@given(KNOWN, KNOWN)
def test_equals_gensim(file, original, paraphrase):
    vectors = KeyedVectors.load_word2vec_format(file)
    one, other = (
        vectors.get_mean_vector(words, pre_normalize=True) for words in (original, paraphrase)
    )
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    found = metric(file).score(Pair(" ".join(original), " ".join(paraphrase)))
    assert found.value == pytest.approx(expected, abs=1e-5)


def test_a_long_vector_counts_more_where_vectors_are_raw(tmp_path):
    vectors = {"long": (3, 0), "up": (0, 1), "left": (-1, 0), "leftmost": (-3, 0)}
    path = str(write_vectors(tmp_path / "v.txt", vectors))
    for paraphrase, of_one_length, raw in (
        ("long up", math.sqrt(0.5), 3 / math.sqrt(10)),
        ("long left", None, 1),
        ("long leftmost", None, None),
    ):
        pair = Pair("long", paraphrase)
        assert metric(path).score(pair).value == pytest.approx(of_one_length)
        assert metric(path, weights="raw").score(pair).value == pytest.approx(raw)


def test_a_store_of_an_earlier_version_says_what_raw_vectors_need(tmp_path):
    path = write_vectors(tmp_path / "v.txt", {"cat": (3.0, 0.0)})
    store = tmp_path / "store"
    convert(path, store)
    (store / "lengths.npy").unlink()
    assert metric(str(store)).score(Pair("cat", "cat")).value == 1
    with pytest.raises(FileRefused, match="weights=raw, remove it and add its file again"):
        metric(str(store), weights="raw").load()


def test_worked_by_hand(circle):
    score = metric(circle).score
    assert score(Pair("cat", "dog")).value == pytest.approx(cosine("cat", "dog"))
    # The mean of 0 and 90 degrees points to 45 degrees, 15 from `dog`.
    found = score(Pair("the cat sat", "dog"))
    assert found.value == pytest.approx(math.cos(math.radians(15)))
    assert found.detail == {
        "compared": 1,
        "words": 1,
        "compared_original": 2,
        "words_original": 3,
    }


def test_frequent_words_count_less(circle):
    pairs = [Pair("cat", "cat dog"), Pair("cat lay", "cat sat"), Pair("cat", "cat")]
    sif = metric(circle, weights="sif")
    state = sif.prepare(pairs)
    sif.use(state)
    # Distinct texts: cat; cat dog; cat lay; cat sat. Of 7 words 4 are `cat`, 1 is `dog`.
    assert state == {"counts": {"cat": 4, "dog": 1, "lay": 1, "sat": 1}}
    cat, dog = (0.001 / (0.001 + n / 7) for n in (4, 1))
    angle = math.atan2(dog * math.sin(math.pi / 3), cat + dog * math.cos(math.pi / 3))
    assert sif.score(pairs[0]).value == pytest.approx(math.cos(angle), abs=1e-6)
    # A word that the campaign does not have counts fully.
    angle = math.atan2(math.sin(math.pi / 12), cat + math.cos(math.pi / 12))
    assert sif.score(Pair("cat", "cat kitten")).value == pytest.approx(math.cos(angle), abs=1e-6)


def test_a_state_is_needed_where_the_campaign_counts(circle):
    for options in ({"weights": "sif"}, {"common": "remove"}):
        with pytest.raises(ValueError, match="prepare the whole set"):
            metric(circle, **options).score(Pair("cat", "dog"))


def test_the_common_part_is_removed(circle):
    removing = metric(circle, common="remove")
    # By numpy's decomposition; weights do not matter where each text has one word.
    words = ["cat", "dog", "sat"]
    pairs = [Pair(words[0], words[1]), Pair(words[0], words[2])]
    for weights in ("mean", "sif"):
        several = metric(circle, common="remove", weights=weights)
        several.use(several.prepare(pairs))
        rows = np.array([CIRCLE[word] for word in words])
        first = np.linalg.svd(rows)[2][0]
        one, _, other = rows - np.outer(rows @ first, first)
        expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert several.score(pairs[1]).value == pytest.approx(expected, abs=1e-3)
    removing.use(removing.prepare([Pair("unseen", "strange")]))  # Nothing in common.
    assert removing.score(Pair("cat", "dog")).value == pytest.approx(cosine("cat", "dog"))


@pytest.mark.parametrize(
    ("original", "paraphrase", "reason"),
    [
        ("cat", "unseen", "No word of the paraphrase has a vector."),
        ("\ud800 unseen 🎉", "cat", "No word of the original has a vector."),
        ("cat", "cat not", "The word vectors of a text cancel each other out."),
        ("not cat", "cat", "The word vectors of a text cancel each other out."),
    ],
)
def test_undefined(circle, original, paraphrase, reason):
    assert metric(circle).score(Pair(original, paraphrase)).reason == reason
