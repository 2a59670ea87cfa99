"""The recipe `corpus`."""

import pytest

from scoring.building.corpora import index_corpus, open_corpus
from scoring.building.recipes.corpus import CORPUS, LANGUAGE_MODEL
from scoring.building.recipes.recipe import make
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("The Cat, the cat!\n\n고양이가 잔다.\n", "utf-8")
    return path


def test_a_text_is_cut_and_indexed(text, tmp_path):
    options = {"tokenize": "13a", "lowercase": "yes"}
    made = make(CORPUS, {"text": text}, tmp_path / "work", options)
    assert made.plain.read_text("utf-8").splitlines() == [
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


# The recipe `lm`.


def test_a_model_of_a_corpus_is_that_of_its_text_and_serves_the_metric(zipf_text, tmp_path):
    index_corpus(zipf_text, tmp_path / "store")
    of_store, made = (
        make(LANGUAGE_MODEL, {"text": source}, tmp_path / name, {"order": 2})
        for name, source in (("one", tmp_path / "store"), ("two", zipf_text))
    )
    assert of_store.plain.read_bytes() == made.plain.read_bytes()
    assert (made.numbers["sentences"], made.numbers["order"]) == (300, 2)
    stored, plain = (create("lm_fluency", {"lm": str(at)}) for at in (made.store, made.plain))
    assert stored.score(Pair("", "w0 w3 w1")) == plain.score(Pair("", "w0 w3 w1"))
    assert stored.signature() == plain.signature()


def test_pruning_is_an_option(zipf_text, tmp_path):
    sizes = [
        make(LANGUAGE_MODEL, {"text": zipf_text}, tmp_path / f"{at}", {"prune": prune}).numbers[
            "ngrams"
        ]
        for at, prune in enumerate(("none", "0+0+1", "0+1"))
    ]
    assert sizes[0] > sizes[1] > sizes[2]
    for prune, problem in (("1", "must begin with 0"), ("0+x", "write counts with")):
        with pytest.raises(ValueError, match=problem):
            LANGUAGE_MODEL.read({"prune": prune})
    assert LANGUAGE_MODEL.read({"prune": "00+1"})["prune"] == "0+1"


@pytest.mark.slow
def test_korean_is_cut_by_the_corpus_and_scored_by_morphemes(tmp_path):
    text = tmp_path / "ko.txt"
    lines = ["고양이가 방에서 잠을 잔다.", "개가 방에서 밥을 먹는다.", "고양이가 밥을 먹는다."] * 3
    text.write_text("\n".join(lines), "utf-8")
    corpus = make(CORPUS, {"text": text}, tmp_path / "corpus", {"tokenize": "ko"})
    made = make(LANGUAGE_MODEL, {"text": corpus.store}, tmp_path / "lm", {})
    metric = create("lm_fluency", {"lm": str(made.store), "tokenize": "ko"})
    pairs = [Pair("", one) for one in ("개가 방에서 잠을 잔다.", "방에서 개가 잔다 잠을.")]
    usual, unusual = metric.score_many(pairs)
    assert usual.detail["unknown"] == unusual.detail["unknown"] == 0
    assert usual.value > unusual.value
