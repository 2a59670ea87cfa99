"""Linearised interval of Kendall's tau-b for large samples."""

from __future__ import annotations

import math

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.intervals import NORMAL_95
from scoring.stats.significance.paired import by_group
from scoring.stats.table import FloatArray, IntArray

# xgettext:no-python-format
LINEARISED = say("95 % linearised by cluster (Hoeffding 1948), Fisher's z, normal")


def unit_concordance(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return, for each unit, the number of concordant minus discordant other units, (n,).

    O(n log n log K) for K distinct x: two x codes first differ at one binary digit, so at each
    digit units are compared with the other half of their group, sorted by y.
    """
    left = np.unique(x, return_inverse=True)[1].astype(np.int64)
    right = np.unique(y, return_inverse=True)[1].astype(np.int64)
    width = int(right.max(initial=0)) + 1
    found = np.zeros(x.size)
    for digit in range(int(left.max(initial=0)).bit_length()):
        group, above = left >> (digit + 1), (left >> digit) & 1
        key = group * width + right
        order = np.argsort(key, kind="stable")
        # Number of upper-half units before each position; the others are lower-half units.
        upper = np.concatenate([[0], np.cumsum(above[order])])
        run_start, run_end = _edges(key[order])
        group_start, group_end = _edges(group[order])
        up = upper[run_start] - upper[group_start] - (upper[group_end] - upper[run_end])
        every = (run_start - group_start) - (group_end - run_end)
        balance = np.where(above[order] == 1, every - up, -up)
        found[order] += balance
    return found


def _edges(ordered: IntArray) -> tuple[IntArray, IntArray]:
    """Return start and end (exclusive) of the run of equal codes containing each position."""
    new = np.flatnonzero(np.diff(ordered, prepend=-1))
    of = np.cumsum(np.diff(ordered, prepend=-1) != 0) - 1
    return new[of], np.append(new[1:], ordered.size)[of]


def apart(values: FloatArray) -> FloatArray:
    """Return the (n,) number of other units with a different value."""
    _, of, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(values.size - times[of], dtype=np.float64)


def tau_b_interval(
    x: FloatArray, y: FloatArray, codes: IntArray, groups: int
) -> tuple[float, float] | None:
    """Return the cluster-robust 95 % interval of tau-b; None for a perfect tau.

    tau-b is a ratio of U-statistics: unit influences are linearised and summed by cluster, and the
    interval is computed on Fisher's z scale. Source: Hoeffding 1948 (projection), by cluster as in
    Binder 1983.
    """
    agree, first, second = unit_concordance(x, y), apart(x), apart(y)
    product = math.sqrt(float(first.sum()) * float(second.sum()))
    tau = float(agree.sum()) / product
    share = 2 * (agree / product - tau * (first / first.sum() + second / second.sum()) / 2)
    sums = by_group(share[:, None], codes, groups)[:, 0]
    error = math.sqrt(groups / max(groups - 1, 1) * float((sums**2).sum()))
    if 1 - abs(tau) < 1e-12:
        return None
    reach = NORMAL_95 * error / (1 - tau**2)
    middle = math.atanh(tau)
    return math.tanh(middle - reach), math.tanh(middle + reach)
