"""Errors and intervals of many groups at once, where rows of one cluster may be dependent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import BoolArray, FloatArray, IntArray

TOO_FEW = f"fewer than {LEAST_GROUPS} clusters or units"
FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows that belong to groups (annotators), and in each group to clusters (items).

    of      (R,) code of each row's group, from 0 to size - 1
    cell    (R,) code of each row's cluster within its group
    owner   (cells,) group of each such cluster
    """

    of: IntArray
    size: int
    cell: IntArray
    owner: IntArray

    @classmethod
    def make(cls, group: IntArray, cluster: IntArray, size: int) -> Groups:
        """From (R,) codes of groups and of clusters."""
        width = int(cluster.max(initial=0)) + 1
        key, cell = np.unique(group * width + cluster, return_inverse=True)
        return cls(group, size, cell.astype(np.int64), (key // width).astype(np.int64))

    @property
    def n(self) -> IntArray:
        """(size,) rows of each group."""
        return np.bincount(self.of, minlength=self.size).astype(np.int64)

    @property
    def clusters(self) -> IntArray:
        """(size,) clusters of each group."""
        return np.bincount(self.owner, minlength=self.size).astype(np.int64)

    @property
    def critical(self) -> FloatArray:
        """(size,) Student's t for a 95 % interval, clusters - 1 degrees of freedom; NaN for too
        few clusters."""
        enough = np.maximum(self.clusters, LEAST_GROUPS) - 1
        return np.where(self.clusters >= LEAST_GROUPS, stats.t.ppf(0.975, enough), np.nan)

    def total(self, value: FloatArray) -> FloatArray:
        """(size,) sum of (R,) values in each group."""
        return np.asarray(np.bincount(self.of, value, minlength=self.size), dtype=np.float64)

    def mean(self, value: FloatArray) -> FloatArray:
        """(size,) mean of (R,) values in each group; NaN for an empty one."""
        return self.total(value) / np.where(self.n > 0, self.n, np.nan)

    def error(self, influence: FloatArray) -> FloatArray:
        """(size,) standard error of an estimate that moves by the sum of its rows' influences.

        Sums within a cluster are independent of each other, whatever happens inside; G / (G - 1)
        for G clusters. Source: linearisation (Binder 1983; Liang and Zeger 1986).
        """
        sums = np.bincount(self.cell, influence, minlength=self.owner.size)
        squares = np.bincount(self.owner, sums**2, minlength=self.size)
        count = np.where(self.clusters > 1, self.clusters, np.nan)
        return np.asarray(np.sqrt(squares * count / (count - 1)))


def wilson(share: FloatArray, n: FloatArray, critical: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Score interval of shares of n independent trials; NaN where n is. Source: Wilson 1927."""
    square = critical**2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def share_interval(groups: Groups, share: FloatArray, hit: FloatArray) -> tuple[FloatArray, ...]:
    """Wilson's interval of each group's mean of (R,) `hit` in [0, 1], with clusters.

    n is the effective sample size: that with which independent trials have the error that the
    clusters give (Korn and Graubard 1998). Where all or none hit, the number of clusters.
    """
    error = groups.error((hit - share[groups.of]) / groups.n[groups.of])
    certain = ~(error > 1e-12)
    effective = share * (1 - share) / np.where(certain, np.nan, error) ** 2
    return wilson(
        share, np.where(certain, np.maximum(groups.clusters, 1), effective), groups.critical
    )


@dataclass(frozen=True, eq=False)
class Correlations:
    """Pearson's r of each group with its interval; r is NaN where a column has no variation."""

    r: FloatArray
    low: FloatArray
    high: FloatArray
    first_equal: BoolArray
    second_equal: BoolArray


def correlations(groups: Groups, first: FloatArray, second: FloatArray) -> Correlations:
    """Pearson's r of two (R,) columns in each group, its interval on Fisher's z scale.

    The error is that of the linearised r, with clusters; it needs no normal distribution. Without
    an interval where the values lie on a line.
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
