"""Stability of coefficients by sample size, and power for the difference of two metrics."""

import json

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.pairwise import accuracies
from scoring.stats.evaluation.stability import by_annotators, by_items
from tests.scoring.stats.evaluation.columns import BY_SCIPY
from tests.scoring.stats.evaluation.originals import data


def test_curves_by_number_of_originals():
    human, metrics, codes = data()
    metrics["gap"] = np.where(codes == 0, np.nan, metrics["good"])
    metrics["flat"] = np.ones(160)
    curves = {(c.metric, c.coefficient): c for c in by_items(human, metrics, codes, times=120)}
    whole = coefficients(human, metrics, codes)
    shares = accuracies(human, metrics, codes)
    for name in ("good", "fair", "gap"):
        for one in ("pearson", "spearman", "pairwise_accuracy"):
            curve = curves[name, one]
            last = curve.points[-1]
            full = shares[name] if one == "pairwise_accuracy" else whole[name][one]
            assert last.mean == pytest.approx(full.value)
            assert last.low == last.high == pytest.approx(last.mean)
            widths = [p.high - p.low for p in curve.points]
            assert widths[0] > widths[len(widths) // 2] > widths[-1]
            assert curve.points[0].size == 8
    assert curves["good", "pearson"].points[-1].size == 40
    assert curves["gap", "pearson"].points[-1].size == 39
    flat = curves["flat", "pearson"]
    assert flat.points == () and "does not vary" in flat.reason
    chosen = by_items(human, {"good": metrics["good"]}, codes, sizes=[2, 10, 99], times=20)
    assert [p.size for p in chosen[0].points] == [10]
    json.dumps([curve.to_json() for curve in chosen])
    few = by_items(human[:8], {"good": metrics["good"][:8]}, codes[:8])
    assert few[0].points == () and "needs 5 phrases, has " in few[0].reason


def test_originals_are_drawn_as_whole_clusters():
    """At a given size the mean equals that of explicit subsets."""
    human, metrics, codes = data(6)
    good = metrics["good"]
    (curve, *_) = by_items(human, {"good": good}, codes, sizes=[5], times=400)
    left = [np.corrcoef(human[codes != one], good[codes != one])[0, 1] for one in range(6)]
    assert curve.points[0].mean == pytest.approx(np.mean(left), abs=0.01)
    assert curve.points[0].low == pytest.approx(min(left), abs=1e-9)


def test_curves_by_number_of_annotators():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=500)
    dense = truth[:, None] + rng.normal(0, 1, (500, 4))
    dense[:20, 3] = np.nan  # One in 25 has three ratings: left out.
    metric = truth + rng.normal(0, 0.5, 500)
    curves = by_annotators(RatingTable.from_dense(dense), {"m": metric}, times=60)
    for curve, one in zip(curves, ("pearson", "spearman"), strict=True):
        assert (curve.coefficient, curve.units) == (one, 480)
        assert [p.size for p in curve.points] == [1, 2, 3, 4]
        means = [p.mean for p in curve.points]
        assert means == sorted(means)
        full = BY_SCIPY[one](dense[20:].mean(axis=1), metric[20:]).statistic
        assert means[-1] == pytest.approx(full)
        singles = [BY_SCIPY[one](dense[20:, k], metric[20:]).statistic for k in range(4)]
        assert means[0] == pytest.approx(np.mean(singles), abs=0.02)
    none = by_annotators(RatingTable.from_dense(dense[:, :1]), {"m": metric})
    assert none[0].points == () and "two ratings" in none[0].reason
