"""How many originals would tell two metrics apart, if they differ as much as they seem to."""

import json

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.pair_tests import comparisons
from scoring.stats.evaluation.pairwise import accuracies
from scoring.stats.evaluation.stability import by_annotators, by_items, powers
from tests.scoring.stats.evaluation import columns
from tests.scoring.stats.evaluation.columns import BY_SCIPY
from tests.scoring.stats.panels import width
from tests.scoring.stats.studies import Study
from tests.simulate import samples, show, slack


def data(originals=40, seed=1):
    """Two metrics that are hard to tell apart."""
    human, metrics, codes = columns.data(originals, seed=seed, noise=(1.0, 1.0, 1.0))
    del metrics["poor"]
    return human, metrics, codes


@pytest.mark.parametrize("coefficient", ["pearson", "pairwise_accuracy"])
def test_the_error_of_a_difference_is_that_of_the_bootstrap(coefficient):
    human, metrics, codes = data(150)
    if coefficient == "pairwise_accuracy":
        # A great gap and very unequal numbers of pairs: the error is that of a ratio.
        human = np.round(human / 2)
        metrics["fair"] = -metrics["fair"]
    (found,) = powers(human, metrics, codes, coefficient=coefficient)
    if coefficient == "pearson":
        (row,) = comparisons(human, metrics, codes, plan=Bootstrap(2000, 1))
        assert found.difference.value == pytest.approx(row.difference.value)
        assert found.error == pytest.approx(width(row.difference) / 3.92, rel=0.1)
    else:

        def gap(rows):
            part = {name: one[rows] for name, one in metrics.items()}
            share = accuracies(human[rows], part, codes[rows])
            return share["good"].value - share["fair"].value

        assert found.difference.value == pytest.approx(gap(codes >= 0))
        jackknife = np.std([gap(codes != one) for one in range(150)]) * np.sqrt(149)
        assert found.error == pytest.approx(jackknife, rel=0.03)


def test_originals_needed():
    human, metrics, codes = data(60)
    (found,) = powers(human, metrics, codes)
    # z of .975 and of .8: (1.960 + 0.842) errors of the difference.
    assert found.needed == np.ceil(60 * (2.8015852 * found.error / found.difference.value) ** 2)
    assert found.units_needed == 4 * found.needed
    assert dict(found.curve)[found.needed] == pytest.approx(0.8, abs=0.02)
    powers_of = [power for _, power in found.curve]
    assert powers_of == sorted(powers_of)
    (same,) = powers(human, {"a": metrics["good"], "b": metrics["good"]}, codes)
    assert same.needed is None and same.difference.value == 0
    (few,) = powers(human[:8], {k: v[:8] for k, v in metrics.items()}, codes[:8])
    assert few.difference.value is not None and few.difference.ci_low is few.power is None
    why = few.difference.options["no_interval"]
    assert why == "5 clusters are needed for an interval; there are 2"
    assert (few.originals, few.units) == (2, 8)
    (five,) = powers(human[:20], {k: v[:20] for k, v in metrics.items()}, codes[:20])
    assert five.power is None and five.needed >= 6
    # However great the difference: swaps of five originals cannot reach .05.
    clear = {"good": metrics["good"], "turned": -metrics["good"]}
    (seen,) = powers(human, clear, codes)
    assert seen.needed == min(size for size, _ in seen.curve) == 6
    with pytest.raises(ValueError, match="originals"):
        powers(human, metrics, coefficient="pairwise_accuracy")
    with pytest.raises(ValueError, match="coefficient is one of"):
        powers(human, metrics, codes, coefficient="kendall")
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.simulation
@pytest.mark.slow
def test_as_many_originals_as_foretold_tell_metrics_apart():
    """From one large study; then studies of that size, tested by the default permutation."""
    (plan,) = powers(*data(4000, seed=7))
    found, many = 0, samples(300)
    for seed in range(many):
        human, metrics, codes = data(plan.needed, seed=1000 + seed)
        (row,) = comparisons(human, metrics, codes, permutations=199)
        found += (row.tests["permutation_p"].p_value or 0) <= 0.05
    show(f"{plan.needed} originals", many, found=found / many)
    assert found / many == pytest.approx(0.8, abs=0.03 + slack(0.8, many))


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "needed"),
    [(2.6, 24), *(pytest.param(*one, marks=pytest.mark.nightly) for one in ((2.0, 37), (1.6, 70)))],
)
def test_as_many_phrases_as_foretold_suffice_where_paraphrases_recur(noise, needed):
    """The test of so few phrases finds the difference at least as often as promised."""

    def columns(study):
        noisier = study.quality + noise * (study.metrics["b"] - study.quality)
        return study.human, {"a": study.metrics["a"], "b": noisier}

    large = Study(np.random.default_rng([99, 1]), 3000)
    (plan,) = powers(*columns(large), large.phrase)
    assert plan.needed == needed
    found, many = 0, samples(300)
    for seed in range(many):
        study = Study(np.random.default_rng([plan.needed, seed, 12]), plan.needed)
        (row,) = comparisons(*columns(study), study.phrase, items=study.item, permutations=199)
        found += (row.tests["permutation_p"].p_value or 1) <= 0.05
    show(f"{plan.needed} phrases", many, found=found / many)
    assert found / many >= 0.8 - slack(0.8, many)


# Stability of coefficients by sample size, and power for the difference of two metrics.


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
    assert few[0].points == () and few[0].reason == "5 phrases are needed; there are 2"


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
