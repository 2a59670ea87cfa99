"""Intervals of shares and means: Wilson's, and the bootstrap by cluster."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats

from scoring.stats.resampling import (
    LEAST_GROUPS,
    Bootstrap,
    draws,
    even,
    percentile_interval,
)
from scoring.stats.table import FloatArray, IntArray

WILSON = "95 %, Wilson 1927, rows taken as independent"
NO_ROWS = "undefined: no row"


@dataclass(frozen=True)
class Interval:
    """A 95 % interval, both ends or none; `reason` says why there is none."""

    low: float | None
    high: float | None
    method: str
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def wilson(passed: int, n: int) -> Interval:
    """Score interval of a share. Source: Wilson 1927; Newcombe 1998, method 3.

    It takes the rows as independent, which judgments of one text are not: read it beside the
    bootstrap by cluster. Undefined without rows; ValueError for passed outside 0 to n.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is no share")
    if n == 0:
        return Interval(None, None, WILSON, NO_ROWS)
    z = float(stats.norm.ppf(0.975))
    share, extra = passed / n, z * z / n
    centre = (share + extra / 2) / (1 + extra)
    half = z / (1 + extra) * math.sqrt(share * (1 - share) / n + extra / (4 * n))
    # At 0 and n the end is 0 or 1 by algebra; rounding must not move it.
    low = 0.0 if passed == 0 else centre - half
    high = 1.0 if passed == n else centre + half
    return Interval(low, high, WILSON)


def cluster_sums(
    cluster: IntArray, column: IntArray, value: FloatArray, shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """(clusters, columns) sums and numbers of the values that are there.

    cluster, column, value: (E,) codes and values, NaN for a missing one.
    """
    there = ~np.isnan(value)
    cell = cluster[there] * shape[1] + column[there]
    size = shape[0] * shape[1]
    total = np.bincount(cell, value[there], minlength=size).astype(np.float64)
    n = np.bincount(cell, minlength=size).astype(np.float64)
    return total.reshape(shape), n.reshape(shape)


def ratio_intervals(
    total: FloatArray, n: FloatArray, plan: Bootstrap, clusters_are: str
) -> list[Interval]:
    """Percentile intervals of the means sum(total) / sum(n), whole clusters drawn.

    total, n  (G, C) per cluster and column; all columns share the same draws.
    None where nothing was drawn, where a column has values in fewer than five clusters (too few
    to draw from), where all its clusters have the same mean (the bootstrap would claim certainty),
    or where over 10 % of the replicates have no value. Source: Efron and Tibshirani 1993,
    chapter 13; Field and Welsh 2007 on clusters.
    """
    method = f"95 %, percentiles of {plan.replicates} bootstrap draws of {clusters_are}"
    if not plan.replicates or not total.size:
        reason = "no bootstrap was asked for" if not plan.replicates else NO_ROWS
        return [Interval(None, None, method, reason)] * total.shape[1]
    groups = total.shape[0]
    made = []
    for drawn in draws(plan, groups, even(groups), total.shape[1]):
        ratio = np.full((drawn.shape[0], total.shape[1]), np.nan)
        weight = drawn @ n
        np.divide(drawn @ total, weight, out=ratio, where=weight > 0)
        made.append(ratio)
    replicates = np.concatenate(made)
    filled = (n > 0).sum(axis=0)
    return [
        _interval(replicates[:, column], int(filled[column]), method, clusters_are)
        for column in range(total.shape[1])
    ]


def _interval(replicates: FloatArray, filled: int, method: str, clusters_are: str) -> Interval:
    if filled == 0:
        return Interval(None, None, method, NO_ROWS)
    if filled < LEAST_GROUPS:
        reason = f"undefined: fewer than {LEAST_GROUPS} {clusters_are} to draw"
        return Interval(None, None, method, reason)
    found = percentile_interval(replicates)
    if found is None:
        return Interval(None, None, method, "undefined: over 10 % of the draws have no value")
    if np.nanmax(replicates) - np.nanmin(replicates) <= 1e-12 * max(1.0, abs(found[0])):
        return Interval(None, None, method, f"undefined: all {clusters_are} have the same mean")
    return Interval(*found, method)
