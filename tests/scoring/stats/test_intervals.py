"""Medians of many groups at once, and their intervals."""

import numpy as np
import pytest

from scoring.stats.table import medians, order_interval

GROUP = np.array([2, 0, 0, 2, 0, 0, 2], dtype=np.int64)
VALUE = np.array([5.0, 1, 9, 4, 2, 4, 8])
N = np.array([4, 0, 3], dtype=np.int64)


def test_medians_of_groups_are_those_of_numpy():
    found = medians(GROUP, VALUE, N)
    assert found[[0, 2]].tolist() == [np.median([1, 9, 2, 4]), np.median([5, 4, 8])]
    assert np.isnan(found[1])


@pytest.mark.parametrize(("n", "rank"), [(6, 1), (9, 2), (20, 6), (40, 14)])
def test_intervals_by_the_table_of_order_statistics(n, rank):
    """Thompson 1936: the `rank`-th value from either end."""
    values = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    low, high = order_interval(np.zeros(n, dtype=np.int64), values, np.array([n]))
    assert (low[0], high[0]) == (rank, n + 1 - rank)


def test_below_six_values_there_is_none():
    low, high = order_interval(GROUP, VALUE, N)
    assert np.isnan(low).all() and np.isnan(high).all()
