"""Kendall's coefficient of concordance (W) over units rated by every annotator."""

from __future__ import annotations

import numpy as np
import scipy

from paraanno.plain.sentence import say
from scoring.stats.agreement.coefficients import ANONYMOUS, no_pairs
from scoring.stats.counts import ratio
from scoring.stats.distributions import chi2_above
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.resampling import BLOCK_CELLS, Draws
from scoring.stats.table import FloatArray, IntArray, RatingTable

METHOD = say("tie-corrected, units rated by every annotator")
BOOTSTRAP_COST = 500_000_000  # Ratings of distinct units times replicates.


def kendall_w(table: RatingTable) -> Estimate:
    """Return Kendall's W, corrected for ties, over units rated by every annotator.

    Undefined for anonymous annotators, for fewer than two annotators or complete units, and if each
    annotator gave a single value. `details` has Friedman's chi2 = k (n - 1) W, its degrees of
    freedom and p-value. Reference: Kendall and Gibbons 1990.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    if reason:
        return undefined(reason, method=METHOD)
    raters = table.used_annotators.size
    complete = complete_units(table)
    n = complete.size
    if n < 2:
        reason = say(
            "undefined: %(n)s of the units were rated by all %(raters)s annotators, needs 2",
            n=n,
            raters=raters,
        )
        return undefined(reason, n=n, method=METHOD)
    cells, of_unit = _rows(table, complete)
    weight = np.bincount(of_unit, minlength=cells.shape[0]).astype(np.float64)
    value = _concordance(cells, weight[None, :], raters)[0]
    if np.isnan(value):
        return undefined(say("undefined: every annotator gave one value only"), n=n, method=METHOD)
    chi2 = float(raters * (n - 1) * value)
    test = {"chi2": chi2, "df": n - 1, "p_value": float(chi2_above(chi2, n - 1))}
    return Estimate(float(value), n=n, method=METHOD, details=test)


def complete_units(table: RatingTable) -> IntArray:
    """Return the positions, among the rated units, of those rated by every annotator."""
    sizes = table.ratings_per_unit[table.rated_units]
    return np.flatnonzero(sizes == table.used_annotators.size).astype(np.int64)


def kendall_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, FloatArray]:
    """Return the draws and (B,) replicates of `kendall_w`: bootstrap, or grouped jackknife for
    very large tables. The complete units and the annotators are those of the full sample.
    """
    complete = complete_units(table)
    cells, of_unit = _rows(table, complete)
    if cells.shape[0] * table.used_annotators.size * draws.plan.replicates > BOOTSTRAP_COST:
        draws = draws.without_groups()
    owner = scipy.sparse.csr_array(
        (np.ones(complete.size), (complete, of_unit)),
        shape=(table.rated_units.size, cells.shape[0]),
    )
    found = [
        _concordance(cells, weights, table.used_annotators.size) for weights in draws.sums(owner)
    ]
    return draws, np.concatenate(found)


def _rows(table: RatingTable, complete: IntArray) -> tuple[scipy.sparse.csr_array, IntArray]:
    """Return the distinct rows of ratings, one-hot encoded (rows, annotators x levels), and the
    row of each complete unit."""
    raters, levels = table.used_annotators.size, np.unique(table.value)
    rated = table.rated_units[complete]
    chosen = np.isin(table.by_unit[0], rated)
    codes = np.searchsorted(levels, table.by_unit[2][chosen]).reshape(rated.size, raters)
    distinct, of_unit = np.unique(codes, axis=0, return_inverse=True)
    column = distinct + levels.size * np.arange(raters)
    row = np.repeat(np.arange(distinct.shape[0]), raters)
    cells = scipy.sparse.csr_array(
        (np.ones(row.size), (row, column.ravel())),
        shape=(distinct.shape[0], raters * levels.size),
    )
    return cells, of_unit.ravel()


def _concordance(cells: scipy.sparse.csr_array, weights: FloatArray, raters: int) -> FloatArray:
    """Return (B,) W for distinct rows of ratings with (B, rows) weights, the row frequencies.

    An annotator's mid-rank of a level is the count below it plus half of the count at it.
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
