"""Counts and places of phrases against plain counting."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.building import corpora
from scoring.building.corpora import (
    build_corpus,
    convert,
    index_corpus,
    open_corpus,
    read_numbered,
    suffix_array,
)
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
    (tmp_path / "some.txt").write_text("The Dog, the dog!\n", "utf-8")
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
    (tmp_path / "some.txt").write_text("고양이가 잠을 잔다.\n고양이는 귀엽다.\n", "utf-8")
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


# Suffix arrays against sorting in plain Python.


def plainly_sorted(tokens, depth):
    padded = tokens + [0] * depth
    places = [at for at, token in enumerate(tokens) if token]
    return sorted(places, key=lambda at: (padded[at : at + depth], at))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(1, 9))
def test_few_words_repeated_often(tokens, depth):
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=depth)
    assert found.tolist() == plainly_sorted(tokens, depth)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from([0, 1, 2, 2**30, 2**31 - 1]), min_size=1, max_size=40),
    st.integers(1, 9),
)
@example([1, 0, 0, 2**30, 1], 3)  # Zeros, and the end, after the same word.
def test_doubling_where_a_key_holds_few_words(tokens, depth):
    """Two words of 31 bits fill a key, so that all depths beyond need rounds of doubling."""
    assert corpora._BITS // 31 == 2
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=depth)
    assert found.tolist() == plainly_sorted(tokens, depth)


def test_the_fifth_word_decides_in_the_second_round_of_doubling():
    tokens = [1, 1, 1, 1, 3, 1, 1, 1, 1, 2, 0, 2**31 - 1]
    found = suffix_array(np.array(tokens, dtype=np.int32), depth=5)
    assert found.tolist() == plainly_sorted(tokens, 5)


# Reading of plain text into numbers of words.


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.txt"


def read(path, reserved=frozenset()):
    return read_numbered(path, str.split, progress=print, reserved=reserved)


def test_words_are_numbered_and_blank_lines_are_sentences(path):
    path.write_bytes("\ufeffa b a\r\n\n \nb 한국어\nlast".encode())
    text = read(path)
    assert text.words == ["a", "b", "한국어", "last"]
    assert text.tokens.tolist() == [1, 2, 1, 0, 0, 0, 2, 3, 0, 4, 0]
    assert text.sentences == 5


def test_words_are_compared_in_nfc(path):
    path.write_text("cafe\u0301 caf\u00e9\n", "utf-8")
    assert read(path).words == ["caf\u00e9"]


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (
            b"good\n\xff\nnul\0\n",
            ["2: is not UTF-8; save the file as UTF-8.", "3: holds a NUL character; take it out."],
        ),
        (b"good\n" + b"a " * 600_000, ["2: is over 1000000 bytes; break the line."]),
        (b" \n\n", ["0: has no words; write one sentence a line."]),
        (b"a <s> b\n", ["1: has the word <s>, which models use themselves; take it out."]),
    ],
)
def test_problems_name_file_and_line(path, content, problems):
    path.write_bytes(content)
    assert refused(read, path, frozenset({"<s>"})) == [f"some.txt:{line}" for line in problems]


def test_a_file_that_is_not_there_is_refused(path):
    assert refused(read, path) == ["some.txt:0: cannot be read (No such file or directory)."]


def test_progress_rises_to_the_end_of_a_long_text(path):
    shares = [0.0]
    path.write_text("a b\n" * 20_000)
    read_numbered(path, str.split, progress=shares.append)
    assert len(shares) == 5
    assert shares == sorted(shares)
    assert 0.8 < shares[-1] <= 1


# From a text file to a store.


def test_the_same_text_gives_the_same_bytes(tmp_path):
    source = tmp_path / "some.txt"
    source.write_text("b a\nb c a\n" * 50)
    found = []
    for name in ("one", "two"):
        index_corpus(source, tmp_path / name, lowercase=True)
        found.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert found[0] == found[1]
    assert sorted(found[0]) == [
        "about.json",
        "firsts.npy",
        "sa.npy",
        "starts.npy",
        "tokens.npy",
        "vocab-hashes.npy",
        "vocab-starts.npy",
        "vocab-text.npy",
    ]


def test_a_kind_of_resource_takes_the_text_as_it_is_and_tells_how_far_it_is(tmp_path):
    source, shares = tmp_path / "some.txt", [0.0]
    source.write_text("A cat. A dog.\n" * 10_000)
    assert convert(source, tmp_path / "store", progress=shares.append) == {
        "sentences": 10_000,
        "words": 40_000,
        "distinct": 3,
    }
    assert open_corpus(tmp_path / "store").counts(["A cat.", "cat"]).tolist() == [10_000, 0]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_an_unknown_tokenizer_is_named(tmp_path):
    with pytest.raises(ValueError, match="tokenize=nltk2 is not allowed"):
        index_corpus(tmp_path / "some.txt", tmp_path / "store", tokenize="nltk2")
