"""Severity of every annotator, with cluster-robust intervals."""

from __future__ import annotations

import numpy as np
import scipy

from paraanno.plain.sentence import say
from scoring.stats.agreement.coefficients import NO_RATINGS
from scoring.stats.annotators.column import AnnotatorColumn, reasons
from scoring.stats.annotators.errors import TOO_FEW, Groups
from scoring.stats.estimate import NEW_CLUSTERS, NEW_UNITS
from scoring.stats.gold.severity import severity
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import FloatArray, IntArray, RatingTable

METHOD = say(
    "least squares of the additive model unit + annotator, effects summing to 0 (Searle 1971); "
    "cluster-robust error (Liang and Zeger 1986), Student's t"
)


def severity_column(table: RatingTable, cluster: IntArray | None) -> AnnotatorColumn:
    """Return how far each annotator rates above (+) or below (-) the panel on the same units.

    cluster: (n_units,) codes of dependent units, or None if units are independent. Unlike the
    analytic error of `severity`, this one does not assume equal error variance of annotators.
    n counts ratings. Undefined if `severity` is.
    """
    size = table.n_annotators
    given = np.bincount(table.annotator, minlength=size).astype(np.int64)
    fitted = severity(table)
    of_unit = np.arange(table.n_units) if cluster is None else cluster
    groups = Groups.make(table.annotator, of_unit[table.unit], size)
    low, high = np.full(size, np.nan), np.full(size, np.nan)
    if not fitted.reason:
        left = table.value - fitted.unit_value[table.unit] - fitted.effect[table.annotator]
        half = groups.critical * _errors(table, left, of_unit, fitted.inverse)
        low, high = fitted.effect - half, fitted.effect + half
    exact = np.full(size, not np.isfinite(fitted.sigma))
    why = reasons(
        size, (given == 0, NO_RATINGS), (np.full(size, bool(fitted.reason)), fitted.reason)
    )
    return AnnotatorColumn(
        fitted.effect,
        np.where(exact, np.nan, low),
        np.where(exact, np.nan, high),
        given,
        why,
        METHOD,
        NEW_UNITS if cluster is None else NEW_CLUSTERS,
        reasons(
            size,
            (groups.clusters < LEAST_GROUPS, TOO_FEW),
            (exact, say("the model fits exactly, without residual variance")),
        ),
    )


def _errors(
    table: RatingTable, left: FloatArray, of_unit: IntArray, inverse: FloatArray
) -> FloatArray:
    """Return the (A,) cluster-robust standard error of each annotator effect.

    The unit effects are absorbed: the score of a cluster is the sum of its residuals for each
    annotator. They are nested in clusters and use no degrees of freedom (Cameron and Miller
    2015, section III).
    """
    used, annotator = np.unique(table.annotator, return_inverse=True)
    several = table.ratings_per_unit[table.unit] > 1
    rows, group = np.unique(of_unit[table.unit][several], return_inverse=True)
    scores = scipy.sparse.csr_array(
        (left[several], (group, annotator[several])), shape=(rows.size, used.size)
    )
    middle = np.asarray((scores.T @ scores).todense())
    variance = np.einsum("ij,jk,ki->i", inverse, middle, inverse, optimize=True)
    clusters, n = rows.size, int(several.sum())
    if clusters < 2 or n <= used.size:
        return np.full(table.n_annotators, np.nan)
    small = clusters / (clusters - 1) * (n - 1) / (n - used.size + 1)
    full = np.full(table.n_annotators, np.nan)
    full[used] = np.sqrt(np.maximum(variance, 0) * small)
    return full
