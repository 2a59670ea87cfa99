"""The recipe `corpus`."""

import pytest

from scoring.building.corpora import index_corpus, open_corpus
from scoring.building.recipes.corpus import CORPUS
from scoring.building.recipes.recipe import make
from scoring.metrics.files import FileRefused


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("The Cat, the cat!\n\n고양이가 잔다.\n", encoding="utf-8")
    return path


def test_a_text_is_cut_and_indexed(text, tmp_path):
    options = {"tokenize": "13a", "lowercase": "yes"}
    made = make(CORPUS, {"text": text}, tmp_path / "work", options)
    assert made.plain.read_text(encoding="utf-8").splitlines() == [
        "the cat , the cat !",
        "",
        "고양이가 잔다 .",
    ]
    corpus = open_corpus(made.store)
    assert corpus.counts(["THE CAT", "cat!", "잔다."]).tolist() == [2, 1, 1]
    assert made.numbers == {"sentences": 3, "words": 9, "distinct": 7}


@pytest.mark.slow
def test_a_corpus_can_be_cut_in_another_way(text, tmp_path):
    """From a resource, whose file is not kept."""
    index_corpus(text, tmp_path / "store")
    of_store = make(CORPUS, {"text": tmp_path / "store"}, tmp_path / "one", {"tokenize": "words"})
    of_text = make(CORPUS, {"text": text}, tmp_path / "two", {"tokenize": "words"})
    assert of_store.plain.read_text() == of_text.plain.read_text()
    assert of_store.plain.read_text().splitlines()[0] == "The Cat the cat"
    assert of_store.signature == of_text.signature
    made = make(CORPUS, {"text": tmp_path / "store"}, tmp_path / "three", {"tokenize": "ko"})
    assert open_corpus(made.store).counts(["고양이"]).tolist() == [1]


def test_a_bad_text_is_refused_with_its_line(text, tmp_path):
    text.write_bytes(b"fine\n\xff\n")
    with pytest.raises(FileRefused, match="some.txt:2: is not UTF-8"):
        make(CORPUS, {"text": text}, tmp_path / "work", {})
