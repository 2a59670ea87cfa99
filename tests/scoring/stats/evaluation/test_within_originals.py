"""Correlation within originals: do people and a metric agree on the paraphrases of one sentence?"""

import numpy as np
import pytest

from scoring.stats import Bootstrap
from scoring.stats.evaluation.correlation import within_originals
from tests.scoring.stats.evaluation.columns import by_scipy, clustered


def test_within_originals_is_the_mean_of_their_coefficients():
    human, metric, codes = clustered()
    human[codes == 3] = 2  # People tell nothing apart there.
    metric[codes == 5] = [1, np.nan, np.nan, 2]  # Two units are no correlation.
    found = within_originals(human, {"m": metric}, codes, Bootstrap(100, 4))["m"]
    each = []
    gap = people = machine = 0.0
    for code in range(15):
        row = (codes == code) & np.isfinite(metric)
        x, y = human[row], metric[row]
        sign = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
        gap += (sign[0] * sign[1]).sum()
        people, machine = people + np.abs(sign[0]).sum(), machine + np.abs(sign[1]).sum()
        if x.size > 2 and np.ptp(x) > 0:
            each.append(by_scipy(x, y))
    for name in each[0]:
        assert found[name].value == pytest.approx(np.mean([one[name] for one in each])), name
        assert found[name].n == len(each)
        assert found[name].ci_low < found[name].value
    assert found["kendall_pooled"].value == pytest.approx(gap / np.sqrt(people * machine))
    flat = within_originals(np.ones(60), {"m": metric}, codes)["m"]
    assert flat["pearson"].value is None and flat["kendall_pooled"].value is None
    empty = within_originals(human, {"m": np.full(60, np.nan)}, codes, Bootstrap(10))["m"]
    assert {one.value for one in empty.values()} == {None}


def test_the_size_of_values_does_not_matter():
    rng = np.random.default_rng(9)
    human, metric, codes = rng.normal(size=40), rng.normal(size=40), np.arange(40) // 5
    one = within_originals(human, {"m": metric}, codes)["m"]["pearson"].value
    for factor in (1e300, 1e-300):
        found = within_originals(human * factor, {"m": metric * factor}, codes)["m"]["pearson"]
        assert found.value == pytest.approx(one, abs=1e-9)
