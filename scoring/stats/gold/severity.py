"""Severity of annotators: the additive two-way model rating = unit + annotator + error.

It is fitted by least squares to incomplete data. Differences in the quality of the units rated do
not bias severity, as long as the design is connected by shared units.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.combine import gold
from scoring.stats.distributions import t_quantile
from scoring.stats.gold.values import GoldValues, made, without
from scoring.stats.table import FloatArray, IntArray, RatingTable

MOST_ANNOTATORS = 3000
BLOCK_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Severity:
    """The fitted model; NaN for annotators and units without a rating, or if undefined.

    effect, error            (A,) deviation of an annotator's ratings from the panel's on the same
                             units, above (+) or below (-), and its standard error; the effects sum
                             to 0
    unit_value, unit_error   (U,) expected rating by the average annotator, and its standard error
    sigma, freedom           residual standard deviation and degrees of freedom; sigma and all
                             errors are NaN without degrees of freedom or residual variance
    reason                   why the model cannot be fitted, or ""
    inverse                  (used, used) covariance of the effects of `table.used_annotators` for
                             unit residual variance
    """

    effect: FloatArray
    error: FloatArray
    unit_value: FloatArray
    unit_error: FloatArray
    sigma: float
    freedom: int
    reason: Sentence = NOTHING
    inverse: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def critical(self) -> float:
        """Critical t for a 95 % interval; NaN without degrees of freedom."""
        return float(t_quantile(0.975, self.freedom)) if self.freedom > 0 else float("nan")


def severity(table: RatingTable) -> Severity:
    """Fit the model by least squares with unit effects absorbed.

    Undefined for anonymous annotators, for fewer than two or more than 3,000, and for a
    disconnected design. Source: the unbalanced two-way layout without interaction (Searle 1971,
    chapter 7).
    """
    reason = why_not(table)
    if reason:
        return _unfitted(table, reason)
    used, annotator = np.unique(table.annotator, return_inverse=True)
    n = table.ratings_per_unit
    count = np.bincount(annotator).astype(np.float64)
    share = scipy.sparse.csr_array(
        (1 / n[table.unit], (table.unit, annotator)), shape=(table.n_units, used.size)
    )
    mean = gold(table).mean
    rest = table.value - mean[table.unit]
    ones = scipy.sparse.csr_array(share.astype(bool).astype(np.float64))
    laplacian = np.diag(count) - np.asarray((ones.T @ share).todense())
    # The Laplacian is singular: adding a constant matrix constrains the effects to sum to 0.
    constant = float(count.mean()) / used.size
    inverse = np.linalg.inv(laplacian + constant) - 1 / (constant * used.size**2)
    effect = inverse @ np.bincount(annotator, rest)
    effect -= effect.mean()
    unit_value = mean - share @ effect
    noise = table.value - unit_value[table.unit] - effect[annotator]
    freedom = table.n_ratings - table.rated_units.size - used.size + 1
    squares = float((noise**2).sum())
    known = freedom > 0 and squares > 1e-12 * max(1.0, float((rest**2).sum()))
    sigma = float(np.sqrt(squares / freedom)) if known else float("nan")
    return Severity(
        _spread(effect, used, table.n_annotators),
        _spread(sigma * np.sqrt(np.maximum(np.diag(inverse), 0)), used, table.n_annotators),
        unit_value,
        sigma * np.sqrt(1 / np.where(n > 0, n, np.nan) + _quadratic(share, inverse)),
        sigma,
        freedom,
        inverse=inverse,
    )


def why_not(table: RatingTable) -> Sentence:
    """Return why severity is not identified in this table, or ""."""
    if table.anonymous:
        return ANONYMOUS
    used = table.used_annotators.size
    if used < 2:
        return say("undefined: needs two annotators")
    if used > MOST_ANNOTATORS:
        return say("undefined: more than %(n)s annotators", n=MOST_ANNOTATORS)
    groups = connected_groups(table)
    if groups > 1:
        return say(
            "undefined: the annotators fall into %(n)s groups that share no unit, so severity "
            "and quality are confounded",
            n=groups,
        )
    return NOTHING


def connected_groups(table: RatingTable) -> int:
    """Count the connected components of annotators linked by shared units."""
    size = table.n_units + table.n_annotators
    graph = scipy.sparse.csr_array(
        (np.ones(table.n_ratings), (table.unit, table.n_units + table.annotator)),
        shape=(size, size),
    )
    _, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return int(np.unique(label[table.n_units + table.used_annotators]).size)


def severity_gold(table: RatingTable, fitted: Severity | None = None) -> GoldValues:
    """Return the expected rating of each unit by the average annotator of the panel.

    `fitted`: the model of the same table, if already fitted. The spread is computed after
    subtracting each annotator's effect.
    """
    method = say("least squares of the additive model unit + annotator, effects summing to 0")
    found = severity(table) if fitted is None else fitted
    n = table.ratings_per_unit
    if found.reason:
        return without(n, method, found.reason)
    apart = table.value - found.unit_value[table.unit] - found.effect[table.annotator]
    squares = np.bincount(table.unit, apart**2, minlength=table.n_units)
    half = found.critical * found.unit_error
    return made(
        found.unit_value, n, np.sqrt(squares / np.maximum(n - 1, 1)),
        low=found.unit_value - half, high=found.unit_value + half,
        interval=say("95 %, Student's t of the model, annotators fixed"), method=method,
    )  # fmt: skip


def _unfitted(table: RatingTable, reason: Sentence) -> Severity:
    annotators, units = np.full(table.n_annotators, np.nan), np.full(table.n_units, np.nan)
    return Severity(annotators, annotators, units, units, float("nan"), 0, reason)


def _spread(values: FloatArray, used: IntArray, size: int) -> FloatArray:
    full = np.full(size, np.nan)
    full[used] = values
    return full


def _quadratic(share: scipy.sparse.csr_array, inverse: FloatArray) -> FloatArray:
    """Return (U,) m' V m for each row m of `share`, in blocks of units."""
    step = max(1, BLOCK_CELLS // inverse.shape[0])
    parts = []
    for start in range(0, share.shape[0], step):
        block = share[start : start + step]
        parts.append(np.asarray(block.multiply(block @ inverse).sum(axis=1)).ravel())
    return np.concatenate(parts) if parts else np.zeros(0)
