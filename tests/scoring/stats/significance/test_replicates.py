"""Coefficients of many metrics in many bootstrap samples at once."""

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.significance.paired import (
    Sample,
    kendall_kernel,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from tests.scoring.stats.evaluation.columns import HUMAN, A, B, by_scipy, drawn_rows


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
