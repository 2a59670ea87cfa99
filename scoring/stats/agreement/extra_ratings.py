"""Whether texts on which annotators disagree have more ratings than others.

Where a further rating is asked for because two differ, the number of ratings depends on them, and
coefficients of agreement are biased: of a text on which two disagree and a third sides with one, a
third of the pairs agrees, not none. If numbers are planned, or lost by chance, the expected
disagreement of a pair of ratings is the same however many a text has.
"""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from scoring.stats.distributions import t_above
from scoring.stats.table import FloatArray, IntArray, RatingTable, out_of_range

ALPHA = 0.01
LEAST_GROUPS = 5


class ExtraRatings(TypedDict):
    """Disagreement of texts with few and with many ratings.

    notice         whether texts with more ratings disagree more, with p_value < 0.01
    p_value        one-sided; t of the covariance over texts, by cluster
    fewer, more    mean over texts of the share of pairs of ratings that differ, of texts with at
                   most, and with more than, the mean number of ratings
    n_fewer, n_more   how many texts these are
    """

    notice: bool
    p_value: float
    fewer: float
    more: float
    n_fewer: int
    n_more: int


def extra_ratings(table: RatingTable, clusters: IntArray | None = None) -> ExtraRatings | None:
    """Compare texts with at least two ratings; `clusters` (n_units,) as for intervals.

    None where all have the same number of ratings, or below five clusters.
    """
    unit, size = np.flatnonzero(table.ratings_per_unit >= 2), table.ratings_per_unit
    if not unit.size or np.ptp(size[unit]) == 0 or out_of_range(table.value):
        return None
    codes = np.unique(unit if clusters is None else clusters[unit], return_inverse=True)[1]
    if codes.max() + 1 < LEAST_GROUPS:
        return None
    n, apart = size[unit].astype(np.float64), _apart(table)[unit]
    share = (n - n.mean()) * (apart - apart.mean())
    sums = np.bincount(codes, share)
    spread = float(np.sqrt((sums**2).sum()))
    p_value = 1.0
    if spread > 1e-12:
        p_value = float(t_above(sums.sum() / spread, sums.size - 1))
    many = n > n.mean()
    return {
        "notice": p_value < ALPHA,
        "p_value": p_value,
        "fewer": float(apart[~many].mean()),
        "more": float(apart[many].mean()),
        "n_fewer": int((~many).sum()),
        "n_more": int(many.sum()),
    }


def _apart(table: RatingTable) -> FloatArray:
    """Return the (U,) share of pairs of ratings that differ."""
    levels, code = np.unique(table.value, return_inverse=True)
    cell = table.unit * levels.size + code.ravel()
    cells, times = np.unique(cell, return_counts=True)
    same = np.bincount(cells // levels.size, times * (times - 1.0), minlength=table.n_units)
    pairs = table.ratings_per_unit * (table.ratings_per_unit - 1.0)
    return np.asarray(1 - same / np.maximum(pairs, 1))
