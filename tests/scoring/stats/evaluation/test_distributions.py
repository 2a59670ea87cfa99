"""Metric by metric, and the values of a metric at each human value."""

import numpy as np
import pytest
from scipy import stats

from scoring.stats.evaluation.one_metric import QUANTILES, by_human_value, correlation_matrix
from tests.scoring.stats.evaluation.mixed import data


def test_matrix_of_metrics():
    _human, a, b = data()
    b[:20] = np.nan
    found = correlation_matrix({"A": a, "B": b, "flat": np.ones(120)})
    assert found.value[0, 1] == found.value[1, 0]
    assert found.value[0, 1] == pytest.approx(stats.spearmanr(a[20:], b[20:]).statistic)
    assert found.value[0, 0] == pytest.approx(1) and np.isnan(found.value[2]).all()
    assert found.n.tolist() == [[120, 100, 120], [100, 100, 100], [120, 100, 120]]
    assert found.to_json()["value"][2] == [None] * 3
    with pytest.raises(ValueError, match="the coefficient is one of"):
        correlation_matrix({"A": a}, "phi")


def test_the_metric_at_each_human_value():
    human, metric = np.array([1, 1, 2, 2, 2, np.nan]), np.array([0.0, 1, 5, 6, 10, 3])
    found = by_human_value(human, metric)
    assert found.low.tolist() == found.high.tolist() == [1, 2]
    assert found.n.tolist() == [2, 3] and found.mean == pytest.approx([0.5, 7])
    assert found.quantiles[1] == pytest.approx(np.quantile([5, 6, 10], QUANTILES))
    assert found.to_json()[0]["quantiles"]["0.5"] == 0.5
    rng = np.random.default_rng(1)
    many = by_human_value(rng.normal(size=900), rng.normal(size=900), most_values=9)
    assert many.n.tolist() == [100] * 9
    assert (many.low[1:] > many.high[:-1]).all()
    assert by_human_value(np.full(2, np.nan), np.ones(2)).to_json() == []
