"""Permutation tests between metrics: whole clusters exchange the values of two of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from scoring.stats.significance.paired import mid_ranks, sample_of
from scoring.stats.significance.swaps import swap_correlations
from scoring.stats.table import FloatArray


def test_spearman_swaps_equal_direct_computation() -> None:
    rng = np.random.default_rng(8)
    human, a, b = rng.integers(0, 5, size=(3, 12)).astype(float)
    codes = np.repeat(np.arange(4), 3)
    ranks = mid_ranks(np.column_stack([human, a, b]))
    z = (ranks - ranks.mean(axis=0)) / ranks.std(axis=0)

    def gap(left: FloatArray, right: FloatArray) -> float:
        return abs(np.corrcoef(human_rank, left)[0, 1] - np.corrcoef(human_rank, right)[0, 1])

    human_rank = ranks[:, 0]
    observed = gap(z[:, 1], z[:, 2])
    extreme = 0
    for swap in itertools.product([False, True], repeat=4):
        moved = np.array(swap)[codes]
        left, right = np.where(moved, z[:, 2], z[:, 1]), np.where(moved, z[:, 1], z[:, 2])
        extreme += gap(left, right) >= observed - 1e-12
    found = swap_correlations(
        sample_of(human, {"a": a, "b": b}, codes), np.array([[0, 1]]), ranked=True,
        permutations=10, seed=0,
    )  # fmt: skip
    assert found.all_of_them and found.swaps == 16
    assert found.p_value[0] == pytest.approx(extreme / 16)
    rho = stats.spearmanr(human, a).statistic - stats.spearmanr(human, b).statistic
    assert found.difference[0] == pytest.approx(rho)
