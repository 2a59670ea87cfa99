"""Intervals of proportions and means: Wilson's, and the cluster bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.intervals import NORMAL_95
from scoring.stats.resampling import (
    LEAST_GROUPS,
    Bootstrap,
    draws,
    even,
    percentile_interval,
)
from scoring.stats.table import FloatArray, IntArray

WILSON = say("95 %, Wilson 1927, rows assumed independent")
NO_ROWS = say("undefined: no row")


class IntervalJson(TypedDict):
    """`Interval` in a report."""

    low: float | None
    high: float | None
    method: str
    reason: str | None


@dataclass(frozen=True)
class Interval:
    """A 95 % interval with both limits, or neither and a `reason`."""

    low: float | None
    high: float | None
    method: Sentence
    reason: Sentence | None = None

    def as_json(self) -> IntervalJson:
        return {
            "low": self.low, "high": self.high, "method": self.method, "reason": self.reason,
        }  # fmt: skip


def wilson(passed: int, n: int) -> Interval:
    """Return the score interval of a proportion. Source: Wilson 1927; Newcombe 1998, method 3.

    It assumes independent rows, which judgments of one text are not: compare with the cluster
    bootstrap. Undefined without rows. Raises ValueError for passed outside 0 to n.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is not a proportion")
    if n == 0:
        return Interval(None, None, WILSON, NO_ROWS)
    z = NORMAL_95
    share, extra = passed / n, z * z / n
    centre = (share + extra / 2) / (1 + extra)
    half = z / (1 + extra) * math.sqrt(share * (1 - share) / n + extra / (4 * n))
    # At 0 and n the limit is exactly 0 or 1; avoid rounding error.
    low = 0.0 if passed == 0 else centre - half
    high = 1.0 if passed == n else centre + half
    return Interval(low, high, WILSON)


def cluster_sums(
    cluster: IntArray, column: IntArray, value: FloatArray, shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """Return (clusters, columns) sums and counts of the values that are not missing.

    cluster, column, value: (E,) codes and values, NaN for a missing one.
    """
    there = ~np.isnan(value)
    cell = cluster[there] * shape[1] + column[there]
    size = shape[0] * shape[1]
    total = np.bincount(cell, value[there], minlength=size).astype(np.float64)
    n = np.bincount(cell, minlength=size).astype(np.float64)
    return total.reshape(shape), n.reshape(shape)


def ratio_intervals(
    total: FloatArray, n: FloatArray, plan: Bootstrap, clusters_are: Sentence
) -> list[Interval]:
    """Return percentile intervals of the means sum(total) / sum(n) by cluster bootstrap.

    total, n  (G, C) per cluster and column; all columns share the same resamples.
    There is no interval without replicates, for values in fewer than five clusters, if all clusters
    have the same mean (the interval would have zero width), or if over 10 % of the replicates are
    undefined. Source: Efron and Tibshirani 1993, chapter 13; Field and Welsh 2007 on clusters.
    """
    method = say(
        "95 %%, percentiles of %(n)s bootstrap draws of %(clusters)s",
        n=plan.replicates,
        clusters=clusters_are,
    )
    if not plan.replicates or not total.size:
        reason = say("no bootstrap was requested") if not plan.replicates else NO_ROWS
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


def _interval(
    replicates: FloatArray, filled: int, method: Sentence, clusters_are: Sentence
) -> Interval:
    if filled == 0:
        return Interval(None, None, method, NO_ROWS)
    if filled < LEAST_GROUPS:
        reason = say(
            "undefined: fewer than %(least)s %(clusters)s to draw",
            least=LEAST_GROUPS,
            clusters=clusters_are,
        )
        return Interval(None, None, method, reason)
    found = percentile_interval(replicates)
    if found is None:
        # xgettext:no-python-format
        return Interval(None, None, method, say("undefined: over 10 % of the draws have no value"))
    if np.nanmax(replicates) - np.nanmin(replicates) <= 1e-12 * max(1.0, abs(found[0])):
        return Interval(
            None,
            None,
            method,
            say("undefined: all %(clusters)s have the same mean", clusters=clusters_are),
        )
    return Interval(*found, method)
