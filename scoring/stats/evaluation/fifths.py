"""Human values at low, middle and high scores: the mean in each fifth of the texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.intervals import NORMAL_95
from scoring.stats.table import FloatArray, IntArray

PARTS = 5
LEAST_CLUSTERS = 2


@dataclass(frozen=True, slots=True)
class Fifth:
    """A part of the texts: median score `x`, mean human value `y` with its 95 % interval (None if
    the part has a single cluster), and the number of texts."""

    x: float
    y: float
    low: float | None
    high: float | None
    n: int


def fifths(metric: FloatArray, people: FloatArray, cluster: IntArray) -> list[Fifth]:
    """Split the texts into five parts by score and return the mean human value of each.

    metric, people, cluster  (n,) score, human value and cluster (the original) of each text, no NaN

    Equal scores may fall into two parts. The interval is normal, with the cluster-robust standard
    error of a mean: sum over clusters of (sum of deviations)^2 / n^2, times C / (C - 1). Fewer
    parts where there are fewer than five texts. Source: Cameron and Miller 2015, section II.
    """
    order = np.argsort(metric, kind="stable")
    parts = np.array_split(order, PARTS)
    return [_part(metric[part], people[part], cluster[part]) for part in parts if part.size]


def _part(metric: FloatArray, people: FloatArray, cluster: IntArray) -> Fifth:
    mean = float(people.mean())
    _, code = np.unique(cluster, return_inverse=True)
    groups = int(code.max()) + 1
    low = high = None
    if groups >= LEAST_CLUSTERS:
        sums = np.bincount(code, people - mean)
        variance = float((sums**2).sum()) / people.size**2 * groups / (groups - 1)
        half = NORMAL_95 * variance**0.5
        low, high = mean - half, mean + half
    return Fifth(float(np.median(metric)), mean, low, high, int(people.size))
