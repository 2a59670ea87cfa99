"""The expected end: its ends hold what they say, and where there is none, none is given."""

import numpy as np
import pytest
import scipy

from paraanno.common.forecast import MOST_DAYS, T_90, forecast


def test_the_table_is_student_s():
    assert len(T_90) == MOST_DAYS - 1
    assert pytest.approx(scipy.stats.t.ppf(0.9, range(1, MOST_DAYS)), abs=1e-4) == T_90


@pytest.mark.parametrize(("days", "left"), [([5, 5], 10), ([0, 0, 0], 10), ([5, 5, 5], 0)])
def test_no_end_is_given_without_ground(days, left):
    assert forecast(days, left) is None


def test_four_of_five_ends_lie_in_the_range():
    """Days drawn from one distribution: the true end of each draw against the range before it."""
    random, inside, runs = np.random.default_rng(0), 0, 1500
    for _ in range(runs):
        days = random.gamma(4, 25, 10 + 200)
        found = forecast([round(one) for one in days[:10]], 1500)
        assert found is not None
        end = int(np.searchsorted(np.cumsum(days[10:]), 1500)) + 1
        inside += found.early <= end and (found.late is None or end <= found.late + 1)
    # The last day is counted whole, so that somewhat more than 80 % are inside.
    assert 0.78 <= inside / runs <= 0.90
