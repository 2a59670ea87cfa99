"""The P value of scipy's permutation test."""

import numpy as np
from scipy import stats


def scipys_p(gaps):
    """Paired swaps gone through one by one."""
    found = stats.permutation_test(
        (np.asarray(gaps, dtype=float), np.zeros(len(gaps))),
        lambda a, b: np.sum(a - b),
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
    )
    return float(found.pvalue)
