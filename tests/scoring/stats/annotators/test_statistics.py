"""What is known of every annotator of a scale, all at once."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.annotators.catalogue import CATALOGUE
from scoring.stats.annotators.own_judgments import Pace, annotator_statistics, pace_statistics
from tests.scoring.stats.panels import NA, simulated


@pytest.mark.parametrize(
    ("matrix", "name", "reason"),
    [
        ([[1, NA], [2, NA], [3, NA]], "agreement", "nobody else rated the same units"),
        ([[1, NA], [2, NA], [3, NA]], "severity", "needs two annotators"),
        ([[1, NA], [NA, 2]], "severity", "share no unit"),
        ([[1, 2], [2, 3]], "correlation", "needs 3 units"),
        ([[1, 2], [1, 3], [1, 4]], "correlation", "the annotator's values are all equal"),
        ([[1, 2], [3, 2], [4, 2]], "correlation", "the others' values are all equal"),
        ([[1, 2], [3, 2], [4, 2]], "spread", "the others' values are all equal"),
        ([[NA, 2], [NA, 2]], "agreement", "no ratings"),
        ([[1, 2]], "equal_neighbours", "needs two judgments"),
    ],
)
def test_undefined_has_a_reason(matrix, name, reason):
    table = RatingTable.from_dense(matrix)
    found = annotator_statistics(table, order=np.arange(float(table.n_ratings)))[name][0]
    assert found.value is None and reason in found.reason


def test_one_value_throughout_is_no_error():
    table = RatingTable.from_dense(np.full((9, 3), 4.0))
    found = annotator_statistics(table, order=np.arange(27.0))
    assert found["severity"][0].value == pytest.approx(0)
    assert "without residual variance" in found["severity"][0].options["no_interval"]
    assert found["agreement"][0].value == 1 and found["longest_run"][0].value == 9
    assert found["equal_neighbours"][0].details["p_value"] is None
    assert found["longest_run"][0].details["chance_high"] is None


def test_anonymous_voices_have_no_statistics():
    table = replace(simulated(), anonymous=True)
    found = annotator_statistics(table) | pace_statistics(
        Pace(table.annotator, table.value, 1.0), table.n_annotators, anonymous=True
    )
    assert set(found) == {one.key for one in CATALOGUE}
    for estimates in found.values():
        assert {one.reason for one in estimates} == {"undefined: annotators are anonymous"}


def test_values_out_of_range_have_a_reason():
    table = RatingTable.from_dense([[1.0, 1.7e308, 2], [3, 1.7e308, 1], [1.7e308, 2, 2]])
    for name, column in annotator_statistics(table).items():
        assert all("out of range" in one.reason for one in column), name
