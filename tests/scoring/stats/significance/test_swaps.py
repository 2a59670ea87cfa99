"""Permutation tests between metrics: whole clusters exchange the values of two of them."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from paraanno.common.progress import listening
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


def test_every_pair_of_many_equals_direct_computation_and_its_progress_is_heard():
    rng = np.random.default_rng(9)
    human = rng.normal(size=20)
    codes = np.repeat(np.arange(5), 4)
    columns = {str(name): rng.normal(size=20) + name * human for name in range(6)}
    # Swapped in cluster 0 one of the two has the same value in all rows, and no correlation.
    columns["first"], columns["rest"] = np.zeros((2, 20))
    columns["first"][:4] = columns["rest"][16:] = [-1, 1, -1, 1]
    pairs = np.array(list(combinations(range(8), 2)))
    shares = []
    with listening(shares.append, every=0):
        found = swap_correlations(
            sample_of(human, columns, codes), pairs, ranked=False, permutations=10, seed=0
        )
    assert shares == [1.0]
    names = list(columns)
    with np.errstate(invalid="ignore"):
        expected = [
            share_of_swaps(human, columns[names[a]], columns[names[b]], codes) for a, b in pairs
        ]
    assert found.p_value == pytest.approx(expected)
    sample, shares = sample_of(human, columns, None), []
    with listening(shares.append, every=0):
        swap_correlations(sample, pairs, ranked=True, permutations=30_000, seed=0)
    assert len(shares) > 2 and shares == sorted(shares)
