"""Pairwise accuracy with credit for correct ties, and the tie threshold of a metric."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from scoring.stats.evaluation.pairwise import tie_accuracies
from tests.scoring.stats.evaluation.columns import ROWS, columns


@settings(max_examples=80)
@given(ROWS)
def test_accuracy_with_ties_by_brute_force(rows):
    human, metric, cluster = columns(rows)
    pairs = [
        (a, b) for a, b in itertools.combinations(range(len(rows)), 2) if cluster[a] == cluster[b]
    ]
    found = tie_accuracies(human, {"m": metric / 10}, cluster)["m"]
    if not pairs:
        assert all(one.value is None and "no pair" in one.reason for one in found.values())
        return

    def accuracy(epsilon):
        right = 0
        for a, b in pairs:
            gap = metric[a] - metric[b]
            said = 0 if abs(gap) <= epsilon else np.sign(gap)
            right += said == np.sign(human[a] - human[b])
        return right / len(pairs)

    sizes = sorted({0.0, *(abs(metric[a] - metric[b]) for a, b in pairs)})
    best = max(accuracy(size) for size in sizes)
    smallest = next(size for size in sizes if accuracy(size) == best)
    assert found["acc_eq"].value == pytest.approx(accuracy(0))
    assert found["acc_eq_calibrated"].value == pytest.approx(best)
    assert found["acc_eq_calibrated"].details["epsilon"] == pytest.approx(smallest / 10)
    assert found["acc_eq_calibrated"].n == len(pairs)


def test_a_threshold_fitted_elsewhere_does_no_better():
    rng = np.random.default_rng(5)
    human = rng.integers(1, 4, 120).astype(float)
    noise = rng.normal(size=120)
    found, again = (
        tie_accuracies(human, {"m": noise}, np.arange(120) // 6, folds=4, seed=3)["m"]
        for _ in range(2)
    )
    crossfit, calibrated = found["acc_eq_crossfit"], found["acc_eq_calibrated"]
    assert crossfit.value < calibrated.value
    assert len(crossfit.details["epsilon"]) == 4 and crossfit.n == calibrated.n
    assert again["acc_eq_crossfit"] == crossfit
    one = tie_accuracies(human[:6], {"m": noise[:6]}, np.zeros(6, dtype=np.int64))["m"]
    assert one["acc_eq_crossfit"].value is None and one["acc_eq"].value is not None


def test_items_of_a_phrase_are_in_one_fold():
    """The same texts in a second item of each phrase change neither epsilons nor value: an epsilon
    is never calibrated on what it is evaluated on. Epsilons are checked by trying all."""
    rng = np.random.default_rng(8)
    human, noise = rng.integers(1, 4, 60).astype(float), rng.normal(size=60)
    phrase, seed, folds = np.arange(60) // 5, 4, 3
    once = tie_accuracies(human, {"m": noise}, phrase, folds=folds, seed=seed)["m"]
    items = np.concatenate([phrase, 12 + phrase])
    twice = tie_accuracies(
        np.tile(human, 2),
        {"m": np.tile(noise, 2)},
        np.tile(phrase, 2),
        items=items,
        folds=folds,
        seed=seed,
    )["m"]
    one, other = once["acc_eq_crossfit"], twice["acc_eq_crossfit"]
    assert other.value == pytest.approx(one.value) and other.n == 2 * one.n
    assert other.details["epsilon"] == pytest.approx(one.details["epsilon"])

    a, b = np.triu_indices(60, 1)
    a, b = a[phrase[a] == phrase[b]], b[phrase[a] == phrase[b]]
    gap, people = noise[a] - noise[b], np.sign(human[a] - human[b])
    fold = (np.random.default_rng(seed).permutation(12) % folds)[phrase[a]]

    def right(epsilon, rows):
        said = np.where(np.abs(gap[rows]) <= epsilon, 0, np.sign(gap[rows]))
        return (said == people[rows]).sum()

    tried = np.concatenate([[0.0], np.sort(np.abs(gap))])
    best = [tried[np.argmax([right(e, fold != f) for e in tried])] for f in range(folds)]
    assert one.details["epsilon"] == pytest.approx(best)
    total = sum(right(epsilon, fold == f) for f, epsilon in enumerate(best))
    assert one.value == pytest.approx(total / a.size)
