"""Statistics that need no more than how many annotators gave each level to each unit."""

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.resampling import Patterns, alpha_ordinal
from tests.scoring.stats.agreement.cases import rated
from tests.scoring.stats.agreement.small import FIVE, statistics


def test_values_off_the_scale_are_an_error():
    with pytest.raises(ValueError, match="6 is not among"):
        statistics([[6, 1], [2, 2]])


def test_patterns_count_equal_units_once():
    table = RatingTable.from_dense([[1, 2], [2, 1], [3, 3], [np.nan, 5], [1, 2]])
    patterns = Patterns.of(table, FIVE)
    assert sorted(patterns.weight.tolist()) == [1, 1, 3]
    assert patterns.of_unit.size == 5


def alpha(matrix):
    patterns = Patterns.of(RatingTable.from_dense(matrix), FIVE)
    return float(alpha_ordinal(patterns, patterns.weight[None, :])[0])


def test_ordinal_alpha_of_a_published_table():
    """Krippendorff 2011, case C; the paper rounds to .815."""
    rows = rated("krippendorff_2011_C").dense()
    assert round(alpha(rows), 3) == 0.815


def test_ordinal_alpha_by_hand():
    """Two units: 1 1 and 1 3. Then n_1 = 3, n_3 = 1, and alpha is the same for 1 and 5: only the
    order counts. delta² = (3 + 1 - 2)² = 4, o_13 = 1, alpha = 1 - 3 · 4 / (3 · 1 · 4) = 0."""
    assert alpha([[1, 1], [1, 3]]) == pytest.approx(0)
    for last in (2, 3, 5):
        # Three units: n_1 = 3, n_x = 3, delta² = 9, o_1x = 1, alpha = 1 - 5 · 9 / (9 · 9) = 4/9.
        found = alpha([[1, 1], [1, last], [last, last]])
        assert found == pytest.approx(4 / 9)


def test_without_variation_it_is_undefined():
    assert np.isnan(alpha([[3, 3], [3, 3]]))
    assert np.isnan(alpha([[3, np.nan], [2, np.nan]]))
