"""How a coefficient settles, and how many originals would tell two metrics apart."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.comparisons import comparisons
from scoring.stats.correlation import coefficients
from scoring.stats.pairwise import accuracies
from scoring.stats.power import powers
from scoring.stats.stability import by_annotators, by_items
from scoring.stats.table import FloatArray, IntArray


def data(originals: int = 40, seed: int = 1) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(originals), 4)
    n = codes.size
    human = rng.normal(0, 1, originals)[codes] + rng.normal(0, 1, n)
    metrics = {
        "good": human + rng.normal(0, 1.0, n),
        "fair": human + rng.normal(0, 1.0, originals)[codes] + rng.normal(0, 1.0, n),
    }
    return human, metrics, codes


def test_curves_over_originals() -> None:
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
            widths = [(p.high or 0) - (p.low or 0) for p in curve.points]
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
    assert few[0].points == () and "needs 5 originals" in few[0].reason


def test_parts_of_originals_are_drawn_whole() -> None:
    """At a given size the mean is that of explicit subsets."""
    human, metrics, codes = data(6)
    (curve, *_) = by_items(human, {"good": metrics["good"]}, codes, sizes=[5], times=400)
    left = [
        coefficients(human[codes != one], {"m": metrics["good"][codes != one]})["m"][
            "pearson"
        ].value
        for one in range(6)
    ]
    assert curve.points[0].mean == pytest.approx(np.mean(left), abs=0.01)
    assert curve.points[0].low == pytest.approx(min(left), abs=1e-9)


def test_curves_over_annotators() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=500)
    dense = truth[:, None] + rng.normal(0, 1, (500, 4))
    dense[:20, 3] = np.nan  # One in 25 has three ratings: left out.
    metric = truth + rng.normal(0, 0.5, 500)
    curves = by_annotators(RatingTable.from_dense(dense), {"m": metric}, times=60)
    for curve, one in zip(curves, ("pearson", "spearman"), strict=True):
        assert (curve.coefficient, curve.units) == (one, 480)
        assert [p.size for p in curve.points] == [1, 2, 3, 4]
        means = [p.mean or 0 for p in curve.points]
        assert means == sorted(means)
        full = coefficients(dense[20:].mean(axis=1), {"m": metric[20:]})["m"][one].value
        assert means[-1] == pytest.approx(full)
        singles = [
            coefficients(dense[20:, k], {"m": metric[20:]})["m"][one].value for k in range(4)
        ]
        assert means[0] == pytest.approx(np.mean(singles), abs=0.02)
    none = by_annotators(RatingTable.from_dense(dense[:, :1]), {"m": metric})
    assert none[0].points == () and "two ratings" in none[0].reason


@pytest.mark.parametrize("coefficient", ["pearson", "pairwise_accuracy"])
def test_the_error_of_a_difference_is_that_of_the_bootstrap(coefficient: str) -> None:
    human, metrics, codes = data(150)
    if coefficient == "pairwise_accuracy":
        # A great gap and very unequal numbers of pairs: the error is that of a ratio.
        human = np.round(human / 2)
        metrics["fair"] = -metrics["fair"]
    (found,) = powers(human, metrics, codes, coefficient=coefficient)
    assert found.error is not None
    if coefficient == "pearson":
        (row,) = comparisons(human, metrics, codes, plan=Bootstrap(2000, 1))
        assert row.difference is not None and row.difference.value is not None
        assert found.difference.value == pytest.approx(row.difference.value)
        width = (row.difference.ci_high or 0) - (row.difference.ci_low or 0)
        assert found.error == pytest.approx(width / 3.92, rel=0.1)
    else:
        gap = [one.value or 0 for one in accuracies(human, metrics, codes).values()]
        assert found.difference.value == pytest.approx(gap[0] - gap[1])
        left = []
        for one in range(150):
            rows = codes != one
            part = accuracies(human[rows], {k: v[rows] for k, v in metrics.items()}, codes[rows])
            left.append((part["good"].value or 0) - (part["fair"].value or 0))
        jackknife = np.sqrt(149 / 150 * ((np.array(left) - np.mean(left)) ** 2).sum())
        assert found.error == pytest.approx(jackknife, rel=0.03)


def test_originals_needed() -> None:
    human, metrics, codes = data(60)
    (found,) = powers(human, metrics, codes)
    assert found.needed is not None and found.error is not None and found.power is not None
    gap = abs(found.difference.value or 0)
    # z of .975 and of .8: (1.960 + 0.842) errors of the difference.
    assert found.needed == int(np.ceil(60 * (2.8015852 * found.error / gap) ** 2))
    assert found.units_needed == 4 * found.needed
    at_needed = dict(found.curve)[found.needed]
    assert at_needed == pytest.approx(0.8, abs=0.02)
    assert [p for _, p in found.curve] == sorted(p for _, p in found.curve)
    (same,) = powers(human, {"a": metrics["good"], "b": metrics["good"]}, codes)
    assert same.needed is None and same.difference.value == 0
    (few,) = powers(human[:8], {k: v[:8] for k, v in metrics.items()}, codes[:8])
    assert few.difference.value is None and "5 originals" in few.difference.reason
    with pytest.raises(ValueError, match="originals"):
        powers(human, metrics, coefficient="pairwise_accuracy")
    with pytest.raises(ValueError, match="coefficient is one of"):
        powers(human, metrics, codes, coefficient="kendall")
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.slow
def test_as_many_originals_as_foretold_tell_metrics_apart() -> None:
    """From one large study; then studies of that size, tested by the default permutation."""
    (plan,) = powers(*data(4000, seed=7))
    assert plan.needed is not None
    found = 0
    for seed in range(300):
        human, metrics, codes = data(plan.needed, seed=1000 + seed)
        (row,) = comparisons(human, metrics, codes, permutations=199)
        found += (row.tests["permutation_p"].p_value or 0) <= 0.05
    assert 0.7 <= found / 300 <= 0.9
