"""Kendall's coefficient of concordance over the units that every annotator rated."""

from __future__ import annotations

import numpy as np
from scipy import sparse, stats

from scoring.stats.agreement import ANONYMOUS, no_pairs
from scoring.stats.counts import ratio
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.resampling import BLOCK_CELLS, Draws
from scoring.stats.table import FloatArray, IntArray, RatingTable

METHOD = "tie-corrected, units rated by every annotator"
BOOTSTRAP_COST = 500_000_000  # Ratings of distinct units times replicates.


def kendall_w(table: RatingTable) -> Estimate:
    """Kendall's coefficient of concordance, corrected for ties, over units rated by everybody.

    Undefined for anonymous voices, under two annotators or complete units, and where every
    annotator gave one value only. `details` has Friedman's chi2 = k (n - 1) W, its degrees of
    freedom and p. Reference: Kendall and Gibbons 1990.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    if reason:
        return undefined(reason, method=METHOD)
    raters = table.used_annotators.size
    complete = complete_units(table)
    n = complete.size
    if n < 2:
        reason = f"undefined: {n} of the units were rated by all {raters} annotators, needs 2"
        return undefined(reason, n=n, method=METHOD)
    cells, of_unit = _rows(table, complete)
    weight = np.bincount(of_unit, minlength=cells.shape[0]).astype(np.float64)
    value = _concordance(cells, weight[None, :], raters)[0]
    if np.isnan(value):
        return undefined("undefined: every annotator gave one value only", n=n, method=METHOD)
    chi2 = float(raters * (n - 1) * value)
    test = {"chi2": chi2, "df": n - 1, "p_value": float(stats.chi2.sf(chi2, n - 1))}
    return Estimate(float(value), n=n, method=METHOD, details=test)


def complete_units(table: RatingTable) -> IntArray:
    """Positions among the rated units of those that every annotator rated."""
    sizes = table.ratings_per_unit[table.rated_units]
    return np.flatnonzero(sizes == table.used_annotators.size).astype(np.int64)


def kendall_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, FloatArray]:
    """(B,) replicates of `kendall_w`, and the draws they come from: a bootstrap, or the grouped
    jackknife for very many ratings. The units rated by everybody, and who everybody is, stay
    those of the whole sample.
    """
    complete = complete_units(table)
    cells, of_unit = _rows(table, complete)
    if cells.shape[0] * table.used_annotators.size * draws.plan.replicates > BOOTSTRAP_COST:
        draws = draws.without_groups()
    owner = sparse.csr_array(
        (np.ones(complete.size), (complete, of_unit)),
        shape=(table.rated_units.size, cells.shape[0]),
    )
    found = [
        _concordance(cells, weights, table.used_annotators.size) for weights in draws.sums(owner)
    ]
    return draws, np.concatenate(found)


def _rows(table: RatingTable, complete: IntArray) -> tuple[sparse.csr_array, IntArray]:
    """The distinct rows of ratings, one-hot (rows, annotators x levels), and the row of each of
    the complete units."""
    raters, levels = table.used_annotators.size, np.unique(table.value)
    rated = table.rated_units[complete]
    chosen = np.isin(table.by_unit[0], rated)
    codes = np.searchsorted(levels, table.by_unit[2][chosen]).reshape(rated.size, raters)
    distinct, of_unit = np.unique(codes, axis=0, return_inverse=True)
    column = distinct + levels.size * np.arange(raters)
    row = np.repeat(np.arange(distinct.shape[0]), raters)
    cells = sparse.csr_array(
        (np.ones(row.size), (row, column.ravel())),
        shape=(distinct.shape[0], raters * levels.size),
    )
    return cells, of_unit.ravel()


def _concordance(cells: sparse.csr_array, weights: FloatArray, raters: int) -> FloatArray:
    """(B,) W where the distinct rows of ratings occur as often as weights, (B, rows), says.

    An annotator's mid-rank of a level is what lies below it plus half of what ties there.
    """
    step = max(1, BLOCK_CELLS // max(weights.shape[1], 1))
    if weights.shape[0] > step:
        parts = [weights[i : i + step] for i in range(0, weights.shape[0], step)]
        return np.concatenate([_concordance(cells, part, raters) for part in parts])
    n = weights.sum(axis=1)
    given = np.asarray((cells.T @ weights.T).T).reshape(len(weights), raters, -1)
    rank = np.cumsum(given, axis=2) - given / 2 - n[:, None, None] / 2
    totals = cells @ rank.reshape(len(weights), -1).T
    spread = (weights.T * totals**2).sum(axis=0)
    most = np.where(n > 1, raters * (n**3 - n), np.nan)
    untied = 1 - (given**3 - given).sum(axis=(1, 2)) / most
    return ratio(12 * spread / raters / most, np.where(np.isnan(untied), 0, untied))
