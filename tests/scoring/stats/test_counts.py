"""Statistics that need no more than how many annotators gave each level to each unit."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.counts import Patterns
from tests.scoring.stats.agreement.small import FIVE, statistics


def test_values_off_the_scale_are_an_error() -> None:
    with pytest.raises(ValueError, match="6 is not among"):
        statistics([[6, 1], [2, 2]])


def test_patterns_count_equal_units_once() -> None:
    table = RatingTable.from_dense([[1, 2], [2, 1], [3, 3], [np.nan, 5], [1, 2]])
    patterns = Patterns.of(table, FIVE)
    assert sorted(patterns.weight.tolist()) == [1, 1, 3]
    assert patterns.of_unit.size == 5
