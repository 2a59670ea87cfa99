"""Training on originals and on paraphrases."""

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from scoring.extrinsic.classifiers import CLASSIFIERS
from scoring.extrinsic.experiment import Outcomes, accuracies, class_counts, lines, run, split
from tests.scoring.extrinsic.reviews import BAD, GOOD, labelled, reviews


def blurred(texts):
    """A bad system: it turns most words of praise into blame."""
    turn = dict(zip(GOOD[:4], BAD[:4], strict=True))
    return [" ".join(turn.get(word, word) for word in text.split()) for text in texts]


@pytest.fixture(scope="module")
def found():
    texts, labels = reviews(300)
    data = labelled({"original": texts, "copy": texts, "blurred": blurred(texts)}, labels)
    return run(data, split(data.ids, labels, (150, 50, 100), 1), CLASSIFIERS, seed=1)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_copy_has_the_outcomes_of_the_original_and_bad_paraphrases_teach_less(found, name):
    for outcomes in (found.trained, found.tested):
        one, other = outcomes[name, "original"], outcomes[name, "copy"]
        assert np.array_equal(one.correct, other.correct)
        assert np.array_equal(one.p_true, other.p_true)
        assert outcomes[name, "blurred"].correct.mean() < min(one.correct.mean(), 0.9) - 0.1
    assert np.array_equal(
        found.trained[name, "original"].p_true, found.tested[name, "original"].p_true
    )


def test_accuracy_is_the_share_with_wilsons_interval(found):
    one = found.trained["nb", "blurred"]
    right = int(one.correct.sum())
    low, high = proportion_confint(right, 100, method="wilson")
    assert one.accuracy() == pytest.approx(
        {"value": right / 100, "ci_low": low, "ci_high": high, "n": 100}
    )
    assert len(found.ids) == 100
    assert ((one.p_true > 0.5) == one.correct).all()


def test_comparisons_are_those_of_statsmodels(found):
    rows = found.comparisons()
    assert len(rows) == 4 * 3
    for row in rows:
        one, other = (found.trained[row["classifier"], row[key]].correct for key in ("a", "b"))
        table = [
            [np.sum(one & other), np.sum(one & ~other)],
            [np.sum(~one & other), np.sum(~one & ~other)],
        ]
        assert row["p_value"] == pytest.approx(mcnemar(table, exact=True).pvalue)
    adjusted = multipletests([row["p_value"] for row in rows], method="holm")[1]
    assert [row["holm"] for row in rows] == pytest.approx(adjusted)


def test_order_progress_and_counts():
    texts, labels = reviews(60)
    data = labelled({"a": texts, "b": texts}, labels)
    parts = split(data.ids, labels, (30, 0, 20), 1)
    shares = []
    found = run(data, parts, ["mlp", "nb"], seed=1, progress=shares.append)
    assert list(found.trained) == [("mlp", "a"), ("mlp", "b"), ("nb", "a"), ("nb", "b")]
    assert shares == [0.25, 0.5, 0.75, 1]
    assert class_counts(data, parts) == {
        "training": {"neg": 15, "pos": 15},
        "validation": {"neg": 0, "pos": 0},
        "test": {"neg": 10, "pos": 10},
    }


def test_nothing_right_has_a_lower_limit_of_0():
    one = Outcomes(np.zeros(4, dtype=bool), np.zeros(4))
    assert one.accuracy()["ci_low"] == 0


@pytest.mark.slow
def test_lines_are_chance_the_majority_and_less_than_the_whole():
    texts, labels = reviews(1200)
    # Two thirds are of one class, so that the majority is above chance.
    chosen = [at for at, label in enumerate(labels) if label == "pos" or at % 4 < 2]
    texts, labels = [texts[at] for at in chosen], [labels[at] for at in chosen]
    data = labelled({"original": texts}, labels)
    parts = split(data.ids, labels, (500, 100, 300), 1)
    shares = []
    found = lines(data, parts, CLASSIFIERS, seed=1, progress=shares.append)
    whole = accuracies(run(data, parts, CLASSIFIERS, seed=1).trained)
    most = class_counts(data, parts)["test"]["pos"] / 300
    assert list(found) == list(CLASSIFIERS) and most > 0.55
    for name, row in found.items():
        assert row["majority"]["value"] == most and row["majority"]["n"] == 300
        assert row["shuffled"]["value"] < row["half"]["value"]
        assert row["shuffled"]["value"] <= most + 0.15
        assert row["half"]["value"] <= whole[name]["original"]["value"] + 0.05
    assert shares == sorted(shares) and lines(data, parts, CLASSIFIERS, seed=1) == found
