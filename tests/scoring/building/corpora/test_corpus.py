"""Counts and places of phrases against plain counting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building import corpora
from scoring.building.corpora import build_corpus, index_corpus, open_corpus
from tests.scoring.building.numbered import SENTENCES, ngrams, numbered
from tests.scoring.metrics.damage import put
from tests.scoring.metrics.refused import refused


def corpus_of(sentences, depth=3):
    return build_corpus(numbered(sentences), tokenize="none", lowercase=False, depth=depth)


@settings(max_examples=100)
@given(SENTENCES, st.lists(st.lists(st.sampled_from("abcx"), max_size=6), max_size=8))
def test_counts_are_those_of_plain_counting(sentences, asked):
    """Phrases deeper than the suffixes are sorted by are among them."""
    counted = ngrams(sentences, 6)
    phrases = [*counted, *map(tuple, asked)]
    found = corpus_of(sentences).counts(phrases)
    assert found.tolist() == [counted[phrase] for phrase in phrases]


@settings(max_examples=100)
@given(SENTENCES, st.lists(st.sampled_from("abcx"), min_size=1, max_size=5))
def test_places_are_in_the_order_of_the_text(sentences, phrase):
    found = corpus_of(sentences).occurrences(phrase)
    assert found.tolist() == [
        [at, start]
        for at, one in enumerate(sentences)
        for start in range(len(one) - len(phrase) + 1)
        if one[start : start + len(phrase)] == phrase
    ]


@pytest.fixture
def store(tmp_path):
    (tmp_path / "some.txt").write_text("the first one\nthe last")
    index_corpus(tmp_path / "some.txt", tmp_path / "store")
    return tmp_path / "store"


@given(sentences=SENTENCES, at_once=st.integers(1, 4))
def test_the_text_comes_back(sentences, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpora, "_AT_ONCE", at_once)
        assert list(corpus_of(sentences).lines()) == [" ".join(one) + "\n" for one in sentences]


def test_first_and_last_sentence_and_what_crosses_their_border(store):
    corpus = open_corpus(store)
    asked = ["the first one", "the last", "one the", "last", "the", "last the", "", "none"]
    assert corpus.counts(asked).tolist() == [1, 1, 0, 1, 2, 0, 0, 0]
    assert corpus.occurrences("the").tolist() == [[0, 0], [1, 0]]
    assert corpus.occurrences("last").tolist() == [[1, 1]]
    assert corpus.occurrences("none").shape == (0, 2)
    assert corpus.counts([]).tolist() == []


def test_phrases_are_cut_as_the_corpus_was(tmp_path):
    (tmp_path / "some.txt").write_text("The Dog, the dog!\n", encoding="utf-8")
    index_corpus(tmp_path / "some.txt", tmp_path / "marks", tokenize="13a", lowercase=True)
    marks = open_corpus(tmp_path / "marks")
    assert marks.sentence(0) == ["the", "dog", ",", "the", "dog", "!"]
    assert marks.counts(["THE dog", "dog,", "dog!", ("dog", ","), ("The",)]).tolist() == [
        2,
        1,
        1,
        1,
        0,
    ]
    index_corpus(tmp_path / "some.txt", tmp_path / "words", tokenize="words")
    assert open_corpus(tmp_path / "words").counts(["Dog", "dog", "Dog the"]).tolist() == [1, 1, 1]


@pytest.mark.slow
def test_korean_by_morphemes(tmp_path):
    (tmp_path / "some.txt").write_text("고양이가 잠을 잔다.\n고양이는 귀엽다.\n", encoding="utf-8")
    index_corpus(tmp_path / "some.txt", tmp_path / "store", tokenize="ko")
    counts = open_corpus(tmp_path / "store").counts(["고양이", "고양이가", "개"])
    assert counts.tolist() == [2, 1, 0]


def test_a_store_that_is_none_or_damaged_is_refused(store):
    assert refused(open_corpus, store.parent) == [
        f"{store.parent.name}:0: is not a store of a corpus; create it with index_corpus."
    ]
    for name, damage, start in (
        ("starts.npy", np.zeros(3, np.int64), "store:0: its files do not belong together; create"),
        ("sa.npy", "\x93NUMPY damaged", "sa.npy:0: is damaged"),
        ("about.json", '{"sha256": "0"}', "about.json:0: is not that of a corpus"),
    ):
        put(store / name, damage)
        assert refused(open_corpus, store)[0].startswith(start)
