"""Which of two paraphrases of one original is better: does a metric say what the humans say?"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import Bootstrap
from scoring.stats.evaluation.correlation import pairwise_accuracy
from scoring.stats.evaluation.pairwise import accuracies
from tests.scoring.stats.evaluation.columns import HUMAN, SYSTEMS, A, B, clustered

SYSTEM_B = np.array([71.2, 66, 70.1, 52.3, 60.8, 49.9, 58.2, 41, 55.5, 47.1, 30.4, 44.4])


def test_pairwise_accuracy() -> None:
    found = pairwise_accuracy(HUMAN, A)
    assert found.value == pytest.approx(0.825714285714, abs=1e-11)
    assert found.details["strict"] == pytest.approx(0.822857142857, abs=1e-11)
    assert pairwise_accuracy(HUMAN, B).details["strict"] == pytest.approx(0.788571428571)
    assert pairwise_accuracy(SYSTEMS, SYSTEM_B).value == pytest.approx(0.848484848485)
    nothing = pairwise_accuracy(HUMAN, A, np.arange(20))
    assert nothing.value is None and "no pair of units" in nothing.reason
    tied = pairwise_accuracy(np.ones(20), A, np.zeros(20, dtype=np.int64))
    assert tied.value is None and "humans tie every pair" in tied.reason
    nobody = pairwise_accuracy(np.full(20, np.nan), A)
    assert nobody.value is None and "no pair of units" in nobody.reason


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=15
    )
)
def test_pairwise_accuracy_by_brute_force(rows: list[tuple[int, int, int]]) -> None:
    right = half = total = 0.0
    for one, other in itertools.combinations(rows, 2):
        if one[2] != other[2] or one[0] == other[0]:
            continue
        total += 1
        same = (one[0] - other[0]) * (one[1] - other[1])
        right += same > 0
        half += 1 if same > 0 else 0.5 if same == 0 else 0
    human, metric, cluster = np.array(rows, dtype=float).T
    found = pairwise_accuracy(human, metric, cluster.astype(np.int64))
    assert found.n == total
    if total:
        assert found.value == pytest.approx(half / total)
        assert found.details["strict"] == pytest.approx(right / total)


def test_pairwise_accuracy_within_originals_draws_originals() -> None:
    rng = np.random.default_rng(4)
    human, codes = rng.normal(0, 1, 120), np.arange(120) // 4
    metric = human + rng.normal(0, 1, 120)
    found = pairwise_accuracy(human, metric, codes, Bootstrap(200, 1))
    assert found.ci_low is not None and found.ci_high is not None and found.value is not None
    assert found.ci_low < found.value < found.ci_high
    assert found.generalises_to == "new clusters"
    twice = pairwise_accuracy(
        np.tile(human, 2), np.tile(metric, 2), np.concatenate([codes, codes + 30]),
        Bootstrap(200, 1),
    )  # fmt: skip
    assert twice.ci_low is not None and twice.ci_high is not None
    assert twice.ci_high - twice.ci_low < 0.85 * (found.ci_high - found.ci_low)


def test_accuracy_of_many_metrics_and_the_mean_over_originals() -> None:
    human, metric, codes = clustered()
    rough, gap = np.round(metric), np.where(np.arange(60) < 30, np.nan, metric)
    together = accuracies(human, {"m": metric, "rough": rough, "gap": gap}, codes)
    for name, column in (("m", metric), ("rough", rough), ("gap", gap)):
        assert together[name] == accuracies(human, {"x": column}, codes)["x"]
    shares = []
    for code in range(15):
        one = accuracies(human[codes == code], {"m": rough[codes == code]})["m"]
        if one.value is not None:
            shares.append(one.value)
    assert together["rough"].details["mean_over_originals"] == pytest.approx(np.mean(shares))
    assert together["rough"].details["originals"] == len(shares)
