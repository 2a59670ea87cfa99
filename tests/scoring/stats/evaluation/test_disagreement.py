"""The units on which a metric and people disagree most, in both directions."""

import numpy as np
import pytest

from scoring.stats.evaluation.one_metric import disagreement


def test_disagreement_by_hand():
    human = np.array([1, 2, 3, 4, np.nan])
    metric = np.array([90.0, 20, 30, 5, 50])
    found = disagreement(human, metric, most=2)
    # Percentiles of people .125 .375 .625 .875, of the metric .875 .375 .625 .125.
    assert found.gap[:4] == pytest.approx([0.75, 0, 0, -0.75]) and np.isnan(found.gap[4])
    assert (found.metric_higher.tolist(), found.people_higher.tolist()) == ([0], [3])
    row = found.to_json()["metric_higher"][0]
    assert (row["unit"], row["gap"], row["human_percentile"]) == (0, 0.75, 0.125)
    empty = disagreement(np.full(3, np.nan), np.ones(3))
    assert empty.metric_higher.size == empty.people_higher.size == 0
