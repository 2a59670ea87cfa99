"""Paraphrase tables of linked texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.paraphrases import counting
from scoring.building.paraphrases.counting import SpanLabels, count, count_pairs, extract
from scoring.building.paraphrases.table import (
    build_store,
    open_phrases,
    paraphrase,
    save_for_paraeval,
    write_phrases,
)
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.table import load_table
from tests.scoring.building.paraphrases.linked import (
    ENGLISH,
    FOREIGN,
    LINKS,
    PAIRS,
    as_linked,
    assert_means,
    brute,
    pivoted,
    texts,
)


def as_dict(table):
    rows = [line.rstrip("\n").split("\t") for line in table.lines()]
    return {(one, other): float(value) for one, other, value in rows}


def test_the_lines_of_the_example():
    # "y" is the translation of cat (twice), a cat and kitty.
    table = paraphrase([as_linked(ENGLISH, FOREIGN, LINKS)])
    assert list(table.lines()) == [
        "a cat\tcat\t0.5\n",
        "a cat\tkitty\t0.25\n",
        "cat\ta cat\t0.25\n",
        "cat\tkitty\t0.25\n",
        "kitty\tcat\t0.5\n",
        "kitty\ta cat\t0.25\n",
    ]


@given(texts(), texts())
def test_texts_are_joined_by_their_phrases(one, other):
    both = [pivoted(brute(*text, 5)) for text in (one, other)]
    table = paraphrase([as_linked(*one), as_linked(*other)], least=0, most=0)
    assert_means(as_dict(table), both)


@given(texts(), st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=2), max_size=3))
def test_wanted_phrases_get_the_same_rows(text, wanted):
    names = {" ".join(words) for words in wanted}
    every = as_dict(paraphrase([as_linked(*text)]))
    found = as_dict(paraphrase([as_linked(*text)], wanted=wanted))
    assert found == {pair: p for pair, p in every.items() if pair[0] in names}


def test_with_a_label_only_phrases_with_this_label_count():
    # Spans are coded 16 x start + words. "cat" of both sentences and "kitty" have label 1, and
    # "cat" of the first has label 0 too.
    spans = [1 * 16 + 1, 1 * 16 + 1, 4 * 16 + 1, 5 * 16 + 1]
    labels = SpanLabels(np.array(spans), np.array([0, 1, 1, 1]))
    table = paraphrase([as_linked(ENGLISH, FOREIGN, LINKS, labels=labels)])
    found = table.labelled
    assert found is not None
    keys = [
        (table.phrases[p], label, n)
        for p, label, n in zip(found.phrase, found.label, found.times, strict=True)
    ]
    assert keys == [("cat", 0, 1), ("cat", 1, 2), ("kitty", 1, 1)]
    rows = zip(found.rows.phrase, found.rows.paraphrase, found.rows.probability, strict=True)
    assert [(keys[a][0], keys[b][0], p) for a, b, p in rows] == [
        ("cat", "kitty", pytest.approx(1 / 3)),
        ("kitty", "cat", pytest.approx(2 / 3)),
    ]


def test_paraeval_reads_the_same_from_the_store_as_from_the_lines(tmp_path):
    # A mark between the words, another case, and a phrase of a mark alone.
    english = [["A", "cat"], ["a", ",", "cat"], ["cat"], [","], ["kitty"]]
    foreign = [["y"], ["y"], ["y"], ["y"], ["y"]]
    links = [[(n, 0) for n in range(len(words))] for words in english]
    table = paraphrase([as_linked(english, foreign, links)])
    path = tmp_path / "table.tsv"
    path.write_text("".join(table.lines()), "utf-8")
    assert save_for_paraeval(table, tmp_path / "store", source_sha256="0" * 64)
    read, stored = load_table(str(path)), load_table(str(tmp_path / "store"))
    assert (stored.phrases[0], len(stored.phrases), stored.weighted) == (
        read.phrases[0],
        len(read.phrases),
        True,
    )
    assert stored.offsets.tolist() == read.offsets.tolist()
    assert stored.partners.tolist() == read.partners.tolist()
    assert stored.probabilities == pytest.approx(read.probabilities)


def test_a_table_without_a_pair_of_different_words_is_not_written(tmp_path):
    table = paraphrase([as_linked([["a"], ["A"]], [["y"], ["y"]], [[(0, 0)], [(0, 0)]])])
    assert Counter(as_dict(table)) == {("a", "A"): 0.5, ("A", "a"): 0.5}
    assert not save_for_paraeval(table, tmp_path / "store", source_sha256="0" * 64)
    assert not (tmp_path / "store").exists()


# Stores of directed paraphrases.


# "cat" of both sentences and "kitty" have label 1; "cat" of the first has label 0 too.
LABELS = SpanLabels(np.array([17, 17, 65, 81]), np.array([0, 1, 1, 1]))


@pytest.fixture
def folder(tmp_path):
    table = paraphrase([as_linked(ENGLISH, FOREIGN, LINKS, labels=LABELS)])
    write_phrases(build_store(table, ("X", "NN")), tmp_path / "store", source_sha256="0" * 64)
    return tmp_path / "store"


def test_paraphrases_are_found_by_phrase_and_label(folder):
    store = open_phrases(folder)
    assert store.best("a cat") == [("cat", 0.5), ("kitty", 0.25)]
    assert store.best("sat") == store.best("lion") == []
    assert store.labels_of("cat") == {"X": 1, "NN": 2}
    assert store.labels_of("a cat") == {}
    assert store.best_with("cat", "NN") == [("kitty", pytest.approx(1 / 3))]
    assert store.best_with("kitty", "NN") == [("cat", pytest.approx(2 / 3))]
    assert store.best_with("cat", "X") == store.best_with("cat", "VP") == []


@pytest.mark.parametrize("name", ["partners.npy", "about.json", "key_times.npy"])
def test_a_store_of_mixed_files_is_refused(folder, name):
    if name == "about.json":
        (folder / name).unlink()
    else:
        np.save(folder / name, np.array([0], dtype=np.int64))
    with pytest.raises(FileRefused, match="store again|with pivot --store"):
        open_phrases(folder)


# Extraction of phrase pairs against their definition.


def extracted(english, foreign, links, longest, blocks):
    text = as_linked(english, foreign, links)
    flat = [[word for words in side for word in words] for side in (english, foreign)]
    found = Counter()
    for first, last in blocks:
        pairs = extract(
            text.links,
            text.english.starts,
            text.foreign.starts,
            longest=longest,
            first=first,
            last=last,
        )
        columns = (
            pairs.english_start,
            pairs.english_length,
            pairs.foreign_start,
            pairs.foreign_length,
        )
        assert len(pairs) == len(columns[0])
        for e, n, f, m in zip(*(column.tolist() for column in columns), strict=True):
            found[" ".join(flat[0][e : e + n]), " ".join(flat[1][f : f + m])] += 1
    return found


def test_every_pair_of_the_example():
    assert extracted(ENGLISH, FOREIGN, LINKS, 5, [(0, 3)]) == PAIRS


@settings(max_examples=100)
@given(texts(), st.integers(1, 5), st.integers(0, 4))
def test_pairs_are_those_of_the_definition(text, longest, cut):
    blocks = [(0, min(cut, len(text[0]))), (min(cut, len(text[0])), len(text[0]))]
    assert extracted(*text, longest, blocks) == brute(*text, longest)


def test_free_words_of_the_next_sentence_are_none_of_this_one():
    text = [["a"], ["b"]], [["x"], ["y", "z"]], [[(0, 0)], [(0, 1)]]
    pairs = {("a", "x"): 1, ("b", "z"): 1, ("b", "y z"): 1}
    assert extracted(*text, 2, [(0, 2)]) == pairs


# CodeCounts of phrase pairs.


def as_counts(text, found):
    names = zip(text.english.texts(found.english), text.foreign.texts(found.foreign), strict=True)
    return dict(zip(names, found.times.tolist(), strict=True))


@given(texts())
def test_counts_are_those_of_the_definition(text):
    linked = as_linked(*text)
    assert as_counts(linked, count_pairs(linked, longest=5)) == brute(*text, 5)


@given(st.lists(st.lists(st.integers(0, 5)), max_size=20))
def test_parts_are_counted_as_one(parts):
    found = count(np.array(part, dtype=np.int64) for part in parts)
    every = Counter(code for part in parts for code in part)
    assert dict(zip(found.codes.tolist(), found.times.tolist(), strict=True)) == every
    assert found.codes.tolist() == sorted(every)


def test_blocks_of_sentences_change_no_count(monkeypatch):
    text = ([["a", "b", "c"]] * 5, [["x", "y"]] * 5, [[(0, 1), (2, 0)]] * 5)
    whole = count_pairs(as_linked(*text), longest=3)
    monkeypatch.setattr(counting, "_BLOCK", 2)
    parts = count_pairs(as_linked(*text), longest=3)
    assert parts.times.tolist() == whole.times.tolist() != []
    assert parts.english.tolist() == whole.english.tolist()
