"""Which of two paraphrases of one original is better: does a metric say what the humans say?"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from scoring.stats.evaluation.pairwise import accuracies, pairwise_accuracy
from tests.scoring.stats.evaluation.columns import HUMAN, ROWS, A, clustered, columns


@pytest.mark.parametrize(
    ("human", "codes", "reason"),
    [
        (HUMAN, np.arange(20), "no pair of units"),
        (np.ones(20), np.zeros(20, dtype=np.int64), "humans tie every pair"),
        (np.full(20, np.nan), None, "no pair of units"),
    ],
)
def test_without_a_decided_pair_there_is_no_accuracy(human, codes, reason):
    found = pairwise_accuracy(human, A, codes)
    assert found.value is None and reason in found.reason


@settings(max_examples=60)
@given(ROWS)
def test_pairwise_accuracy_by_brute_force(rows):
    right = half = total = 0.0
    for one, other in itertools.combinations(rows, 2):
        if one[2] != other[2] or one[0] == other[0]:
            continue
        total += 1
        same = (one[0] - other[0]) * (one[1] - other[1])
        right += same > 0
        half += 1 if same > 0 else 0.5 if same == 0 else 0
    found = pairwise_accuracy(*columns(rows))
    assert found.n == total
    if total:
        assert found.value == pytest.approx(half / total)
        assert found.details["strict"] == pytest.approx(right / total)


def test_accuracy_of_many_metrics_and_the_mean_over_originals():
    human, metric, codes = clustered()
    rough = np.round(metric)
    metrics = {"m": metric, "rough": rough, "gap": np.where(codes < 8, np.nan, metric)}
    together = accuracies(human, metrics, codes)
    for name, column in metrics.items():
        assert together[name] == accuracies(human, {"x": column}, codes)["x"]
    of = [accuracies(human[codes == one], {"m": rough[codes == one]})["m"] for one in range(15)]
    shares = [one.value for one in of if one.value is not None]
    assert together["rough"].details["mean_over_originals"] == pytest.approx(np.mean(shares))
    assert together["rough"].details["originals"] == len(shares)
