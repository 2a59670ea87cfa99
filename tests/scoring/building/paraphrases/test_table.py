"""Paraphrase tables of linked texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.paraphrases.counting import SpanLabels
from scoring.building.paraphrases.table import paraphrase, save_for_paraeval
from scoring.metrics.resources.table import load_table
from tests.scoring.building.paraphrases.linked import (
    ENGLISH,
    FOREIGN,
    LINKS,
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
    path.write_text("".join(table.lines()), encoding="utf-8")
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
