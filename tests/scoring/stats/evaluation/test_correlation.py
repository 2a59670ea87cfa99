"""Correlation of metrics with human values, and comparison of metrics."""

import numpy as np
import pytest

from scoring.stats import Bootstrap
from scoring.stats.evaluation.correlation import (
    KENDALL_BOOTSTRAP,
    coefficients,
    kendall,
    pearson,
    spearman,
)
from scoring.stats.evaluation.pairwise import accuracies, tie_accuracies
from tests.scoring.stats.evaluation.columns import (
    CASES,
    HUMAN,
    SYSTEM_A,
    SYSTEMS,
    A,
    clustered,
)
from tests.scoring.stats.panels import interval, width


@pytest.mark.parametrize(
    ("function", "x", "y", "p", "method"),
    [  # R 4.2.2 cor.test; pitfall 15: exact and normal p of tau differ 7.5 times
        (pearson, HUMAN, A, 8.68103122875e-06, ""),
        (spearman, HUMAN, A, 4.25049693625e-05, ""),
        (kendall, HUMAN, A, 0.000185454098065, "normal"),
        (spearman, SYSTEMS, SYSTEM_A, 9.54358182684e-07, ""),  # R prints 0
        (kendall, SYSTEMS, SYSTEM_A, 1.63423253701e-05, "exact"),
    ],
)
def test_p_values_and_their_method(function, x, y, p, method):
    found = function(x, y)
    assert found.details["p_value"] == pytest.approx(p, rel=1e-8)
    assert found.n == x.size and method in found.details["p_method"]
    assert "p " not in found.method  # Which is shown, also where p is not.
    assert function(np.append(x, 5), np.append(y, np.nan)) == found  # Missing values go pairwise.


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 2, 3, 4, 5], [2, 2, 2, 2, 2], "metric's values are all equal"),
        ([2, 2, 2], [1, 2, 3], "human values are all equal"),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], "metric's values are all equal"),
        ([1, 2], [3, 5], "needs 3 units"),
        ([1, 2, 3], [3, 5, np.nan], "has 2"),
        ([], [], "has 0"),
    ],
)
def test_undefined_correlations_are_none_not_zero(x, y, reason):
    for function in (pearson, spearman, kendall):
        found = function(np.array(x, dtype=float), np.array(y, dtype=float))
        assert found.value is None and reason in found.reason
        assert found.details["p_value"] is None


def test_perfect_line_and_extreme_sizes():
    x = np.arange(1.0, 6)
    for y in (2 * x, 1e200 * x, 1e-200 * x, 1e6 + x):
        assert pearson(x, y).value == pytest.approx(1)
    assert kendall(x, 2 * x).details["p_value"] == pytest.approx(1 / 60)


def test_tau_of_many_units_has_an_interval_like_the_bootstrap():
    rng = np.random.default_rng(7)
    units = KENDALL_BOOTSTRAP + 1
    codes = np.arange(units) // 5
    human = np.clip(np.round(rng.normal(3, 1, units) + rng.normal(0, 0.7, units)[codes]), 1, 5)
    metric = human + rng.normal(0, 1, units) + rng.normal(0, 1.5, units)[codes]
    plan = Bootstrap(300, 1)
    large = kendall(human, metric, codes, plan)
    small = kendall(human[:-1], metric[:-1], codes[:-1], plan)
    assert "Hoeffding" in large.options["interval"] and "percentile" in small.options["interval"]
    assert large.generalises_to == "new clusters"
    assert interval(large) == pytest.approx(interval(small), abs=0.006)
    # Taking units for independent would give a shorter one.
    assert width(large) > 1.1 * width(kendall(human, metric, None, plan))


def test_columns_with_different_gaps_are_each_as_alone():
    human, metric, codes = clustered()
    other = np.where(np.arange(60) % 7 == 0, np.nan, metric)
    together = coefficients(human, {"m": metric, "o": other}, codes, Bootstrap(30, 2))
    for name, column in (("m", metric), ("o", other)):
        alone = coefficients(human, {name: column}, codes, Bootstrap(30, 2))
        assert together[name] == alone[name]
    assert together["o"]["pearson"].n == 51
    with pytest.raises(ValueError, match="equally long"):
        coefficients(human, {"m": metric[:-1]})
    with pytest.raises(ValueError, match="as long as"):
        coefficients(human, {"m": metric}, codes[:-1])


@pytest.mark.parametrize("case", CASES["columns"], ids=lambda case: case["name"][:20])
def test_coefficients_of_two_tables(case):
    human = np.array(case["human"])
    metrics = {name: np.array(case[name]) for name in "ab"}
    found = coefficients(human, metrics)
    ties = tie_accuracies(human, metrics)
    shares = accuracies(human, metrics)
    for metric, expected in case["expected"].items():
        r, tied, share = found[metric], ties[metric], shares[metric]
        assert expected == pytest.approx(
            {
                "pearson": r["pearson"].value,
                "spearman": r["spearman"].value,
                "kendall_tau_b": r["kendall"].value,
                "kendall_tau_c": r["kendall_c"].value,
                "acc_half_credit": share.value,
                "acc_without_human_ties": share.details["strict"],
                "acc_eq": tied["acc_eq"].value,
                "acc_eq_tie_calibrated": tied["acc_eq_calibrated"].value,
                "epsilon": tied["acc_eq_calibrated"].details["epsilon"],
            },
            abs=1e-9,
        )
