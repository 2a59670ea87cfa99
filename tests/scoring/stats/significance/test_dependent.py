"""Tests of two correlations that share the human column, as formulas over arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from scoring.stats.significance.dependent import meng_z, steiger_z, williams_t, zou_interval
from tests.scoring.stats.evaluation.columns import CASES


@pytest.mark.parametrize("case", CASES["dependent"], ids=lambda case: case["name"][:20])
def test_dependent_correlations(case: dict[str, Any]) -> None:
    r = [np.array([value]) for value in case["r"]]
    for name, test in (("williams", williams_t), ("steiger", steiger_z), ("meng", meng_z)):
        statistic, p_value = test(*r, case["n"])
        assert statistic[0] == pytest.approx(case[name][0], rel=1e-7), name
        assert p_value[0] == pytest.approx(case[name][1], rel=1e-7), name
    low, high = zou_interval(*r, case["n"])
    assert (low[0], high[0]) == pytest.approx(tuple(case["zou"]), abs=1e-9)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "t", "p"),
    [  # R psych 2.2.9 r.test and R cocor 1.1-4; the first is Steiger 1980, case A
        (0.4, 0.5, 0.1, 103, -0.891279904761, 0.374918517491),
        (0.92, 0.919, 0.9, 1000, 0.210749204164, 0.833126042274),
        (0.822179170157, 0.635564516212, 0.679449255374, 20, 1.67902194831, 0.111432162665),
    ],
)
def test_williams_equals_r(r12: float, r13: float, r23: float, n: int, t: float, p: float) -> None:
    found = williams_t(np.array([r12]), np.array([r13]), np.array([r23]), n)
    assert [one[0] for one in found] == pytest.approx([t, p], rel=1e-8)


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


def test_meng_for_metrics_that_run_against_each_other() -> None:
    """f is at most 1, where h = 1 (Meng, Rosenthal and Rubin 1992, after eq. 2)."""
    r = np.array([0.3]), np.array([0.1]), np.array([-0.95])
    gap = math.atanh(0.3) - math.atanh(0.1)
    assert meng_z(*r, 50)[0][0] == pytest.approx(gap * math.sqrt(47 / (2 * 1.95)))
