"""Modified Kneser-Ney against numbers of the formulas in plain Python."""

import io
import random
from collections import Counter

import kenlm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building import language_model
from scoring.building.language_model import (
    counted,
    discounts,
    estimate,
    pruning_problem,
    train,
    write_arpa,
)
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.arpa import read_arpa
from tests.scoring.building.numbered import SENTENCES, ngrams, numbered
from tests.scoring.building.zipf import zipf_sentences


def trained(sentences, order, prune=()):
    return estimate(*counted(numbered(sentences), order), prune)[0]


def predicted(model, context, word):
    """p(word | context) by the scores of two sentences' beginnings."""
    numbers = model.words.find(["<s>", *context, word, "</s>"])
    return float(10 ** model._logs(np.array(numbers[:-1]))[-1])


# Logarithms to base 10 of the first and of all of forty sentences, by the formulas written out with
# dictionaries. Those of one word have the discounts to fall back on, others their own.
FORMULAS = {
    1: (-4.532263, -389.90661),
    2: (-3.711631, -285.40186),
    3: (-3.991942, -294.48534),
    4: (-3.912888, -297.62764),
}


@pytest.mark.parametrize(("order", "expected"), FORMULAS.items())
def test_probabilities_are_those_of_the_formulas(order, expected):
    found = trained(zipf_sentences(300), order).score(zipf_sentences(40, seed=2)).logprob
    assert (found[0], found.sum()) == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("prune", [(), (0, 0, 1), (0, 1, 3)])
def test_the_words_after_any_context_share_1(prune):
    sentences = zipf_sentences(300)
    model = trained(sentences, 3, prune)
    marked = [("<s>", *sentence, "</s>") for sentence in sentences]
    for order in (2, 3):
        seen = Counter(one[at : at + order] for one in marked for at in range(len(one) - order + 1))
        least = prune[order - 1] if prune else 0
        assert len(model.levels[order - 1]) == sum(n > least for n in seen.values())
    draw = random.Random(3)
    words = [model.words[at] for at in range(len(model.words)) if model.words[at] != "<s>"]
    for _ in range(100):
        context = draw.choice(sentences)[: draw.randint(0, 4)]
        total = sum(predicted(model, context, word) for word in words)
        assert total == pytest.approx(1, abs=1e-6)


def test_discounts_by_hand():
    # n1 to n4 are 8, 4, 3, 2: Y = 8 / 16.
    found = discounts(np.repeat([1, 2, 3, 4, 5, 0], [8, 4, 3, 2, 9, 9]))
    assert found.estimated
    assert found.values == (1 - 2 * 0.5 * 4 / 8, 2 - 3 * 0.5 * 3 / 4, 3 - 4 * 0.5 * 2 / 3)


@pytest.mark.parametrize(
    "n",
    [
        (8, 4, 3, 0),  # No n-gram has the count 4 ...
        (8, 0, 3, 2),
        (0, 4, 3, 2),
        (8, 4, 20, 2),  # ... D_2 = 2 - 1.5 * 20 / 4 would be below 0 ...
        (8, 4, 1, 2),  # ... and D_3 = 3 - 2 * 2 / 1 too.
    ],
)
def test_discounts_fall_back(n):
    found = discounts(np.repeat([1, 2, 3, 4], n))
    assert (found.values, found.estimated) == ((0.5, 1.0, 1.5), False)


# From a text to a model, with KenLM as judge of the file.


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


# Counts of n-grams against plain counting.


@settings(max_examples=100)
@given(SENTENCES, st.integers(1, 5))
def test_every_ngram_between_the_marks_of_its_sentence(sentences, order):
    words, levels = counted(numbered(sentences), order)
    marked = [("<s>", *one, "</s>") for one in sentences if one]
    assert len(levels) == order
    grams = [(words[at],) for at in range(len(words))]
    for length, level in enumerate(levels, 1):
        plain = ngrams(marked, length, length)
        if length > 1:
            shorter = grams
            prefixes = level.prefix(len(words)).tolist()
            lasts = (level.keys % len(words)).tolist()
            grams = [(*shorter[at], words[last]) for at, last in zip(prefixes, lasts, strict=True)]
            assert [shorter[at] for at in level.suffix.tolist()] == [one[1:] for one in grams]
        found = dict(zip(grams, level.counts.tolist(), strict=True))
        assert found == ({("<unk>",): 0} if length == 1 else {}) | plain
        assert level.at_begin.tolist() == [one[0] == "<s>" for one in grams]
        assert (np.diff(level.keys) > 0).all()


# What is written is what is read, by us and by others.


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("arpa") / "m.arpa"


@given(sentences=SENTENCES, order=st.integers(1, 4), at_once=st.integers(1, 5))
def test_reading_gives_the_model_back(place, sentences, order, at_once):
    model, _ = estimate(*counted(numbered(sentences), order))
    with pytest.MonkeyPatch.context() as patch, place.open("wb") as stream:
        patch.setattr(language_model, "_AT_ONCE", at_once)
        write_arpa(model, stream)
    again = read_arpa(place).model
    assert again.order == order
    for ours, read in zip(model.levels, again.levels, strict=True):
        assert ours.keys.tolist() == read.keys.tolist()
        assert ours.probability.tolist() == pytest.approx(read.probability.tolist(), rel=1e-6)
        if len(ours.backoff):
            assert ours.backoff.tolist() == pytest.approx(read.backoff.tolist(), rel=1e-6)


def test_the_form_of_the_file():
    model, _ = estimate(*counted(numbered([["a"]]), 2))
    stream = io.BytesIO()
    write_arpa(model, stream)
    lines = stream.getvalue().decode().splitlines()
    assert lines[:5] == ["\\data\\", "ngram 1=4", "ngram 2=2", "", "\\1-grams:"]
    assert lines[-1] == "\\end\\"
    # p(a | <s>) = (1 - .5) / 1 + .5 p(a), p(a) = (1 - .5) / 2 + (.5 / 1) / 3.
    (line,) = [one for one in lines if one.endswith("\t<s> a")]
    assert float(line.split("\t")[0]) == pytest.approx(np.log10(0.5 + 0.5 * (0.25 + 0.5 / 3)))
