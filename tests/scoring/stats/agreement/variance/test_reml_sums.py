"""Sums over units that the REML likelihood needs, of one sample or of many replicates of it."""

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.agreement.reml import Design, sums

NA = float("nan")
TABLE = RatingTable.from_dense([[1, 2, NA], [3, 5, 4], [NA, 1, 3], [NA, NA, NA]])


def test_sums_by_hand():
    """Of the ratings less their mean, which takes nothing from the likelihood."""
    mean = 19 / 7
    found = sums(TABLE, with_annotators=True)
    assert found.m.tolist() == [2, 3]
    assert found.units.tolist() == [2, 1]
    assert found.total == pytest.approx([7 - 4 * mean, 12 - 3 * mean])
    assert found.square == pytest.approx(
        [(3 - 2 * mean) ** 2 + (4 - 2 * mean) ** 2, (12 - 3 * mean) ** 2]
    )
    assert found.annotator_total == pytest.approx([4 - 2 * mean, 8 - 3 * mean, 7 - 2 * mean])
    assert found.yy == pytest.approx(65 - 7 * mean**2)
    assert found.n == 7
    assert found.y == pytest.approx(0)
    assert found.per_annotator.tolist() == [2, 3, 2]
    assert found.seen.tolist() == [[1, 2, 1], [1, 1, 1]]


def test_drawn_units_count_as_often_as_they_were_drawn():
    drawn = np.array([0, 0, 2, 1])
    found = Design.of(TABLE, True).sums(drawn)
    alone = sums(TABLE.take_units(TABLE.rated_units[drawn]), True)
    for name in ("units", "shared", "n", "seen", "per_annotator"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name), err_msg=name)
