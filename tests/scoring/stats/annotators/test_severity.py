"""Severity of every annotator with an interval that allows for dependent units and own noise."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

from scoring.stats.annotators.own_judgments import annotator_statistics
from tests.scoring.stats.panels import interval, items, simulated


def test_severity_is_least_squares_with_dummies_and_its_error_has_clusters():
    """statsmodels: OLS on dummies of units and annotators; and, for the error, on annotator
    dummies after taking off the mean of each unit (Cameron and Miller 2015), which has the same
    coefficients and residuals."""
    table = simulated(of_item=0.5)
    found = annotator_statistics(table, clusters=items(table))["severity"]
    dummies = (table.annotator[:, None] == np.arange(table.n_annotators)).astype(float)
    units = (table.unit[:, None] == np.arange(table.n_units)).astype(float)
    plain = OLS(table.value, np.hstack([units, dummies[:, 1:]])).fit()
    effect = np.concatenate([[0], plain.params[-5:]])
    assert [one.value for one in found] == pytest.approx((effect - effect.mean()).tolist())

    def within(column):
        return column - (units @ (units.T @ column)) / 3

    fitted = OLS(within(table.value), np.column_stack([within(c) for c in dummies.T[1:]])).fit(
        cov_type="cluster", cov_kwds={"groups": items(table)[table.unit]}
    )
    # The effects minus their mean, as a matrix on the coefficients of annotators 1 to 5.
    contrast = np.vstack([np.zeros(5), np.eye(5)]) - 1 / 6
    error = np.sqrt(np.diag(contrast @ fitted.cov_params() @ contrast.T))
    for who, one in enumerate(found):
        clusters = np.unique(items(table)[table.unit[table.annotator == who]]).size
        half = stats.t.ppf(0.975, clusters - 1) * error[who]
        assert interval(one) == pytest.approx([one.value - half, one.value + half])
        assert one.generalises_to == "new clusters"
        assert one.n == (table.annotator == who).sum()
