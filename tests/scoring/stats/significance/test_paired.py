"""The rows of two columns, or of one human column and many metrics, that a statistic uses."""

import numpy as np
from scipy import stats

from scoring.stats.significance.paired import mid_ranks


def test_mid_ranks():
    table = np.array([[3, 1.0], [1, 1], [3, 1], [2, 0]])
    expected = np.column_stack([stats.rankdata(column) for column in table.T])
    assert (mid_ranks(table) == expected).all()
