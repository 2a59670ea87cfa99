"""How much too bold a test is that takes paraphrases of one original for independent."""

import numpy as np
import pytest

from scoring.stats.significance.paired import (
    clustering,
    correlation_shares,
    mcnemar_clustering,
    sample_of,
)
from tests.scoring.stats.evaluation.columns import data


def test_the_design_effect_is_that_of_the_cluster_jackknife():
    human, metrics, codes = data(originals=150)
    sample = sample_of(human, metrics, codes)
    (found,) = clustering(correlation_shares(sample), codes, np.array([[0, 1]]))

    columns = np.array([human, metrics["good"], metrics["fair"]])

    def variance(groups):
        left = [np.corrcoef(columns[:, groups != one])[0] for one in np.unique(groups)]
        return float(np.var([r[1] - r[2] for r in left]) * (len(left) - 1))

    expected = variance(codes) / variance(np.arange(codes.size))
    assert found.design_effect == pytest.approx(expected, rel=0.1)
    assert found.icc == pytest.approx((found.design_effect - 1) / 3, abs=0.08)


def test_the_design_effect_of_mcnemar_by_hand():
    # Of 10 + 4 discordant pairs; by original A alone is right in 6, 4 and 0, B alone in 0, 0 and 4.
    right = np.array([[8.0, 2], [5, 1], [1, 5]])
    only = np.array([[0.0, 10], [4, 0]])
    (found,) = mcnemar_clustering(right, only, np.array([[0, 1]]))
    gaps = np.array([6.0, 4, -4])
    assert found.design_effect == pytest.approx(gaps.var(ddof=1) * 3 / 14)
    assert found.icc is None and found.too_bold
    (calm,) = mcnemar_clustering(right[:1], only, np.array([[0, 1]]))
    assert calm.design_effect is None and calm.level is None and not calm.too_bold
