"""The recipe `lm`."""

import pytest

from scoring.building.corpora import index_corpus
from scoring.building.recipes.corpus import CORPUS, LANGUAGE_MODEL
from scoring.building.recipes.recipe import make
from scoring.metrics import Pair, create


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
    text.write_text("\n".join(lines), encoding="utf-8")
    corpus = make(CORPUS, {"text": text}, tmp_path / "corpus", {"tokenize": "ko"})
    made = make(LANGUAGE_MODEL, {"text": corpus.store}, tmp_path / "lm", {})
    metric = create("lm_fluency", {"lm": str(made.store), "tokenize": "ko"})
    pairs = [Pair("", one) for one in ("개가 방에서 잠을 잔다.", "방에서 개가 잔다 잠을.")]
    usual, unusual = metric.score_many(pairs)
    assert usual.detail["unknown"] == unusual.detail["unknown"] == 0
    assert usual.value > unusual.value
