"""From a text to a model, with KenLM as judge of the file."""

import kenlm
import pytest

from scoring.building.language_model import pruning_problem, train, write_arpa
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.arpa import read_arpa
from tests.scoring.building.zipf import zipf_sentences


@pytest.mark.parametrize(("order", "prune"), [(3, ()), (5, ()), (3, (0, 1))])
def test_kenlm_gives_the_same_scores(zipf_text, order, prune):
    path = zipf_text.with_suffix(".arpa")
    with path.open("wb") as stream:
        write_arpa(train(zipf_text, order=order, prune=prune).model, stream)
    model, theirs = read_arpa(path).model, kenlm.Model(str(path))
    assert theirs.order == order
    sentences = [*zipf_sentences(200, seed=2), ["none", "w1", "none"]]
    scores = model.score(sentences)
    for sentence, logprob in zip(sentences, scores.logprob.tolist(), strict=True):
        assert logprob == pytest.approx(theirs.score(" ".join(sentence)), abs=1e-4)


def test_the_same_text_gives_the_same_bytes(zipf_text):
    found = set()
    for name in ("one", "two"):
        with zipf_text.with_name(name).open("wb") as stream:
            write_arpa(train(zipf_text, order=3).model, stream)
        found.add(zipf_text.with_name(name).read_bytes())
    assert len(found) == 1


def test_words_of_models_are_refused_in_a_text(zipf_text):
    zipf_text.write_text("a b\na </s> b\n")
    with pytest.raises(FileRefused, match="some.txt:2: has the word </s>, which models use"):
        train(zipf_text, order=2)


def test_blank_lines_are_no_sentences(zipf_text):
    zipf_text.write_text("a b\n\n \nb\n")
    assert train(zipf_text, order=2).sentences == 2


@pytest.mark.parametrize("prune", [(1,), (0, 2, 1), (0, 0, 0, 0)])
def test_thresholds_that_no_model_allows(prune, zipf_text):
    assert pruning_problem(prune, 3)
    with pytest.raises(ValueError, match="thresholds"):
        train(zipf_text, order=3, prune=prune)
    assert not pruning_problem((), 3)
    assert not pruning_problem((0, 0, 1), 3)


def test_progress_rises(zipf_text):
    shares = []
    train(zipf_text, order=2, progress=shares.append)
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1
