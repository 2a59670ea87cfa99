"""Cluster-robust standard errors and intervals of many groups at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.distributions import t_quantile
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import BoolArray, FloatArray, IntArray

TOO_FEW = say("fewer than %(n)s clusters or units", n=LEAST_GROUPS)
FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows in groups (annotators), and in clusters (items) within each group.

    of      (R,) code of each row's group, from 0 to size - 1
    cell    (R,) code of each row's cluster within its group
    owner   (cells,) group of each of these clusters
    """

    of: IntArray
    size: int
    cell: IntArray
    owner: IntArray

    @classmethod
    def make(cls, group: IntArray, cluster: IntArray, size: int) -> Groups:
        """Build from (R,) codes of groups and of clusters."""
        width = int(cluster.max(initial=0)) + 1
        key, cell = np.unique(group * width + cluster, return_inverse=True)
        return cls(group, size, cell.astype(np.int64), (key // width).astype(np.int64))

    @property
    def n(self) -> IntArray:
        """(size,) number of rows per group."""
        return np.bincount(self.of, minlength=self.size).astype(np.int64)

    @property
    def clusters(self) -> IntArray:
        """(size,) number of clusters per group."""
        return np.bincount(self.owner, minlength=self.size).astype(np.int64)

    @property
    def critical(self) -> FloatArray:
        """(size,) critical t for a 95 % interval with clusters - 1 degrees of freedom; NaN for too
        few clusters."""
        enough = np.maximum(self.clusters, LEAST_GROUPS) - 1
        return np.where(self.clusters >= LEAST_GROUPS, t_quantile(0.975, enough), np.nan)

    def total(self, value: FloatArray) -> FloatArray:
        """Return the (size,) sum of (R,) values per group."""
        return np.asarray(np.bincount(self.of, value, minlength=self.size), dtype=np.float64)

    def mean(self, value: FloatArray) -> FloatArray:
        """Return the (size,) mean of (R,) values per group; NaN for an empty group."""
        return self.total(value) / np.where(self.n > 0, self.n, np.nan)

    def error(self, influence: FloatArray) -> FloatArray:
        """Return the (size,) cluster-robust standard error from (R,) influence values.

        Clusters are assumed independent, rows within a cluster are not; corrected by G / (G - 1)
        for G clusters. Source: linearisation (Binder 1983; Liang and Zeger 1986).
        """
        sums = np.bincount(self.cell, influence, minlength=self.owner.size)
        squares = np.bincount(self.owner, sums**2, minlength=self.size)
        count = np.where(self.clusters > 1, self.clusters, np.nan)
        return np.asarray(np.sqrt(squares * count / (count - 1)))


def wilson(share: FloatArray, n: FloatArray, critical: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the score interval of proportions of n trials; NaN if n is. Source: Wilson 1927."""
    square = critical**2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def share_interval(groups: Groups, share: FloatArray, hit: FloatArray) -> tuple[FloatArray, ...]:
    """Return Wilson's interval of each group's mean of (R,) `hit` in [0, 1], with clusters.

    n is the effective sample size: the number of independent trials with the same standard error
    (Korn and Graubard 1998), or the number of clusters if all values are 0 or all are 1.
    """
    error = groups.error((hit - share[groups.of]) / groups.n[groups.of])
    certain = ~(error > 1e-12)
    effective = share * (1 - share) / np.where(certain, np.nan, error) ** 2
    return wilson(
        share, np.where(certain, np.maximum(groups.clusters, 1), effective), groups.critical
    )


@dataclass(frozen=True, eq=False)
class Correlations:
    """Pearson's r per group with its interval; NaN if a column is constant."""

    r: FloatArray
    low: FloatArray
    high: FloatArray
    first_equal: BoolArray
    second_equal: BoolArray


def correlations(groups: Groups, first: FloatArray, second: FloatArray) -> Correlations:
    """Return Pearson's r of two (R,) columns per group, with an interval on Fisher's z scale.

    The standard error is linearised and cluster-robust, and does not assume normality. There is no
    interval if |r| is 1.
    """
    scaled, equal = [], []
    for values in (first, second):
        centred = values - groups.mean(values)[groups.of]
        spread = np.sqrt(groups.mean(centred**2))
        equal.append(~(spread > FLAT * max(1.0, float(np.abs(values).max(initial=0)))))
        scaled.append(centred / np.where(equal[-1], np.nan, spread)[groups.of])
    x, y = scaled
    r = np.clip(groups.mean(x * y), -1, 1)
    line = ~(1 - r**2 > FLAT)
    influence = (x * y - r[groups.of] * (x**2 + y**2) / 2) / groups.n[groups.of]
    error = groups.error(np.nan_to_num(influence)) / np.where(line, np.nan, 1 - r**2)
    z, half = np.arctanh(np.where(line, np.nan, r)), groups.critical * error
    return Correlations(r, np.tanh(z - half), np.tanh(z + half), equal[0], equal[1])
