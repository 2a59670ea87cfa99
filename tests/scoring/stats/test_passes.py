"""Pass decisions: thresholds are inclusive, and every scale with one must reach it."""

import numpy as np
import pytest

from scoring.stats import RatingTable, Threshold
from scoring.stats.resampling import pass_table
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
