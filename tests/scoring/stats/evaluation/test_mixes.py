"""Mixes of metrics, disagreement, correlation matrices and distributions."""

import json

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.evaluation.mixes import best_mix, mix_curve, pair_to_mix, rescaled
from scoring.stats.evaluation.one_metric import QUANTILES, by_human_value, correlation_matrix


def data(n=120):
    rng = np.random.default_rng(4)
    human = rng.normal(size=n)
    return human, human + rng.normal(size=n), 100 * (human + rng.normal(0, 2, n))


@pytest.mark.parametrize("scale", ["raw", "minmax", "z"])
def test_the_curve_is_the_correlation_of_the_mix(scale):
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
    best = found.weights.index(found.best())
    assert max(r.value for r in found.pearson) == pytest.approx(found.pearson[best].value)
    points = found.to_json()["points"]
    # Moon et al., table II: the mixes 2:8, 5:5 and 8:2 of BLEU and APEM.
    assert [point["ratio"] for point in points if point["marked"]] == ["2:8", "5:5", "8:2"]
    assert len(points) == 21


def test_the_pair_to_mix_is_the_best_metric_and_the_one_that_adds_most():
    human, a, weak = data()
    noise = a - human
    few = np.where(np.arange(120) < 10, human, np.nan)
    columns = {"near": a + noise / 9, "other": human - 2 * noise, "best": a, "few": few}
    assert pair_to_mix(human, columns) == ("best", "other")
    assert pair_to_mix(human, columns, "other", "near") == ("other", "near")
    assert pair_to_mix(human, columns, second="best") == ("near", "best")
    # A negative weight adds nothing, and neither does one value for all texts.
    opposite = {"best": a, "flat": np.ones(120), "against": noise, "weak": weak, "few": few}
    assert pair_to_mix(human, opposite, "best")[1] == "weak"


def test_scales_of_a_mix():
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


def test_the_best_mix_is_evaluated_on_other_originals():
    human, a, b = data(200)
    codes = np.arange(200) // 4
    two = best_mix(human, {"A": a, "B": b}, codes, Bootstrap(50), seed=2)
    r = two.out_of_fold["pearson"]
    assert r.value > two.singles["A"]["pearson"].value
    assert r.ci_low and r.generalises_to == "new clusters"
    assert len(two.by_fold) == 5 and min(two.weights) >= 0
    # Weights are those of standardised metrics: A is four times as exact as B.
    assert two.weights[0] > 2 * two.weights[1]
    json.dumps(two.to_json(), allow_nan=False)


def test_out_of_fold_predictions_by_hand():
    human, a, b = data(40)
    codes = np.arange(40) // 4
    found = best_mix(human, {"A": a, "B": b}, codes, fit="ols", folds=3, seed=1)
    fold = (np.random.default_rng(1).permutation(10) % 3)[codes]
    design = np.column_stack([np.ones(40), a, b])
    predicted = np.zeros(40)
    for one in range(3):
        weights = np.linalg.lstsq(design[fold != one], human[fold != one])[0]
        predicted[fold == one] = design[fold == one] @ weights
    assert found.out_of_fold["pearson"].value == pytest.approx(stats.pearsonr(human, predicted)[0])


def test_a_mix_needs_two_originals_and_never_negates_a_metric():
    human, a, _b = data(60)
    alone, turned, constant = (
        best_mix(human, {"A": a, **other}, np.arange(60) // 3)
        for other in ({}, {"minus": -a}, {"flat": np.full(60, 0.3)})
    )
    assert turned.weights[1] == constant.weights[1] == 0 < turned.weights[0]
    r = alone.out_of_fold["pearson"].value
    assert constant.out_of_fold["pearson"].value == pytest.approx(r)
    lone = best_mix(human, {"A": a}, np.zeros(60, dtype=np.int64)).out_of_fold["pearson"]
    assert lone.value is None and "two originals" in lone.reason
    with pytest.raises(ValueError, match="fit is one of"):
        best_mix(human, {"A": a}, fit="ridge")


# Metric by metric, and the values of a metric at each human value.


def test_matrix_of_metrics():
    _human, a, b = data()
    b[:20] = np.nan
    found = correlation_matrix({"A": a, "B": b, "flat": np.ones(120)})
    assert found.value[0, 1] == found.value[1, 0]
    assert found.value[0, 1] == pytest.approx(stats.spearmanr(a[20:], b[20:]).statistic)
    assert found.value[0, 0] == pytest.approx(1) and np.isnan(found.value[2]).all()
    assert found.n.tolist() == [[120, 100, 120], [100, 100, 100], [120, 100, 120]]
    assert found.to_json()["value"][2] == [None] * 3
    with pytest.raises(ValueError, match="the coefficient is one of"):
        correlation_matrix({"A": a}, "phi")


def test_the_metric_at_each_human_value():
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
