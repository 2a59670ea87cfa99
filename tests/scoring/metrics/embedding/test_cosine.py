"""The cosine of mean vectors beside gensim, and SIF beside numpy's singular value decomposition."""

import json
import math

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import convert
from tests.scoring.metrics.vector_files import VOCABULARY, cosine, write_vectors

KNOWN = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8)
TEXT = st.lists(st.sampled_from([*VOCABULARY, "unseen"]), min_size=1, max_size=8)


def metric(file, **options):
    return create("embedding_cosine", {"vectors": file, **options})


def unit_vectors(file):
    vectors = KeyedVectors.load_word2vec_format(file)
    return {word: vectors.get_vector(word, norm=True).astype(float) for word in VOCABULARY}


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


def slow_sif(file, pairs, remove):
    """Arora et al. (2017), algorithm 1, with numpy's decomposition."""
    vectors = unit_vectors(file)
    texts = {text for pair in pairs for text in (pair.original, pair.paraphrase)}
    words = [word for text in texts for word in text.split()]
    known = {text: [word for word in text.split() if word in vectors] for text in texts}
    means = {
        text: sum(1e-3 / (1e-3 + words.count(word) / len(words)) * vectors[word] for word in found)
        / len(found)
        for text, found in known.items()
    }
    if remove:
        first = np.linalg.svd(np.array(list(means.values())), full_matrices=False)[2][0]
        means = {text: mean - first * (first @ mean) for text, mean in means.items()}
    for pair in pairs:
        one, other = means[pair.original], means[pair.paraphrase]
        lengths = np.linalg.norm(one), np.linalg.norm(other)
        yield one @ other / math.prod(lengths) if min(lengths) > 1e-4 else None


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=4, max_size=8), st.booleans())
def test_sif_equals_the_slow_form(file, texts, remove):
    pairs = [
        Pair(" ".join([*original, "w0"]), " ".join([*paraphrase, "w1"]))
        for original, paraphrase in texts
    ]
    sif = metric(file, weights="sif", common="remove" if remove else "keep")
    sif.use(json.loads(json.dumps(sif.prepare(iter(pairs)))))
    for found, expected in zip(sif.score_many(pairs), slow_sif(file, pairs, remove), strict=True):
        assert expected is None or found.value == pytest.approx(expected, abs=1e-3)


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


def test_the_common_part_of_nothing(circle):
    removing = metric(circle, common="remove")
    removing.use(removing.prepare([Pair("unseen", "strange")]))
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
