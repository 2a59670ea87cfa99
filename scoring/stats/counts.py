"""Formulas of agreement coefficients, from counts: percent, Fleiss, Gwet, Krippendorff's alpha.

They depend only on the number of annotators per level and unit.

A unit enters only through its vector of counts, so equal vectors are stored once (`Patterns`) and
every statistic is a function of the frequencies of the vectors. Weights of shape (1, P) give the
point value; a bootstrap is the same call with (B, P) weights. NaN marks an undefined result;
`agreement/coefficients.py` replaces it by a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.table import FloatArray, IntArray, RatingTable

Statistic = Callable[["Patterns", FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Patterns:
    """The P distinct count vectors of a table's rated units.

    counts  (P, V) sparse: number of annotators who gave each level
    levels  (V,) ascending values of the full scale, used or not
    size    (P,) number of ratings in the vector
    same, near   (P,) number of ordered pairs of equal ratings, and of ratings at most one apart
    weight  (P,) number of units with the vector
    of_unit (U,) vector of each rated unit, in the order of table.rated_units
    """

    counts: scipy.sparse.csr_array
    levels: FloatArray
    size: FloatArray
    same: FloatArray
    near: FloatArray
    weight: FloatArray
    of_unit: IntArray

    @classmethod
    def of(cls, table: RatingTable, levels: FloatArray) -> Patterns:
        """Group the rated units of `table`; levels are ascending and include every value."""
        sizes = table.ratings_per_unit[table.rated_units]
        order = np.argsort(table.unit * max(levels.size, 1) + table.codes(levels), kind="stable")
        codes = table.codes(levels)[order]
        starts = np.cumsum(sizes) - sizes
        of_unit = np.zeros(sizes.size, dtype=np.int64)
        rows: list[IntArray] = []
        total = 0
        for size in np.unique(sizes):
            units = np.flatnonzero(sizes == size)
            block = codes[starts[units][:, None] + np.arange(size)]
            distinct, inverse = _unique_rows(block, levels.size)
            of_unit[units] = inverse + total
            total += len(distinct)
            rows.extend(distinct)
        return cls._from_rows(rows, levels, of_unit)

    @classmethod
    def _from_rows(cls, rows: list[IntArray], levels: FloatArray, of_unit: IntArray) -> Patterns:
        size = np.array([len(row) for row in rows], dtype=np.int64)
        column = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        owner = np.repeat(np.arange(size.size), size)
        counts = scipy.sparse.csr_array(
            (np.ones(column.size), (owner, column)), shape=(size.size, levels.size)
        )
        counts.sum_duplicates()
        reach = np.searchsorted(levels, levels + 1 + 1e-9, side="right")
        key = owner * max(levels.size, 1) + column
        upper = np.searchsorted(key, owner * max(levels.size, 1) + reach[column], side="left")
        later = np.bincount(owner, upper - np.arange(key.size) - 1, minlength=size.size)
        return cls(
            counts,
            levels,
            size.astype(np.float64),
            np.asarray(counts.multiply(counts).sum(axis=1)).ravel() - size,
            2.0 * later.astype(np.float64),
            np.bincount(of_unit, minlength=size.size).astype(np.float64),
            of_unit,
        )

    @property
    def pairs(self) -> FloatArray:
        """(P,) number of ordered pairs of ratings."""
        return self.size * (self.size - 1)


def _unique_rows(block: IntArray, base: int) -> tuple[IntArray, IntArray]:
    """Return the distinct rows, and the position of each row among them."""
    size = block.shape[1]
    if size * np.log2(max(base, 2)) >= 62:
        distinct, inverse = np.unique(block, axis=0, return_inverse=True)
        return distinct, inverse.ravel()
    key = block @ (base ** np.arange(size, dtype=np.int64))
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return block[first], inverse.ravel()


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, NaN if the denominator is 0 (up to rounding)."""
    result: FloatArray = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=np.abs(denominator) > 1e-12)
    return result


def _mean_over_pairable(p: Patterns, w: FloatArray, share: FloatArray) -> FloatArray:
    pairable = p.size >= 2
    return ratio(w[:, pairable] @ share[pairable], w[:, pairable].sum(axis=1))


def _per_pair(p: Patterns, total: FloatArray) -> FloatArray:
    return total / np.maximum(p.pairs, 1)


