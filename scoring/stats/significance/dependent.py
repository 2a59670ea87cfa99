"""Tests of two dependent correlations that share the human column, vectorised.

All take Pearson's r: `r12`, `r13` of metrics A and B with the humans, `r23` of A with B, in
broadcastable shapes; `n` counts units. All assume independent units, which paraphrases of one
original are not: compare with the permutation by cluster. NaN if undefined: fewer than four units,
perfectly correlated metrics, or (except Williams) a perfect r.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.counts import ratio
from scoring.stats.distributions import normal_above, t_above
from scoring.stats.intervals import NORMAL_95
from scoring.stats.table import BoolArray, FloatArray

LEAST_UNITS = 4
NEARLY = 1e-12


def williams_t(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Williams's t with n - 3 degrees of freedom, and its two-sided p.

    Sources: Williams 1959; Steiger 1980, eq. 7; Graham and Baldwin 2014.
    """
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    least = max(n - 3, 1)
    variance = 2 * np.maximum(determinant, 0) * (n - 1) / least + mean**2 * (1 - r23) ** 3
    known = (n >= LEAST_UNITS) & (variance > 1e-14) & (1 - r23 > NEARLY)
    top = (r12 - r13) * np.sqrt(np.maximum(n - 1, 0) * (1 + r23))
    t = ratio(top, np.where(known, np.sqrt(np.maximum(variance, 0)), 0.0))
    return t, np.asarray(2 * t_above(np.abs(t), least))


def steiger_z(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Steiger's z with the pooled covariance, and its two-sided p. Steiger 1980, eq. 14."""
    mean2 = ((r12 + r13) / 2) ** 2
    top = r23 * (1 - 2 * mean2) - mean2 * (1 - 2 * mean2 - r23**2) / 2
    shared = ratio(top, (1 - mean2) ** 2)
    z = ratio(_gap(r12, r13, r23, n), np.sqrt(np.maximum(2 - 2 * shared, 0)))
    return z, _two_sided(z)


def meng_z(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Meng's z and its two-sided p. Source: Meng, Rosenthal and Rubin 1992, eq. 1-3."""
    mean = (r12**2 + r13**2) / 2
    f = np.minimum(ratio(1 - r23, 2 * (1 - mean)), 1)
    h = ratio(1 - f * mean, 1 - mean)
    z = ratio(_gap(r12, r13, r23, n), np.sqrt(np.maximum(2 * (1 - r23) * h, 0)))
    return z, _two_sided(z)


def zou_interval(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return the 95 % interval of r12 - r13 from both Fisher intervals, without bias adjustment.

    Source: Zou 2007, section "overlapping dependent correlations".
    """
    (l1, u1), (l2, u2) = _fisher(r12, n), _fisher(r13, n)
    rest = 1 - r12**2 - r13**2 - r23**2
    both = ratio((r23 - r12 * r13 / 2) * rest + r23**3, (1 - r12**2) * (1 - r13**2))
    gap = r12 - r13

    def reach(own: FloatArray, other: FloatArray) -> FloatArray:
        return np.sqrt(np.maximum(own**2 + other**2 - 2 * both * own * other, 0))

    return gap - reach(r12 - l1, u2 - r13), gap + reach(u1 - r12, r13 - l2)


def _gap(r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int) -> FloatArray:
    known = _known(r12, n) & _known(r13, n) & (1 - r23 > NEARLY)
    gap = np.arctanh(np.where(known, r12, 0)) - np.arctanh(np.where(known, r13, 0))
    return np.where(known, gap * np.sqrt(max(n - 3, 0)), np.nan)


def _fisher(r: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    known = _known(r, n)
    z = np.where(known, np.arctanh(np.where(known, r, 0)), np.nan)
    reach = NORMAL_95 / np.sqrt(max(n - 3, 1))
    return np.tanh(z - reach), np.tanh(z + reach)


def _known(r: FloatArray, n: int) -> BoolArray:
    return np.asarray((np.abs(r) < 1 - NEARLY) & (n >= LEAST_UNITS))


def _two_sided(z: FloatArray) -> FloatArray:
    return np.asarray(2 * normal_above(np.abs(z)))


Test = Callable[[FloatArray, FloatArray, FloatArray, int], tuple[FloatArray, FloatArray]]
TESTS: dict[str, tuple[Test, Sentence]] = {
    "williams_p": (williams_t, say("Williams 1959, Pearson, units assumed independent")),
    "steiger_p": (steiger_z, say("Steiger 1980, pooled, Pearson, units assumed independent")),
    "meng_p": (
        meng_z, say("Meng, Rosenthal and Rubin 1992, Pearson, units assumed independent")
    ),
}  # fmt: skip
