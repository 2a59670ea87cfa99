"""Gold: one value per unit from its counted ratings, on a scale or a combination of scales."""

import numpy as np
import pytest

from scoring.stats.table import combine, gold
from tests.scoring.stats.systems.small import GRAMMAR, MEANING, NA, table


def test_gold_mean_median_n_and_spread():
    found = gold(table([[1, 2, 6], [4, NA, 5], [NA, 3, NA], [NA, NA, NA]]))
    assert found.rows("mean") == [
        (3.0, 3, pytest.approx(np.sqrt(7))),
        (4.5, 2, pytest.approx(np.sqrt(0.5))),
        (3.0, 1, None),
        (None, 0, None),
    ]
    assert [row[0] for row in found.rows("median")] == [2.0, 4.5, 3.0, None]
    with pytest.raises(ValueError, match="mean or a median"):
        found.rows("mode")


def test_combination_is_made_within_one_annotator():
    # White's adequacy + fluency: an annotator who left one scale out has no combined value.
    total = combine([table(MEANING), table(GRAMMAR)], "sum")
    np.testing.assert_array_equal(
        total.dense(), [[9, 7, NA], [3, NA, 8], [NA, NA, NA], [8, NA, NA]]
    )
    assert gold(total).rows("mean")[1] == (5.5, 2, pytest.approx(np.sqrt(12.5)))
    assert combine([table(MEANING), table(GRAMMAR)], "mean").value[0] == 4.5
    with pytest.raises(ValueError, match="share their unit"):
        combine([table(MEANING), table([[1, 2]])])
