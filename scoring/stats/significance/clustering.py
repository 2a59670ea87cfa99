"""Design effect and true level of tests that assume paraphrases of one original independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from scoring.stats.counts import ratio
from scoring.stats.distributions import normal_above
from scoring.stats.intervals import NORMAL_95
from scoring.stats.significance.paired import Sample, by_group, standard
from scoring.stats.table import FloatArray, IntArray

TOO_BOLD = 0.075  # Warn if a nominal .05 test has a higher type I error rate than this.


class ClusteringJson(TypedDict):
    """`Clustering` in a report."""

    icc: float | None
    design_effect: float | None
    level: float | None


@dataclass(frozen=True)
class Clustering:
    """Clustering of the units' influences on a difference between two metrics.

    icc            one-way intraclass correlation of the influences by cluster (ANOVA); None if
                   every cluster has one unit
    design_effect  cluster-robust variance / variance for independent units
    level          type I error rate of a nominal .05 test that assumes independent units, by the
                   normal approximation; None without a design effect
    """

    icc: float | None
    design_effect: float | None

    @property
    def level(self) -> float | None:
        if self.design_effect is None:
            return None
        return float(2 * normal_above(NORMAL_95 / np.sqrt(max(self.design_effect, 1e-12))))

    @property
    def too_bold(self) -> bool:
        return self.level is not None and self.level > TOO_BOLD

    def to_json(self) -> ClusteringJson:
        return {"icc": self.icc, "design_effect": self.design_effect, "level": self.level}


def correlation_shares(sample: Sample) -> FloatArray:
    """Return the (n, M) influence of each unit on Pearson's r of each metric; columns sum to 0.

    The influence on a difference of two metrics is the difference of their influences; the sum of
    squared cluster sums gives its variance (infinitesimal jackknife). Source: Hampel 1974.
    """
    h, a = standard(sample.x)[:, None], standard(sample.y)
    r = (h * a).mean(axis=0)
    return np.asarray(h * a - r * (h * h + a * a) / 2)


def clustering(shares: FloatArray, codes: IntArray, pairs: IntArray) -> list[Clustering]:
    """Return the clustering for each pair (P, 2) of columns of `shares` (n, M)."""
    n, groups = shares.shape[0], int(codes.max()) + 1
    sizes = np.bincount(codes).astype(np.float64)
    sums = by_group(shares, codes, groups)
    within, between = _gap(shares.T @ shares, pairs), _gap(sums.T @ sums, pairs)
    means = _gap(sums.T @ (sums / sizes[:, None]), pairs)
    effect = ratio(between * groups / max(groups - 1, 1), within * n / max(n - 1, 1))
    icc = np.full(len(pairs), np.nan)
    if n > groups > 1:
        above, below = means / (groups - 1), (within - means) / (n - groups)
        usual = (n - (sizes**2).sum() / n) / (groups - 1)
        icc = ratio(above - below, above + (usual - 1) * below)
    return [Clustering(_known(i), _known(e)) for i, e in zip(icc, effect, strict=True)]


def _gap(gram: FloatArray, pairs: IntArray) -> FloatArray:
    """Return squared norms of the differences of column pairs, from the Gram matrix."""
    first, second = pairs.T
    gap = gram[first, first] + gram[second, second] - 2 * gram[first, second]
    return np.asarray(np.maximum(gap, 0))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def mcnemar_clustering(right: FloatArray, only: FloatArray, pairs: IntArray) -> list[Clustering]:
    """Return the clustering of the discordant pairs of McNemar's test.

    right (G, M): pairs ordered as by humans, per cluster; only (M, M): pairs correct by the row's
    metric but not by the column's.
    """
    return [
        decision_clustering(right[:, a] - right[:, b], float(only[a, b] + only[b, a]))
        for a, b in pairs
    ]


def decision_clustering(gap: FloatArray, discordant: float) -> Clustering:
    """Return the clustering of one pair's decisions that differ.

    gap  (G,) per cluster, those of the first alone minus those of the second alone
    """
    groups = gap.size
    if groups < 2 or discordant <= 0:
        return Clustering(None, None)
    between = float(((gap - gap.mean()) ** 2).sum()) * groups / (groups - 1)
    return Clustering(None, between / discordant)
