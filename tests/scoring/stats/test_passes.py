"""Pass decisions: thresholds are inclusive, and every scale with one must reach it."""

import numpy as np
import pytest

from scoring.stats import RatingTable, Threshold
from scoring.stats.resampling import pass_table
from scoring.stats.table import combine, gold
from tests.scoring.stats.systems.small import GRAMMAR, MEANING, NA, table


@pytest.mark.parametrize(
    ("threshold", "reached"),
    [
        (Threshold(3), [False, True, True]),
        (Threshold(3, higher_is_better=False), [True, True, False]),
    ],
)
def test_the_threshold_itself_passes(threshold, reached):
    assert threshold.reached(np.array([2.0, 3.0, 4.0])).tolist() == reached


def test_a_mean_within_rounding_error_of_the_threshold_passes():
    third = np.array([0.1 + 0.2, 0.3 - 1e-12, 0.3 - 1e-6])  # 0.1 + 0.2 > 0.3
    assert Threshold(0.3).reached(third).tolist() == [True, True, False]
    up_to = Threshold(0.3, higher_is_better=False)
    assert up_to.reached(np.array([0.1 + 0.2, 0.3 + 1e-6])).tolist() == [True, False]


def test_every_threshold_must_be_reached():
    """One annotator; MEANING at least 3, ERRORS at most 1, and a scale without a threshold."""
    tables = {
        "MEANING": RatingTable.from_dense([[3], [3], [2], [2]]),
        "ERRORS": RatingTable.from_dense([[1], [2], [1], [2]]),
        "STYLE": RatingTable.from_dense([[1], [1], [5], [5]]),
    }
    limits = {"MEANING": Threshold(3), "ERRORS": Threshold(1, higher_is_better=False)}
    assert pass_table(tables, limits).value.tolist() == [1, 0, 0, 0]
    assert pass_table(tables, {"MEANING": Threshold(3)}).value.tolist() == [1, 1, 0, 0]


def test_pass_is_judged_on_one_annotators_values():
    limits = {"M": Threshold(3), "G": Threshold(4)}
    both = pass_table({"M": table(MEANING), "G": table(GRAMMAR)}, limits)
    # Unit 1: annotator 0 fails both; annotator 2 has 3 and 5. No mix of two annotators passes.
    np.testing.assert_array_equal(both.dense(), [[1, 0, NA], [0, NA, 1], [NA, NA, NA], [1, NA, NA]])
    cost = pass_table({"EDITS": table([[1, 3]])}, {"EDITS": Threshold(2, higher_is_better=False)})
    assert cost.value.tolist() == [1, 0]
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        pass_table({"M": table(MEANING)}, {"X": Threshold(1)})


# Gold: one value per unit from its counted ratings, on a scale or a combination of scales.


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
