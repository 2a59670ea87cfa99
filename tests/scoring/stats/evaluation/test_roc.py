"""How well a metric tells what passes from what does not: the ROC curve and its area."""

import numpy as np
import pytest
from hypothesis import given

from scoring.stats import Bootstrap
from scoring.stats.evaluation.one_metric import roc_curves
from tests.scoring.stats.evaluation.columns import ROWS, clustered, columns, drawn_rows, percentiles
from tests.scoring.stats.panels import interval


@given(ROWS)
def test_roc_area_by_brute_force(rows):
    human, metric, _ = columns(rows)
    passed = (human >= 2).astype(float)
    found = roc_curves(passed, {"m": metric})["m"]
    yes, no = metric[passed == 1], metric[passed == 0]
    if not yes.size or not no.size:
        assert found.area.value is None and found.curve == ()
        return
    wins = (yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2
    assert found.area.value == pytest.approx(wins)
    x, y, limits = zip(*found.curve, strict=True)
    assert (x[0], y[0], limits[0]) == (0, 0, None) and (x[-1], y[-1]) == (1, 1)
    assert np.trapezoid(y, x) == pytest.approx(wins)
    for false, true, limit in found.curve[1:]:
        assert true == pytest.approx((yes >= limit).mean())
        assert false == pytest.approx((no >= limit).mean())


def test_roc_replicates_are_the_areas_of_the_drawn_rows():
    human, metric, codes = clustered()
    passed, plan = (human >= 3).astype(float), Bootstrap(40, 2)
    metrics = {"m": metric, "rough": np.round(metric)}
    found = roc_curves(passed, metrics, codes, plan)
    for name, column in metrics.items():
        again = [
            roc_curves(passed[rows], {"m": column[rows]})["m"].area.value
            for rows in drawn_rows(plan, codes)
        ]
        assert interval(found[name].area) == pytest.approx(percentiles(again))


def test_the_pass_decision_is_one_or_nought():
    with pytest.raises(ValueError, match="1, 0 or missing"):
        roc_curves(np.array([0, 2.0]), {"m": np.zeros(2)})
