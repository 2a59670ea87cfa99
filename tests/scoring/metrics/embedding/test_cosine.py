"""The cosine of mean vectors beside gensim, and SIF by hand and by numpy's decomposition."""

import math

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.embedding.distances import EmbeddingMetric
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import convert
from tests.scoring.metrics.vector_files import ANGLES, CIRCLE, VOCABULARY, cosine, write_vectors

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


# WEEM4PG beside a plain loop over gensim's vectors, and the choices that its options name.
#
# Hailu, Yu and Fantaye (2020), equation 1; the paper prints no worked example.


def score(circle, original, paraphrase, **options):
    return create("weem4pg", {"vectors": circle, **options}).score(Pair(original, paraphrase))


NEAR = cosine("kitten", "cat")
SHARE = {"factor": "share"}


@pytest.mark.parametrize(
    ("original", "paraphrase", "options", "value"),
    [
        # Shared: cat (N = 1, factor 1). Nearest to `lay`: sat. (1 + cos 10 degrees) / 2.
        ("the cat sat", "cat lay", {}, (1 + cosine("lay", "sat")) / 2),
        # Shared: the, cat, sat (N = 3): sqrt(3)/3; `the` counts although it has no vector.
        ("the cat sat", "the cat sat", {}, math.sqrt(3) / 3),
        # A cosine below zero stays.
        ("cat", "not", {}, -1),
        # Nothing shared.
        ("cat", "kitten", {}, NEAR),
        ("cat", "kitten", {"zero_overlap": "zero"}, 0),
        ("cat", "kitten", {"zero_overlap": "undefined"}, None),
        ("cat", "kitten", {**SHARE, "zero_overlap": "zero"}, NEAR),
        # Unknown words; one that the original has is 1 either way.
        ("cat", "kitten unseen", {}, NEAR / 2),
        ("cat", "kitten unseen", {"unknown": "skip"}, NEAR),
        ("unseen cat", "unseen", {}, 1),
        ("unseen", "kitten", {}, None),
        ("cat", "unseen strange", {}, None),
        # 3 tokens are shared, 2 types.
        ("cat cat sat", "cat cat cat sat", {}, math.sqrt(3) / 3),
        ("cat cat sat", "cat cat cat sat", {"count": "types"}, math.sqrt(2) / 2),
        ("cat cat sat", "cat cat cat sat", {"count": "types_by_tokens"}, math.sqrt(2) / 3),
        # The share does not fall with length.
        ("cat sat", "kitten sat", SHARE, (1 - 1 / 2) * (1 + NEAR) / 2),
        ("cat sat " * 9, "kitten sat " * 9, SHARE, (1 - 1 / 2) * (1 + NEAR) / 2),
        # Case and punctuation.
        ("The CAT.", "the cat", {}, math.sqrt(2) / 2),
        ("CAT", "cat", {"lowercase": "no"}, None),
    ],
)
def test_weem4pg_worked_by_hand(circle, original, paraphrase, options, value):
    found = score(circle, original, paraphrase, **options)
    assert found.value == pytest.approx(value)
    assert ("zero_overlap" in (found.reason or "")) == (options.get("zero_overlap") == "undefined")


def test_it_tells_how_many_words_were_compared(circle):
    assert score(circle, "cat", "kitten unseen").detail == {"compared": 1, "words": 2}


# Word mover's distance beside gensim's, and beside all plans of small texts.


TEXT = st.lists(st.sampled_from([*VOCABULARY, "unseen"]), min_size=1, max_size=10)


def wmd(file, original, paraphrase):
    return create("wmd", {"vectors": file}).score(Pair(original, paraphrase))


@pytest.mark.slow
@given(TEXT, TEXT)
def test_wmd_equals_gensim(file, original, paraphrase):
    found = wmd(file, " ".join(original), " ".join(paraphrase))
    expected = KeyedVectors.load_word2vec_format(file).wmdistance(original, paraphrase, norm=True)
    if found.value is None:
        assert expected == math.inf
    else:
        assert found.value == pytest.approx(expected, abs=1e-5)


def test_wmd_worked_by_hand(circle):
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
def test_wmd_is_undefined(circle, original, paraphrase, reason):
    assert wmd(circle, original, paraphrase).reason == reason


# What metrics over word vectors share: their options, their words, their vectors.


NAMES = ("embedding_cosine", "wmd", "weem4pg")


@pytest.mark.parametrize("name", NAMES)
def test_words_are_cut_as_the_options_say(name, circle):
    metric = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "no"})
    assert isinstance(metric, EmbeddingMetric)
    assert metric.words("Red, green!") == ("Red", "green")
    lower = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "yes"})
    assert lower.words("Red, green!") == ("red", "green")
