"""The ratings of one scale, as long as they are: three equal arrays, no dense matrix."""

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.table import default_levels, out_of_range
from tests.scoring.stats.agreement.small import NA


def test_default_levels():
    assert default_levels(np.array([4.0, 1.0])).tolist() == [1, 2, 3, 4]
    assert default_levels(np.array([-2.0, 0.0])).tolist() == [-2, -1, 0]
    assert default_levels(np.array([0.5, 2.0, 0.5])).tolist() == [0.5, 2]
    assert default_levels(np.array([0.0, 1e9])).tolist() == [0, 1e9]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], [0, 0], [1, 2], 1, 1), "rated unit 0 twice"),
        (([0], [0], [float("nan")], 1, 1), "finite"),
        (([0], [1], [1], 1, 1), "annotator codes"),
        (([0, 1], [0], [1], 2, 1), "equally long"),
    ],
)
def test_tables_check_themselves(arguments, message):
    with pytest.raises(ValueError, match=message):
        RatingTable(*arguments)


def test_table_views():
    table = RatingTable.from_dense([[1, NA], [2, 3]])
    assert table.counts(np.array([1.0, 2.0, 3.0])).tolist() == [[1, 0, 0], [0, 1, 1]]
    np.testing.assert_array_equal(table.dense(), [[1, NA], [2, 3]])
    np.testing.assert_array_equal(
        table.take_units(np.array([1, 1, 0])).dense(), [[2, 3], [2, 3], [1, NA]]
    )


@pytest.mark.parametrize(
    ("values", "out"),
    [
        ([], False),
        ([NA], False),
        ([1e100, -1e100], False),
        ([1e101, 0], True),
        ([-1e101], True),
        ([1e-200, 2e-200], True),
        ([1e-200, 1e-200], False),
        ([1, NA, 5], False),
    ],
)
def test_values_out_of_range(values, out):
    assert out_of_range(np.array(values, dtype=float)) == out
