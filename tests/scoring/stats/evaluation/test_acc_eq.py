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
