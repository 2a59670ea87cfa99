"""Permutation tests between metrics: whole clusters exchange the values of two of them."""

import numpy as np
import pytest
from scipy import stats

from scoring.stats.significance.paired import sample_of
from scoring.stats.significance.swaps import swap_correlations
from tests.scoring.stats.significance.swaps import share_of_swaps


def test_spearman_swaps_equal_direct_computation():
    rng = np.random.default_rng(8)
    human, a, b = rng.integers(0, 5, size=(3, 12)).astype(float)
    codes = np.repeat(np.arange(4), 3)
    found = swap_correlations(
        sample_of(human, {"a": a, "b": b}, codes),
        np.array([[0, 1]]),
        ranked=True,
        permutations=10,
        seed=0,
    )
    assert found.all_of_them and found.swaps == 16
    assert found.p_value[0] == pytest.approx(
        share_of_swaps(*map(stats.rankdata, (human, a, b)), codes)
    )
    rho = stats.spearmanr(human, a).statistic - stats.spearmanr(human, b).statistic
    assert found.difference[0] == pytest.approx(rho)
