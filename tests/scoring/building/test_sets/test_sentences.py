"""Test sentences beside a training text."""

import pytest

from scoring.building.corpora import index_corpus, open_corpus
from scoring.building.test_sets.drawing import read_sentences, train_counts, train_warnings
from scoring.metrics.files import FileRefused

LONG = "one two three four five six seven eight nine"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "train"
    path.write_text(f"{LONG}\nThe dog\nthe dog\n", "utf-8")
    index_corpus(path, tmp_path / "store", lowercase=True)
    return open_corpus(tmp_path / "store")


def test_each_text_is_used_once(tmp_path):
    path = tmp_path / "test"
    path.write_text("a  b\n\nc\na b\n\n", "utf-8")
    file = read_sentences(path)
    assert (file.used, file.repeated, file.sentences) == ([0, 2], 1, [["a", "b"], ["c"]])
    assert len(file.every) == 5
    path.write_text("\n \n", "utf-8")
    with pytest.raises(FileRefused, match="has no sentence"):
        read_sentences(path)


def test_phrases_are_counted_as_the_corpus_is_cased(corpus):
    assert train_counts(corpus, ["the dog", "The Dog", "cat"]) == {
        "the dog": 2,
        "The Dog": 2,
        "cat": 0,
    }


def test_sentences_of_the_training_text_and_unknown_words_are_told(corpus):
    told = train_warnings(corpus, [LONG.split(), ["dog", "zzz"]])
    assert [str(one).split(";")[0] for one in told] == [
        "1 of 1 test sentences of 8 words or more are in the training text",
        "1 of 11 words of the test sentences are not in the training text",
    ]
    assert train_warnings(corpus, [LONG.upper().split()[:7]] * 3) == []
