"""Errors and intervals of many groups at once, where rows of one cluster may be dependent."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from scoring.stats.annotators.catalogue import Groups, correlations, share_interval, wilson


def test_shares_have_wilsons_interval_with_the_effective_sample_size():
    """Without clusters it is Wilson's with Student's t; whole clusters of equal answers count as
    one answer each; where all hit the interval does not shrink to nothing."""
    hit = np.array([1.0, 0, 1, 1, 0, 1, 1, 1, 0, 1])
    zero = np.zeros(10, dtype=np.int64)
    alone = Groups.make(zero, np.arange(10), 1)
    t = stats.t.ppf(0.975, 9)
    # The error of a mean has n - 1 in it: 9 in place of 10 trials.
    expected = np.ravel(wilson(0.7, 9, t))
    assert np.ravel(share_interval(alone, np.array([0.7]), hit)) == pytest.approx(expected)
    in_threes = Groups.make(zero.repeat(3), np.repeat(np.arange(10), 3), 1)
    found = np.ravel(share_interval(in_threes, np.array([0.7]), np.repeat(hit, 3)))
    assert found == pytest.approx(expected)
    all_hit = np.ravel(share_interval(alone, np.array([1.0]), np.ones(10)))
    assert all_hit == pytest.approx([10 / (10 + t**2), 1])
    found = np.ravel(wilson(0.7, 10, stats.norm.ppf(0.975)))
    assert found == pytest.approx(proportion_confint(7, 10, method="wilson"))


def test_a_perfect_line_has_a_correlation_and_no_interval():
    x = np.arange(8.0)
    found = correlations(Groups.make(np.zeros(8, dtype=np.int64), np.arange(8), 1), x, 2 * x)
    assert found.r[0] == pytest.approx(1) and np.isnan(found.low[0])