def percent_agreement(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the mean share of agreeing pairs over units with two or more ratings."""
    return _mean_over_pairable(p, w, _per_pair(p, p.same))


def within_one(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the share of pairs at most one point apart, pooled over units."""
    return ratio(w @ p.near, w @ p.pairs)


def _shares(p: Patterns, w: FloatArray) -> FloatArray:
    """Return the (B, V) mean over rated units of the share of each level (Gwet 2014)."""
    share = scipy.sparse.diags_array(1 / p.size) @ p.counts
    return np.asarray((share.T @ w.T).T / w.sum(axis=1, keepdims=True))


def _chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    return ratio(observed - expected, 1 - expected)


def fleiss_kappa(p: Patterns, w: FloatArray) -> FloatArray:
    """Fleiss 1971; with unequal numbers of ratings Gwet's 2014 generalisation."""
    return _chance_corrected(percent_agreement(p, w), (_shares(p, w) ** 2).sum(axis=1))


def gwet_ac1(p: Patterns, w: FloatArray) -> FloatArray:
    """Gwet 2008, with the full scale as categories."""
    share = _shares(p, w)
    expected = (share * (1 - share)).sum(axis=1) / (p.levels.size - 1)
    return _chance_corrected(percent_agreement(p, w), expected)


def brennan_prediger(p: Patterns, w: FloatArray) -> FloatArray:
    """Brennan and Prediger 1981, with the full scale as categories."""
    observed = percent_agreement(p, w)
    return _chance_corrected(observed, np.full_like(observed, 1 / p.levels.size))


def gwet_ac2(p: Patterns, w: FloatArray) -> FloatArray:
    """Gwet 2014, with quadratic weights 1 - (x - y)^2 / range^2 over the full scale."""
    x = p.levels - p.levels.mean()
    span, q = float(x[-1] - x[0]), x.size
    spread = 2 * (p.size * (p.counts @ x**2) - (p.counts @ x) ** 2)
    observed = _mean_over_pairable(p, w, 1 - _per_pair(p, spread) / span**2)
    weights_total = q**2 - 2 * q * float((x**2).sum()) / span**2
    share = _shares(p, w)
    expected = weights_total / (q * (q - 1)) * (share * (1 - share)).sum(axis=1)
    return _chance_corrected(observed, expected)


def alpha_nominal(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the nominal difference."""
    weights, counts, size, pairable = _pairable(p, w)
    level_total = np.asarray((counts.T @ weights.T).T)
    n = level_total.sum(axis=1)
    within = weights @ ((size * (size - 1) - p.same[pairable]) / (size - 1))
    between = n**2 - (level_total**2).sum(axis=1)
    return 1 - ratio(within * (n - 1), between)


def alpha_interval(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the interval difference (x - y)^2."""
    return _alpha_on_scores(p, w, lambda totals: np.broadcast_to(p.levels, totals.shape))


def alpha_ordinal(p: Patterns, w: FloatArray) -> FloatArray:
    """Krippendorff 2011 with the ordinal difference.

    It is the squared difference of the levels' mid-ranks among all pairable ratings, so ordinal
    alpha is interval alpha computed on mid-ranks.
    """
    return _alpha_on_scores(p, w, lambda totals: np.cumsum(totals, axis=1) - totals / 2)


def _pairable(
    p: Patterns, w: FloatArray
) -> tuple[FloatArray, scipy.sparse.csr_array, FloatArray, IntArray]:
    index = np.flatnonzero(p.size >= 2)
    return w[:, index], p.counts[index], p.size[index], index


def _alpha_on_scores(
    p: Patterns, w: FloatArray, scores: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Return 1 - D_o / D_e from sums of squares; `scores` maps (B, V) totals to (B, V) values."""
    weights, counts, size, _ = _pairable(p, w)
    totals = np.asarray((counts.T @ weights.T).T)
    n = totals.sum(axis=1)
    score = scores(totals)
    # Centre and scale for numerical precision; alpha is invariant. Without variation the scores
    # would be rounding noise, so they are set to 0.
    score = score - ratio((totals * score).sum(axis=1), n)[:, None]
    score = np.where((totals > 0).sum(axis=1, keepdims=True) > 1, score, 0.0)
    score = score / np.maximum(np.abs(score).max(axis=1, initial=0.0, keepdims=True), 1e-300)
    first, second = counts @ score.T, counts @ (score**2).T
    spread = 2 * (size[:, None] * second - first**2) / (size - 1)[:, None]
    within = (weights.T * spread).sum(axis=0)
    return 1 - ratio(within * (n - 1), 2 * n * (totals * score**2).sum(axis=1))
