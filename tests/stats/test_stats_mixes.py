"""Mixes of metrics, disagreement, matrices, distributions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.disagreement import disagreement
from scoring.stats.distributions import QUANTILES, by_human_value, correlation_matrix
from scoring.stats.mixes import best_mix, mix_curve, rescaled
from scoring.stats.table import FloatArray


def data(n: int = 120) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(4)
    human = rng.normal(size=n)
    return human, human + rng.normal(size=n), 100 * (human + rng.normal(0, 2, n))


@pytest.mark.parametrize("scale", ["raw", "minmax", "z"])
def test_the_curve_is_the_correlation_of_the_mix(scale: str) -> None:
    human, a, b = data()
    b[5] = np.nan
    found = mix_curve(human, ("A", a), ("B", b), scale=scale)
    there = np.isfinite(b)
    x, y = (rescaled(column[there], scale) for column in (a, b))
    assert (found.n, found.weights[0], found.weights[-1]) == (119, 0, 1)
    for weight, r, rho in zip(found.weights, found.pearson, found.spearman, strict=True):
        mix = weight * x + (1 - weight) * y
        assert r.value == pytest.approx(stats.pearsonr(human[there], mix).statistic)
        assert rho.value == pytest.approx(stats.spearmanr(human[there], mix).statistic)
    best = found.best()
    assert best is not None and max(r.value or -1 for r in found.pearson) == pytest.approx(
        found.pearson[found.weights.index(best)].value
    )
    points = found.to_json()["points"]
    # Moon et al., table II: the mixes 2:8, 5:5 and 8:2 of BLEU and APEM.
    assert [point["ratio"] for point in points if point["marked"]] == ["2:8", "5:5", "8:2"]
    assert len(points) == 21


def test_scales() -> None:
    values = np.array([2.0, 4, 3])
    assert rescaled(values, "minmax") == pytest.approx([0, 1, 0.5])
    assert rescaled(values, "z").std() == pytest.approx(1)
    assert rescaled(np.array([0.3, 0.1 + 0.2]), "z") == pytest.approx([0, 0])
    human, a, b = data()
    with pytest.raises(ValueError, match="scale is one of"):
        mix_curve(human, ("A", a), ("B", b), scale="log")
    flat = mix_curve(human, ("A", a), ("B", np.ones(120)), steps=1)
    assert flat.pearson[0].value is None and flat.best() == pytest.approx(1, abs=0.9)
    assert [r.value for r in flat.pearson[1:]] == pytest.approx([flat.pearson[-1].value] * 4)


def test_the_best_mix_is_judged_on_other_originals() -> None:
    human, a, b = data(200)
    rng = np.random.default_rng(9)
    codes = np.arange(200) // 4
    noise = {f"n{k}": rng.normal(size=200) for k in range(60)}
    found = best_mix(human, {"A": a, "B": b, **noise}, codes, fit="ols", seed=2)
    out = found.found["pearson"].value
    assert out is not None and found.in_sample.value is not None
    assert out < found.in_sample.value - 0.05  # Sixty columns of noise flatter the fit.
    two = best_mix(human, {"A": a, "B": b}, codes, Bootstrap(50), seed=2)
    r = two.found["pearson"]
    assert r.value is not None and r.value > (two.singles["A"]["pearson"].value or 0)
    assert r.ci_low is not None and r.generalises_to == "new clusters"
    assert len(two.by_fold) == 5 and min(two.weights) >= 0
    # Weights are those of standardised metrics: A is four times as exact as B.
    assert two.weights[0] > 2 * two.weights[1]
    json.dumps(two.to_json(), allow_nan=False)


def test_out_of_fold_predictions_by_hand() -> None:
    human, a, b = data(40)
    codes = np.arange(40) // 4
    found = best_mix(human, {"A": a, "B": b}, codes, fit="ols", folds=3, seed=1)
    fold = (np.random.default_rng(1).permutation(10) % 3)[codes]
    design = np.column_stack([np.ones(40), a, b])
    predicted = np.zeros(40)
    for one in range(3):
        weights = np.linalg.lstsq(design[fold != one], human[fold != one])[0]
        predicted[fold == one] = design[fold == one] @ weights
    assert found.found["pearson"].value == pytest.approx(stats.pearsonr(human, predicted)[0])


def test_a_mix_needs_enough_and_never_turns_a_metric() -> None:
    human, a, b = data(60)
    turned = best_mix(human, {"A": a, "minus": -a}, np.arange(60) // 3)
    assert turned.weights[1] == 0 and turned.weights[0] > 0
    lone = best_mix(human, {"A": a}, np.zeros(60, dtype=np.int64))
    assert lone.found["pearson"].value is None and "two originals" in lone.found["pearson"].reason
    with pytest.raises(ValueError, match="fit is one of"):
        best_mix(human, {"A": a}, fit="ridge")
    constant = best_mix(human, {"A": a, "flat": np.full(60, 0.3)}, np.arange(60) // 3)
    assert constant.weights[1] == 0
    assert constant.found["pearson"].value == pytest.approx(
        best_mix(human, {"A": a}, np.arange(60) // 3).found["pearson"].value
    )


def test_disagreement_by_hand() -> None:
    human = np.array([1, 2, 3, 4, np.nan])
    metric = np.array([90.0, 20, 30, 5, 50])
    found = disagreement(human, metric, most=2)
    # Percentiles of people .125 .375 .625 .875, of the metric .875 .375 .625 .125.
    assert found.gap[:4] == pytest.approx([0.75, 0, 0, -0.75]) and np.isnan(found.gap[4])
    assert (found.metric_higher.tolist(), found.people_higher.tolist()) == ([0], [3])
    row = found.to_json()["metric_higher"][0]
    assert (row["unit"], row["gap"], row["human_percentile"]) == (0, 0.75, 0.125)
    empty = disagreement(np.full(3, np.nan), np.ones(3))
    assert empty.metric_higher.size == empty.people_higher.size == 0


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_disagreement_is_symmetric_and_sums_to_nothing(pairs: list[tuple[int, int]]) -> None:
    human, metric = np.array(pairs, dtype=float).T
    found, turned = disagreement(human, metric), disagreement(metric, human)
    assert found.gap == pytest.approx(-turned.gap)
    assert found.gap.sum() == pytest.approx(0, abs=1e-9)
    assert np.abs(found.gap).max() < 1
    assert disagreement(human, np.exp(metric)).gap == pytest.approx(found.gap)


def test_matrix_of_metrics() -> None:
    human, a, b = data()
    b[:20] = np.nan
    found = correlation_matrix({"A": a, "B": b, "flat": np.ones(120)})
    assert found.value[0, 1] == found.value[1, 0]
    assert found.value[0, 1] == pytest.approx(stats.spearmanr(a[20:], b[20:]).statistic)
    assert found.value[0, 0] == pytest.approx(1) and np.isnan(found.value[2]).all()
    assert found.n.tolist() == [[120, 100, 120], [100, 100, 100], [120, 100, 120]]
    assert found.to_json()["value"][2] == [None] * 3
    with pytest.raises(ValueError, match="the coefficient is one of"):
        correlation_matrix({"A": a}, "phi")


def test_the_metric_at_each_human_value() -> None:
    human, metric = np.array([1, 1, 2, 2, 2, np.nan]), np.array([0.0, 1, 5, 6, 10, 3])
    found = by_human_value(human, metric)
    assert found.low.tolist() == found.high.tolist() == [1, 2]
    assert found.n.tolist() == [2, 3] and found.mean == pytest.approx([0.5, 7])
    assert found.quantiles[1] == pytest.approx(np.quantile([5, 6, 10], QUANTILES))
    assert found.to_json()[0]["quantiles"]["0.5"] == 0.5
    rng = np.random.default_rng(1)
    many = by_human_value(rng.normal(size=900), rng.normal(size=900), most_values=9)
    assert many.n.tolist() == [100] * 9
    assert (many.low[1:] > many.high[:-1]).all()
    assert by_human_value(np.full(2, np.nan), np.ones(2)).to_json() == []
