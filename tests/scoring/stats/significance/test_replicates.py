"""Coefficients of many metrics in many bootstrap samples at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.resampling import draws, even
from scoring.stats.significance.paired import Sample
from scoring.stats.significance.replicates import (
    kendall_kernel,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from tests.scoring.stats.evaluation.columns import HUMAN, A, B


def test_bootstrap_replicates_are_the_coefficients_of_the_drawn_rows() -> None:
    """The weighted shortcuts equal scipy on the repeated rows, in clusters and without."""
    for codes in (np.arange(20) // 4, np.arange(20)):
        groups = int(codes.max()) + 1
        plan = Bootstrap(15, 9)
        sample = Sample(("a", "b"), HUMAN, np.column_stack([A, B]), codes, True)
        kernels = {
            "pearson": pearson_kernel(sample),
            "spearman": spearman_kernel(sample),
            "taus": kendall_kernel(sample),
        }
        fast = replicate(kernels, plan, groups, 20)
        drawn = np.concatenate(list(draws(plan, groups, even(groups))))
        for i, weight in enumerate(drawn[:, codes].astype(int)):
            rows = np.repeat(np.arange(20), weight)
            for place, metric in enumerate((A, B)):
                x, y = HUMAN[rows], metric[rows]
                for name, column, slow in (
                    ("pearson", place, stats.pearsonr(x, y)),
                    ("spearman", place, stats.spearmanr(x, y)),
                    ("taus", place, stats.kendalltau(x, y)),
                    ("taus", 2 + place, stats.kendalltau(x, y, variant="c")),
                ):
                    assert fast[name][i, column] == pytest.approx(slow.statistic)
