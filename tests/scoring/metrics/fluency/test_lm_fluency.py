"""Fluency by a model written by hand."""

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.metrics.arpa_files import write_model

# As tests/scoring/metrics/resources/test_arpa.py has them by hand.
LOG_A_B = -0.375 - 0.65625 - 0.1875
LOG_B_X = -0.25 - 0.875 - 0.0625 - 1 - 0.5


@pytest.fixture
def model(tmp_path):
    return str(write_model(tmp_path / "m.arpa"))


def score(model, original, paraphrase, **options):
    return create("lm_fluency", {"lm": model, **options}).score(Pair(original, paraphrase))


@pytest.mark.parametrize(
    ("normalise", "one", "other"),
    [
        ("per_word", LOG_A_B / 3, LOG_B_X / 3),
        ("slor", (LOG_A_B + 1.625) / 2, (LOG_B_X + 1.875) / 2),
        ("delta", LOG_A_B - LOG_B_X, 0.0),
        ("raw", LOG_A_B, LOG_B_X),
    ],
)
def test_each_way_to_normalise(model, normalise, one, other):
    metric = create("lm_fluency", {"lm": model, "normalise": normalise})
    pairs = [Pair("b x", "a b"), Pair("b x", "b x")]
    together = metric.score_many(pairs)
    assert [found.value for found in together] == [pytest.approx(one), pytest.approx(other)]
    assert [metric.score(pair) for pair in pairs] == together
    assert together[1].detail["unknown"] == 1
    assert together[1].detail["logprob10"] == pytest.approx(LOG_B_X)


def test_per_word_is_the_default_and_the_original_is_not_read(model):
    assert score(model, "", "a b").value == pytest.approx(LOG_A_B / 3)
    assert score(model, "a b", "a b") == score(model, "x x x", "a b")


def test_texts_without_words_are_undefined(model):
    assert score(model, "a", " ").reason == "The paraphrase has no words."
    assert score(model, " ", "a", normalise="delta").reason == "The original has no words."
    assert score(model, "a", "a" * 20_001).reason.startswith("The paraphrase has 20,001")


def test_texts_are_cut_as_asked(model):
    assert score(model, "a", "A b").detail["unknown"] == 1
    assert score(model, "a", "A b", lowercase="yes").value == pytest.approx(LOG_A_B / 3)
    assert score(model, "a", "a b.").detail["words"] == 2
    assert score(model, "a", "a b.", tokenize="13a").detail["words"] == 3


def test_a_model_that_is_none_is_refused_before_scoring(tmp_path):
    (tmp_path / "bad.arpa").write_text("no model\n")
    metric = create("lm_fluency", {"lm": str(tmp_path / "bad.arpa")})
    with pytest.raises(FileRefused, match="bad.arpa:0: has no line"):
        metric.load()
