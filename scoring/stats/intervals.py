"""Medians of many groups at once, and their intervals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import scipy

from scoring.stats.table import FloatArray, IntArray

NORMAL_95 = NormalDist().inv_cdf(0.975)


def order_interval(
    group: IntArray, value: FloatArray, n: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distribution-free 95 % interval of each group's median; NaN below six values.

    group (R,) codes; value (R,); n (G,) values per group. Source: Thompson 1936.
    """
    ordered = value[np.lexsort((value, group))]
    start = np.cumsum(n) - n
    # The k-th value from either end, with the largest k such that P(Binomial(n, 1/2) < k) <= 0.025.
    k = scipy.stats.binom.ppf(0.025, np.maximum(n, 1), 0.5).astype(np.int64)
    enough = n >= 6
    low, high = np.full(n.shape, np.nan), np.full(n.shape, np.nan)
    low[enough] = ordered[(start + k - 1)[enough]]
    high[enough] = ordered[(start + n - k)[enough]]
    return low, high


def medians(group: IntArray, value: FloatArray, n: IntArray) -> FloatArray:
    """Return the median of each group, NaN for an empty one. Shapes as in `order_interval`."""
    ordered = value[np.lexsort((value, group))]
    some = n > 0
    first = (np.cumsum(n) - n)[some]
    middle = np.full(n.shape, np.nan)
    low, high = ordered[first + (n[some] - 1) // 2], ordered[first + n[some] // 2]
    middle[some] = low + (high - low) / 2
    return middle
