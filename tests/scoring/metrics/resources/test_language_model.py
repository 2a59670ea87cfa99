"""Scores of sentences by a model written by hand, and its stores."""

import pytest

from scoring.metrics.resources.arpa import convert, map_model, read_arpa
from tests.scoring.metrics.arpa_files import write_model


@pytest.fixture
def model(tmp_path):
    return read_arpa(write_model(tmp_path / "m.arpa")).model


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        # <s> a; a b after <s> (weight of <s> a); a b </s>.
        ("a b", (-0.375, -0.03125 - 0.625, -0.1875)),
        # b after <s> by its weight; b </s>, as <s> b is no context.
        ("b", (-0.25 - 0.875, -0.25)),
        # a a is unknown: weights of (<s> a), of a; then the end after a.
        ("a a", (-0.375, -0.03125 - 0.125 - 0.75, -0.125 - 0.5)),
        # An unknown word after a, and nothing is known after it.
        ("a x", (-0.375, -0.03125 - 0.125 - 1, -0.5)),
        ("", (-0.25 - 0.5,)),
    ],
)
def test_the_longest_ngram_counts_with_the_weights_of_longer_contexts(model, text, logs):
    scores = model.score([text.split()])
    assert scores.logprob.tolist() == [pytest.approx(sum(logs), abs=1e-6)]
    assert scores.words.tolist() == [len(text.split())]


def test_many_sentences_have_the_scores_that_each_has_alone(model):
    sentences = [text.split() for text in ("a b", "", "x a x", "b a b b", "a b")]
    together = model.score(sentences)
    alone = [model.score([one]) for one in sentences]
    assert together.logprob.tolist() == [one.logprob[0] for one in alone]
    assert together.unknown.tolist() == [0, 0, 2, 0, 0]
    # -1 for x, -0.75 for a, -0.875 for b.
    assert together.alone.tolist() == [-1.625, 0, -2.75, -3.375, -1.625]
    assert model.score([]).logprob.tolist() == []


def test_marks_in_a_text_are_unknown_words(model):
    scores = model.score([["<s>", "</s>", "<unk>"], ["x", "x", "x"]])
    assert scores.logprob[0] == scores.logprob[1]
    assert scores.unknown.tolist() == [3, 3]


def test_a_store_gives_the_same_scores(model, tmp_path):
    convert(tmp_path / "m.arpa", tmp_path / "store", progress=lambda share: None)
    sentences = [["a", "b"], ["x", "a"]]
    mapped = map_model(tmp_path / "store")
    assert mapped.order == 3
    assert mapped.score(sentences).logprob.tolist() == model.score(sentences).logprob.tolist()
