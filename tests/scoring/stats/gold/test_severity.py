"""Severity of annotators: the additive two-way model rating = unit + annotator + noise."""

from dataclasses import replace

import numpy as np
import pytest
from statsmodels.api import OLS

from scoring.stats import RatingTable
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.methods import connected_groups, severity, severity_gold
from tests.scoring.stats.gold.simulated import NA


def test_severity_equals_least_squares_on_dummies():
    """statsmodels; the effects add up to 0: the last annotator has minus those of the others."""
    rng = np.random.default_rng(1)
    matrix = rng.normal(3, 1, (25, 1)) + rng.normal(0, 1, 5) + rng.normal(0, 0.5, (25, 5))
    matrix[rng.random(matrix.shape) < 0.4] = NA
    table = RatingTable.from_dense(matrix)
    assert table.rated_units.size == 25
    design = np.hstack(
        [np.eye(25)[table.unit], np.vstack([np.eye(4), -np.ones(4)])[table.annotator]]
    )
    fitted, found = OLS(table.value, design).fit(), severity(table)
    np.testing.assert_allclose([*found.unit_value, *found.effect[:4]], fitted.params)
    np.testing.assert_allclose([*found.unit_error, *found.error[:4]], fitted.bse)
    assert found.effect.sum() == pytest.approx(0)


def test_severity_is_not_fooled_by_who_saw_the_harder_texts():
    """Annotator 2 is mild by a point but saw only bad texts; the plain means turn that round."""
    quality = np.array([5, 5, 4, 4, 2, 2, 1, 1.0])
    matrix = np.column_stack([quality, quality, quality + 1])
    matrix[:3, 2] = NA
    matrix[4:6, 0] = NA
    found = severity(RatingTable.from_dense(matrix))
    np.testing.assert_allclose(found.effect, [-1 / 3, -1 / 3, 2 / 3])
    np.testing.assert_allclose(found.unit_value, quality + 1 / 3)
    assert np.isnan(found.sigma)  # the model fits exactly: no noise to make intervals of
    rows = severity_gold(RatingTable.from_dense(matrix)).rows()
    assert rows[0].low is None and rows[0].value == pytest.approx(5 + 1 / 3)


def test_severity_refuses_what_it_cannot_tell_apart():
    parted = RatingTable.from_dense([[1, 2, NA, NA], [NA, NA, 4, 5], [NA, NA, 3, 5]])
    assert connected_groups(parted) == 2
    assert "2 groups that share no unit" in severity(parted).reason
    assert {row.value for row in severity_gold(parted).rows()} == {None}
    assert "two annotators" in severity(RatingTable.from_dense([[1], [2]])).reason
    assert severity(replace(parted, anonymous=True)).reason == ANONYMOUS
