"""Coefficients of many metrics in many bootstrap samples at once."""

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.significance.paired import (
    Sample,
    clustering,
    correlation_shares,
    kendall_kernel,
    mcnemar_clustering,
    pearson_kernel,
    replicate,
    sample_of,
    spearman_kernel,
)
from tests.scoring.stats.evaluation.columns import HUMAN, A, B, by_scipy, data, drawn_rows


def test_bootstrap_replicates_are_the_coefficients_of_the_drawn_rows():
    """The weighted shortcuts equal scipy on the repeated rows, in clusters and without."""
    for codes in (np.arange(20) // 4, np.arange(20)):
        plan = Bootstrap(15, 9)
        sample = Sample(("a", "b"), HUMAN, np.column_stack([A, B]), codes, True)
        kernels = {
            "pearson": pearson_kernel(sample),
            "spearman": spearman_kernel(sample),
            "kendall": kendall_kernel(sample),
        }
        fast = replicate(kernels, plan, int(codes.max()) + 1, 20)
        for i, rows in enumerate(drawn_rows(plan, codes)):
            for place, metric in enumerate((A, B)):
                x, y = HUMAN[rows], metric[rows]
                slow = by_scipy(x, y)
                for name in kernels:
                    assert fast[name][i, place] == pytest.approx(slow[name])
                tau_c = stats.kendalltau(x, y, variant="c").statistic
                assert fast["kendall"][i, 2 + place] == pytest.approx(tau_c)


# How much too bold a test is that takes paraphrases of one original for independent.


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
