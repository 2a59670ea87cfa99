"""Comparison of metrics: permutations, clustering, Holm, significance clusters, and the report."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap, Estimate
from scoring.stats.evaluation.pair_tests import (
    ZOU,
    Comparison,
    comparisons,
    significance_clusters,
    significance_letters,
)
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


# What is known of one pair of metrics, and the groups of metrics that no test tells apart.


def row(a, b, gap, p):
    holm = dict.fromkeys(("holm_p", "holm_spearman_p", "holm_accuracy_p"), p)
    return Comparison(a, b, 40, {}, difference=Estimate(gap, n=40, method="by hand"), holm=holm)


GOOD_BEATS_POOR = row("good", "poor", 0.7, 0.001)


@pytest.mark.parametrize(
    ("fair_and_good", "fair_and_poor", "clusters"),
    [
        (row("good", "fair", 0.3, 0.2), 0.01, [["good", "fair"], ["poor"]]),
        (row("good", "fair", 0.3, 0.2), 0.05, [["good", "fair", "poor"]]),
        # The sign of the difference says who is better.
        (row("fair", "good", -0.3, 0.001), 0.01, [["good"], ["fair"], ["poor"]]),
    ],
)
def test_a_line_needs_every_metric_above_to_beat_every_one_below(
    fair_and_good, fair_and_poor, clusters
):
    values = {"fair": 0.5, "good": 0.8, "poor": 0.1, "none": None}
    rows = [fair_and_good, GOOD_BEATS_POOR, row("fair", "poor", 0.4, fair_and_poor)]
    assert significance_clusters(values, rows, "pearson") == clusters
    letters = significance_letters(values, rows, "pearson")
    assert set(letters) == {"good", "fair", "poor"}
    for one in rows:
        alike = one.holm["holm_p"] >= 0.05
        assert bool(set(letters[one.a]) & set(letters[one.b])) == alike


def test_json_of_a_pair():
    one = Comparison("a", "b", 40, {}, zou=(-0.1, 0.2), holm={"holm_p": 0.5})
    found = one.to_json()
    assert (found["a"], found["b"], found["n"], found["holm_p"]) == ("a", "b", 40, 0.5)
    assert found["zou"] == {"low": -0.1, "high": 0.2, "method": ZOU}
    assert found["difference"] is None and found["warnings"] == {}
