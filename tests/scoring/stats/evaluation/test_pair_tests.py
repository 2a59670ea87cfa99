"""Comparison of metrics: permutations, clustering, Holm, significance clusters, and the report."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.evaluation.pair_tests import comparisons, significance_clusters
from scoring.stats.evaluation.pairwise import accuracies
from tests.scoring.stats.evaluation.columns import data


def test_comparisons_find_what_differs():
    human, metrics, codes = data()
    rows = comparisons(human, metrics, codes, plan=Bootstrap(200, 1), permutations=999)
    by_pair = {(row.a, row.b): row for row in rows}
    assert list(by_pair) == [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    for row in rows:
        for estimate in (row.difference, row.difference_spearman, row.difference_accuracy):
            assert estimate.value > 0
        assert row.zou[0] < row.difference.value < row.zou[1]
    first = by_pair["good", "poor"]
    assert first.tests["permutation_p"].p_value == pytest.approx(1 / 1000)
    assert first.holm["holm_p"] == pytest.approx(3 / 1000)
    rho = {name: stats.spearmanr(human, one).statistic for name, one in metrics.items()}
    share = accuracies(human, metrics, codes)
    assert first.difference_spearman.value == pytest.approx(rho["good"] - rho["poor"])
    gap = share["good"].value - share["poor"].value
    assert first.difference_accuracy.value == pytest.approx(gap)
    assert significance_clusters(rho, rows, "spearman") == [["good"], ["fair"], ["poor"]]
    rho["poor"] = None
    assert significance_clusters(rho, rows, "pearson") == [["good"], ["fair"]]


def test_metrics_that_say_the_same_are_not_told_apart():
    human, metrics, codes = data()
    (same,) = comparisons(human, {"a": metrics["good"], "b": 2 * metrics["good"]}, codes)
    assert same.tests["permutation_p"].p_value == 1
    assert same.tests["mcnemar_p"].p_value == 1
    for name in ("williams_p", "steiger_p", "meng_p"):
        assert same.tests[name].p_value is None and "alike" in same.tests[name].reason


def test_a_warning_where_the_literature_is_too_bold():
    human, metrics, codes = data(originals=60, each=5)
    (row,) = comparisons(human, {name: metrics[name] for name in ("good", "fair")}, codes)
    assert row.clustering.too_bold
    assert "out of" not in row.warnings["williams_p"]
    assert f"about {round(100 * row.clustering.level)} of 100" in row.warnings["williams_p"]
    assert row.warnings["zou"] == row.warnings["steiger_p"] == row.warnings["meng_p"]
    rng = np.random.default_rng(3)
    free = {name: human + rng.normal(size=300) for name in "ab"}
    (calm,) = comparisons(rng.permutation(human), free, rng.permutation(codes))
    assert 0.7 < calm.clustering.design_effect < 1.35
    (alone,) = comparisons(human, free)
    assert alone.clustering is None and alone.warnings == {}
    assert alone.tests["permutation_accuracy_p"].p_value is None
    assert "originals" in alone.tests["permutation_accuracy_p"].reason
    assert alone.tests["permutation_p"].p_value is not None


def rounded(found):
    """Equal up to rounding, which depends on the number of columns in a matrix product."""
    return {
        name: pytest.approx(one, rel=1e-9, abs=1e-12) if isinstance(one, float) else one
        for name, one in asdict(found).items()
    }


def test_pairs_with_different_missing_values_are_compared_separately():
    human, metrics, codes = data()
    metrics["fair"] = np.where(np.arange(120) % 5 == 0, np.nan, metrics["fair"])
    metrics["flat"] = np.ones(120)
    together = comparisons(human, metrics, codes, plan=Bootstrap(50, 3))
    for row in together:
        pair = {name: metrics[name] for name in (row.a, row.b)}
        (alone,) = comparisons(human, pair, codes, plan=Bootstrap(50, 3))
        assert alone.n == row.n
        if row.b == "flat":
            assert alone.difference is row.difference is None
        else:
            assert asdict(alone.difference) == rounded(row.difference)
        for name, test in alone.tests.items():
            if name == "permutation_accuracy_p":  # Its swaps skip originals where no pair differs.
                assert test.p_value == pytest.approx(row.tests[name].p_value, abs=0.05)
            else:
                assert asdict(test) == rounded(row.tests[name])
    flat = next(row for row in together if row.b == "flat")
    assert flat.difference is None and "all equal" in flat.tests["steiger_p"].reason
    assert flat.tests["mcnemar_p"].p_value is not None
