"""Coefficients and tests between metrics, against other programs and published examples.

`correlation_cases.json` holds two tables and the figures that R psych and cocor and Python scipy
and statsmodels give for them, and four dependent correlations (`source` there names the versions).
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.stats.acc_eq import tie_accuracies
from scoring.stats.correlation import coefficients
from scoring.stats.dependent import meng_z, steiger_z, williams_t, zou_interval
from scoring.stats.kendall import tau_b_interval
from scoring.stats.pairwise import accuracies
from scoring.stats.significance import mcnemar

CASES = json.loads((Path(__file__).parent / "correlation_cases.json").read_text(encoding="utf-8"))
NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall_tau_b",
    "kendall_c": "kendall_tau_c",
}


@pytest.mark.parametrize("case", CASES["columns"], ids=lambda case: case["name"][:20])
def test_coefficients_of_two_tables(case: dict[str, Any]) -> None:
    human = np.array(case["human"])
    metrics = {name: np.array(case[name]) for name in "ab"}
    found = coefficients(human, metrics)
    ties = tie_accuracies(human, metrics)
    shares = accuracies(human, metrics)
    for metric, expected in case["expected"].items():
        for ours, theirs in NAMES.items():
            assert found[metric][ours].value == pytest.approx(expected[theirs], abs=1e-9)
        assert shares[metric].value == pytest.approx(expected["acc_half_credit"], abs=1e-9)
        strict = shares[metric].details["strict"]
        assert strict == pytest.approx(expected["acc_without_human_ties"], abs=1e-9)
        assert ties[metric]["acc_eq"].value == pytest.approx(expected["acc_eq"], abs=1e-9)
        calibrated = ties[metric]["acc_eq_calibrated"]
        assert calibrated.value == pytest.approx(expected["acc_eq_tie_calibrated"], abs=1e-9)
        assert calibrated.details["epsilon"] == pytest.approx(expected["epsilon"], abs=1e-9)


@pytest.mark.parametrize("case", CASES["dependent"], ids=lambda case: case["name"][:20])
def test_dependent_correlations(case: dict[str, Any]) -> None:
    r = [np.array([value]) for value in case["r"]]
    for name, test in (("williams", williams_t), ("steiger", steiger_z), ("meng", meng_z)):
        statistic, p_value = test(*r, case["n"])
        assert statistic[0] == pytest.approx(case[name][0], rel=1e-7), name
        assert p_value[0] == pytest.approx(case[name][1], rel=1e-7), name
    low, high = zou_interval(*r, case["n"])
    assert (low[0], high[0]) == pytest.approx(tuple(case["zou"]), abs=1e-9)


def test_zou_example() -> None:
    # Zou 2007: r = .396 and .179, .088 between the two, n = 66; printed (-0.0929, 0.5168).
    low, high = zou_interval(np.array([0.396]), np.array([0.179]), np.array([0.088]), 66)
    assert (low[0], high[0]) == pytest.approx((-0.0929, 0.5168), abs=5e-5)
    low, high = zou_interval(np.array([0.396]), np.array([0.179]), np.array([0.088]), 3)
    assert np.isnan(low[0]) and np.isnan(high[0])


def test_dependent_tests_say_when_they_are_undefined() -> None:
    one, half = np.array([1.0]), np.array([0.5])
    for test in (williams_t, steiger_z, meng_z):
        assert np.isnan(test(half, half, one, 50)[0][0])
        assert np.isnan(test(half, half * 0.9, half, 3)[0][0])
    for test in (steiger_z, meng_z):
        assert np.isnan(test(one, half, half, 50)[0][0])


def test_tests_go_over_many_pairs_at_once() -> None:
    r12, r13, r23 = (np.array([case["r"][k] for case in CASES["dependent"][2:]]) for k in range(3))
    both = steiger_z(r12, r13, r23, 103)[0]
    alone = [steiger_z(r12[[k]], r13[[k]], r23[[k]], 103)[0][0] for k in range(2)]
    assert both == pytest.approx(alone)


@pytest.mark.parametrize(("b", "c", "p"), CASES["mcnemar"])
def test_mcnemar(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c).p_value == pytest.approx(p, rel=1e-8)


def test_tau_interval_by_hand() -> None:
    """Without ties and clusters the projection is short: the variance is 4 / n times that
    of the units' mean concordance (Hoeffding 1948)."""
    rng = np.random.default_rng(3)
    x = rng.permutation(60).astype(float)
    y = x + rng.permutation(60) * math.sqrt(0.8)
    sign = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    tau, each = sign.sum() / (60 * 59), sign.sum(axis=1) / 59
    error = math.sqrt(4 * ((each - tau) ** 2).sum() / (60 * 59))
    reach = 1.959963985 * error / (1 - tau**2)
    expected = math.tanh(math.atanh(tau) - reach), math.tanh(math.atanh(tau) + reach)
    assert tau_b_interval(x, y, np.arange(60), 60) == pytest.approx(expected, rel=1e-8)


def test_meng_for_metrics_that_run_against_each_other() -> None:
    """f is at most 1, where h = 1 (Meng, Rosenthal and Rubin 1992, after eq. 2)."""
    r = np.array([0.3]), np.array([0.1]), np.array([-0.95])
    gap = math.atanh(0.3) - math.atanh(0.1)
    assert meng_z(*r, 50)[0][0] == pytest.approx(gap * math.sqrt(47 / (2 * 1.95)))
