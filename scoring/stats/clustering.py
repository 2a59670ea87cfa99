"""How much too bold a test is that takes paraphrases of one original for independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from scoring.stats.counts import ratio
from scoring.stats.paired import Sample, by_group, standard
from scoring.stats.table import FloatArray, IntArray

TOO_BOLD = 0.075  # A test at .05 that rejects what is true more often than this is warned of.
NORMAL_95 = float(stats.norm.ppf(0.975))


@dataclass(frozen=True)
class Clustering:
    """Of the units' shares in a difference between two metrics.

    icc            one-way intraclass correlation of the shares by cluster (ANOVA); None where every
                   cluster has one unit
    design_effect  variance of the difference with clusters / as if units were independent
    level          how often a test at .05 that takes units for independent rejects a true
                   hypothesis, by the normal approximation; None without a design effect
    """

    icc: float | None
    design_effect: float | None

    @property
    def level(self) -> float | None:
        if self.design_effect is None:
            return None
        return float(2 * stats.norm.sf(NORMAL_95 / np.sqrt(max(self.design_effect, 1e-12))))

    @property
    def too_bold(self) -> bool:
        return self.level is not None and self.level > TOO_BOLD

    def to_json(self) -> dict[str, Any]:
        return {"icc": self.icc, "design_effect": self.design_effect, "level": self.level}


def correlation_shares(sample: Sample) -> FloatArray:
    """(n, M) each unit's share (influence) in Pearson's r of each metric; columns sum to 0.

    The difference of two metrics has the differences of their shares, and its variance is the sum
    of the squares of their sums by cluster (infinitesimal jackknife). Source: Hampel 1974.
    """
    h, a = standard(sample.x)[:, None], standard(sample.y)
    r = (h * a).mean(axis=0)
    return np.asarray(h * a - r * (h * h + a * a) / 2)


def clustering(shares: FloatArray, codes: IntArray, pairs: IntArray) -> list[Clustering]:
    """For each pair (P, 2) of columns of `shares` (n, M)."""
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
    """Squared length of the difference of two columns, from their products."""
    first, second = pairs.T
    gap = gram[first, first] + gram[second, second] - 2 * gram[first, second]
    return np.asarray(np.maximum(gap, 0))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def mcnemar_clustering(right: FloatArray, only: FloatArray, pairs: IntArray) -> list[Clustering]:
    """The same of the pairs that one of two metrics alone orders as the humans do.

    right (G, M) pairs ordered alike per cluster; only (M, M) pairs that the row alone did.
    """
    found = []
    groups = right.shape[0]
    for a, b in pairs:
        gap = right[:, a] - right[:, b]
        discordant = float(only[a, b] + only[b, a])
        between = float(((gap - gap.mean()) ** 2).sum()) * groups / max(groups - 1, 1)
        known = groups > 1 and discordant > 0
        found.append(Clustering(None, between / discordant if known else None))
    return found
