"""Tests of two correlations that share the human column, as formulas over arrays."""

import math

import numpy as np
import pytest

from scoring.stats.evaluation.pair_tests import meng_z, steiger_z, williams_t, zou_interval
from tests.scoring.stats.evaluation.columns import CASES


@pytest.mark.parametrize("case", CASES["dependent"], ids=lambda case: case["name"][:20])
def test_dependent_correlations(case):
    r = np.array(case["r"])[:, None]
    for name, test in (("williams", williams_t), ("steiger", steiger_z), ("meng", meng_z)):
        assert np.ravel(test(*r, case["n"])) == pytest.approx(case[name], rel=1e-7), name
    assert np.ravel(zou_interval(*r, case["n"])) == pytest.approx(case["zou"], abs=1e-9)


def test_zou_example():
    # Zou 2007: r = .396 and .179, .088 between the two, n = 66; printed (-0.0929, 0.5168).
    r = np.array([[0.396], [0.179], [0.088]])
    assert np.ravel(zou_interval(*r, 66)) == pytest.approx([-0.0929, 0.5168], abs=5e-5)
    assert np.isnan(zou_interval(*r, 3)).all()


def test_dependent_tests_say_when_they_are_undefined():
    one, half = np.array([1.0]), np.array([0.5])
    for test in (williams_t, steiger_z, meng_z):
        assert np.isnan(test(half, half, one, 50)[0][0])
        assert np.isnan(test(half, half * 0.9, half, 3)[0][0])
    for test in (steiger_z, meng_z):
        assert np.isnan(test(one, half, half, 50)[0][0])


def test_meng_for_metrics_that_run_against_each_other():
    """f is at most 1, where h = 1 (Meng, Rosenthal and Rubin 1992, after eq. 2)."""
    r = np.array([0.3]), np.array([0.1]), np.array([-0.95])
    gap = math.atanh(0.3) - math.atanh(0.1)
    assert meng_z(*r, 50)[0][0] == pytest.approx(gap * math.sqrt(47 / (2 * 1.95)))
