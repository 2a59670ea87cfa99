"""System-level correlation, and correlation within systems."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap, SystemTexts
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.system_level import (
    corpus_level,
    per_system,
    soft_pairwise_accuracy,
    system_level,
)
from scoring.stats.resampling import draws, even
from scoring.stats.table import FloatArray, IntArray

K, ORIGINALS = 5, 12
LABELS = tuple("ABCDE")


def data(seed: int = 1) -> tuple[FloatArray, FloatArray, SystemTexts, IntArray]:
    """Five systems with one text each for twelve originals; some values are missing."""
    rng = np.random.default_rng(seed)
    n = K * ORIGINALS
    system, codes = np.arange(n) % K, np.arange(n) // K
    human = system / 3 + rng.normal(size=n)
    metric = human + rng.normal(size=n)
    metric[7] = human[20] = np.nan
    return human, metric, SystemTexts(np.arange(n), system, LABELS), codes


def means(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray]:
    both = np.isfinite(human) & np.isfinite(metric)
    of = np.arange(human.size) % K
    return tuple(np.array([c[both & (of == k)].mean() for k in range(K)]) for c in (human, metric))  # type: ignore[return-value]


def test_means_of_systems() -> None:
    human, metric, systems, codes = data()
    found = system_level(human, {"m": metric}, systems, codes)["m"]
    h, m = means(human, metric)
    assert found.labels == LABELS
    assert found.human == pytest.approx(h) and found.metric == pytest.approx(m)
    assert found.found["pearson"].value == pytest.approx(stats.pearsonr(h, m).statistic)
    assert found.found["spearman"].value == pytest.approx(stats.spearmanr(h, m).statistic)
    assert found.found["kendall"].value == pytest.approx(stats.kendalltau(h, m).statistic)
    pairs = list(itertools.combinations(range(K), 2))
    right = [(h[i] - h[j]) * (m[i] - m[j]) > 0 for i, j in pairs]
    assert found.found["pairwise_accuracy"].value == pytest.approx(np.mean(right))
    assert found.found["pairwise_accuracy"].n == 10


def test_intervals_resample_originals_and_recompute_means() -> None:
    human, metric, systems, codes = data()
    plan = Bootstrap(60, 5)
    found = system_level(human, {"m": metric}, systems, codes, plan)["m"].found
    made: dict[str, list[float]] = {name: [] for name in ("pearson", "spearman", "kendall")}
    for weight in np.concatenate(list(draws(plan, ORIGINALS, even(ORIGINALS)))).astype(int):
        rows = np.concatenate([np.tile(np.arange(K) + K * g, w) for g, w in enumerate(weight)])
        h, m = means(human[rows], metric[rows])
        made["pearson"].append(stats.pearsonr(h, m).statistic)
        made["spearman"].append(stats.spearmanr(h, m).statistic)
        made["kendall"].append(stats.kendalltau(h, m).statistic)
    for name, values in made.items():
        low, high = np.quantile(values, [0.025, 0.975])
        assert found[name].ci_low == pytest.approx(low), name
        assert found[name].ci_high == pytest.approx(high), name
    assert found["pairwise_accuracy"].generalises_to == "new clusters"


def test_soft_pairwise_accuracy_by_all_swaps() -> None:
    """With few originals, p of every pair comes from all sign patterns, ties counting half."""
    rng = np.random.default_rng(2)
    values = rng.integers(0, 4, size=(2, 8, 3)).astype(float)
    expected = []
    for i, j in itertools.combinations(range(3), 2):
        p = []
        for side in values:
            gap = side[:, i] - side[:, j]
            sums = np.array(list(itertools.product([1, -1], repeat=8))) @ gap
            p.append((sums > gap.sum()).mean() + (sums == gap.sum()).mean() / 2)
        expected.append(1 - abs(p[0] - p[1]))
    found = soft_pairwise_accuracy(values, np.ones((8, 3)), 20_000, 1)
    assert found.value == pytest.approx(np.mean(expected), abs=0.01)
    assert found.n == 3


def test_soft_accuracy_of_perfect_agreement_and_of_reversal() -> None:
    human, metric, systems, codes = data()
    metric = human.copy()
    found = system_level(human, {"same": metric, "turned": -metric}, systems, codes)
    same = found["same"].found["soft_pairwise_accuracy"].value
    turned = found["turned"].found["soft_pairwise_accuracy"].value
    assert same == 1.0
    assert turned is not None and turned < 0.5
    # A metric that says nothing has p = 1/2 for each pair: it is off by |p - 1/2|.
    flat = system_level(human, {"f": np.zeros(60)}, systems, codes)["f"].found
    assert flat["pearson"].value is None
    signs = np.array(list(itertools.product([1, -1], repeat=ORIGINALS)))
    off = []
    for i, j in itertools.combinations(range(K), 2):
        gap = np.nan_to_num(human[i::K] - human[j::K])
        off.append(abs((signs @ gap > gap.sum()).mean() - 0.5))
    assert flat["soft_pairwise_accuracy"].value == pytest.approx(1 - np.mean(off), abs=0.02)


def test_a_system_missing_from_resamples_has_no_interval() -> None:
    human, metric, systems, codes = data()
    human[(np.arange(60) % K == 3) & (codes > 0)] = np.nan  # D is in one original alone.
    found = system_level(human, {"m": metric}, systems, codes, Bootstrap(100))["m"].found
    assert found["pearson"].value is not None and found["pearson"].ci_low is None
    assert "undefined" in found["pearson"].options["no_interval"]


def test_per_system_and_corpus_scores() -> None:
    human, metric, systems, codes = data()
    found = per_system(human, {"m": metric}, systems, codes)
    rows = np.flatnonzero(np.arange(60) % K == 2)
    assert found["C"]["m"] == coefficients(
        human[rows], {"m": metric[rows]}, codes[rows], names=("pearson", "spearman", "kendall")
    )["m"]  # fmt: skip
    scores = {"A": 10.0, "B": 30.0, "C": 20.0, "E": 50.0}
    (one,) = corpus_level(human, {"bleu": scores}, systems).values()
    assert one.labels == ("A", "B", "C", "E")
    h = [np.nanmean(human[np.arange(60) % K == k]) for k in (0, 1, 2, 4)]
    assert one.found["pearson"].value == pytest.approx(
        stats.pearsonr(h, [10, 30, 20, 50]).statistic
    )
    assert one.found["soft_pairwise_accuracy"].value is None
    assert one.to_json()["systems"][1] == {
        "system": "B",
        "human": pytest.approx(h[1]),
        "metric": 30,
    }


def test_too_few_systems() -> None:
    human, metric, _, codes = data()
    lone = SystemTexts(np.arange(60), np.zeros(60, dtype=np.int64), ("A",))
    found = system_level(human, {"m": metric}, lone, codes, Bootstrap(20))["m"].found
    assert {name: one.value for name, one in found.items()} == dict.fromkeys(found)
    assert "two systems" in found["soft_pairwise_accuracy"].reason
    apart = SystemTexts(np.arange(60), codes % 2, ("A", "B"))
    none = system_level(human, {"m": metric}, apart, codes)["m"].found
    assert "shares an original" in none["soft_pairwise_accuracy"].reason
