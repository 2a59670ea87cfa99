"""What is known of one pair of metrics, and the groups of metrics that no test tells apart."""

import pytest

from scoring.stats import Estimate
from scoring.stats.evaluation.pair_tests import (
    ZOU,
    Comparison,
    significance_clusters,
    significance_letters,
)


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
