"""Quantiles and tails against scipy.stats, to the last bit."""

import numpy as np
import pytest
import scipy.stats

from scoring.stats import table

rng = np.random.default_rng(7)
FREEDOM, OTHER = rng.uniform(0.5, 300, (2, 500))
POINTS, SHARES = rng.normal(0, 4, 500), rng.uniform(0, 1, 500)
POINTS[:3] = 0, -np.inf, np.nan
CASES = {
    "normal_quantile": (table.normal_quantile(SHARES), scipy.stats.norm.ppf(SHARES)),
    "normal_above": (table.normal_above(POINTS), scipy.stats.norm.sf(POINTS)),
    "normal_below": (table.normal_below(POINTS), scipy.stats.norm.cdf(POINTS)),
    "t_quantile": (table.t_quantile(SHARES, FREEDOM), scipy.stats.t.ppf(SHARES, FREEDOM)),
    "t_above": (table.t_above(POINTS, FREEDOM), scipy.stats.t.sf(POINTS, FREEDOM)),
    "f_quantile": (
        table.f_quantile(SHARES, FREEDOM, OTHER),
        scipy.stats.f.ppf(SHARES, FREEDOM, OTHER),
    ),
    "f_above": (table.f_above(POINTS, FREEDOM, OTHER), scipy.stats.f.sf(POINTS, FREEDOM, OTHER)),
    "chi2_above": (table.chi2_above(POINTS, FREEDOM), scipy.stats.chi2.sf(POINTS, FREEDOM)),
    "no_freedom": (table.t_quantile(0.975, 0.0), np.nan),
}


@pytest.mark.parametrize("name", CASES)
def test_as_scipy_stats(name):
    mine, theirs = CASES[name]
    np.testing.assert_array_equal(mine, theirs)
