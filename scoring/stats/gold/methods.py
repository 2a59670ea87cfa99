"""Gold by mean, median, majority, trimmed mean and annotator-wise z-scores.

All take one table (the ratings of a scale, a combination of scales by `combine.combine`, or pass
decisions by `passes.pass_table`) and return `GoldValues` for its units.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.values import GoldValues, made, without
from scoring.stats.table import FloatArray, IntArray, RatingTable, gold, order_interval, t_quantile

POOLED = say(
    "95 %, Student's t on the spread pooled over units (one-way analysis of variance), "
    "annotators of a unit assumed a random sample"
)


def mean_gold(table: RatingTable) -> GoldValues:
    """Return the mean of each unit's ratings.

    The interval uses the pooled within-unit variance, because two or three ratings do not estimate
    their own; so a unit with one rating has an interval too. There is no interval if ratings never
    differ within units, or if no unit has two ratings.
    """
    return _means(table, method=say("mean of the ratings"))


def _means(table: RatingTable, **more: Any) -> GoldValues:
    """The means of a table with their intervals; more: what else `made` takes."""
    statistics = gold(table)
    half = _half_width(table, statistics.mean, statistics.n)
    return made(
        statistics.mean,
        statistics.n,
        statistics.spread,
        low=statistics.mean - half,
        high=statistics.mean + half,
        interval=POOLED,
        **more,
    )


def _half_width(table: RatingTable, mean: FloatArray, n: IntArray) -> FloatArray:
    freedom = int(np.maximum(n - 1, 0).sum())
    squares = float(((table.value - mean[table.unit]) ** 2).sum())
    if freedom == 0 or squares <= 1e-12 * max(1.0, float((table.value**2).sum())):
        return np.full(n.shape, np.nan)
    error = np.sqrt(squares / freedom / np.maximum(n, 1))
    return np.asarray(t_quantile(0.975, freedom) * error)


def median_gold(table: RatingTable) -> GoldValues:
    """Return the median of each unit's ratings; with an even number, the mean of the middle two.

    The interval is given by order statistics of the sign test (Thompson 1936), with coverage of at
    least 95 %; it needs six ratings.
    """
    statistics = gold(table)
    low, high = order_interval(table.unit, table.value, statistics.n)
    return made(
        statistics.median,
        statistics.n,
        statistics.spread,
        low=low,
        high=high,
        # xgettext:no-python-format
        interval=say("95 % or more, order statistics of the sign test, from six ratings on"),
        method=say("median of the ratings"),
    )


def majority_gold(table: RatingTable) -> GoldValues:
    """Return the mode of each unit's ratings; undefined if it is not unique.

    Confidence is the share of ratings equal to it. The order of values is ignored, so this is a
    poor default on an ordered scale.
    """
    statistics = gold(table)
    pairs, count = np.unique(
        np.stack([table.unit, np.unique(table.value, return_inverse=True)[1].ravel()]),
        axis=1,
        return_counts=True,
    )
    levels = np.unique(table.value)
    most = np.zeros(table.n_units, dtype=np.int64)
    np.maximum.at(most, pairs[0], count)
    first = count == most[pairs[0]]
    ties = np.bincount(pairs[0][first], minlength=table.n_units)
    value = np.full(table.n_units, np.nan)
    value[pairs[0][first]] = levels[pairs[1][first]] if levels.size else np.nan
    value[ties != 1] = np.nan
    return made(
        value,
        statistics.n,
        statistics.spread,
        confidence=most / np.maximum(statistics.n, 1),
        confidence_is=say("share of the ratings that gave the value"),
        reason=say("undefined: two values are equally frequent"),
        method=say("most frequent rating"),
    )


def trimmed_gold(table: RatingTable, share: float = 0.2) -> GoldValues:
    """Return the trimmed mean, without the lowest and the highest `share` of a unit's ratings.

    floor(share * n) ratings are trimmed at each end; with 0.2 none below five ratings. The interval
    is t on the winsorised sum of squares, with h - 1 degrees of freedom for h ratings kept; none
    if these do not vary. Source: Tukey and McLaughlin 1963.
    Raises ValueError for a share outside 0 <= share < 0.5.
    """
    if not 0 <= share < 0.5:
        raise ValueError(f"the share to trim lies between 0 and 0.5, not {share:g}")
    n = table.ratings_per_unit
    order = np.lexsort((table.value, table.unit))
    unit, value = table.unit[order], table.value[order]
    start = np.cumsum(n) - n
    cut = np.floor(share * n + 1e-9).astype(np.int64)
    place = np.arange(unit.size) - start[unit]
    keep = (place >= cut[unit]) & (place < (n - cut)[unit])
    remaining = n - 2 * cut
    mean = _mean(unit[keep], value[keep], remaining)
    edge = start[unit] + np.clip(place, cut[unit], (n - cut)[unit] - 1)
    pulled = value[edge]
    centre = _mean(unit, pulled, n)
    squares = np.bincount(unit, (pulled - centre[unit]) ** 2, minlength=n.size)
    varied = (remaining >= 2) & (squares > 1e-12)
    error = np.full(n.shape, np.nan)
    h = remaining[varied]
    error[varied] = np.sqrt(squares[varied] / (h * (h - 1)))
    half = t_quantile(0.975, np.maximum(remaining - 1, 1)) * error
    return made(
        mean,
        n,
        gold(table).spread,
        low=mean - half,
        high=mean + half,
        interval=say("95 %, Student's t on the winsorised spread (Tukey and McLaughlin 1963)"),
        method=say(
            "mean without the lowest and highest %(share)s of the ratings", share=f"{share:.0%}"
        ),
    )


def _mean(unit: IntArray, value: FloatArray, n: IntArray) -> FloatArray:
    mean = np.full(n.shape, np.nan)
    total = np.bincount(unit, value, minlength=n.size)
    np.divide(total, n, out=mean, where=n > 0)
    return mean


def z_gold(table: RatingTable) -> GoldValues:
    """Return the mean z-score of each unit, standardised within annotators.

    Values are in standard deviations, not on the scale, so thresholds do not apply. It assumes that
    every annotator rated texts of equal average quality; otherwise use the severity adjustment.
    Annotators with one rating or without variation are omitted.
    Source: Graham, Baldwin, Moffat and Zobel 2013.
    """
    method = say("mean of the ratings standardised within each annotator (Graham et al. 2013)")
    n = table.ratings_per_unit
    if table.anonymous:
        return without(n, method, ANONYMOUS)
    return _means(
        standardised(table),
        method=method,
        rated=n,
        reason=say("undefined: none of its annotators varies, so none has a z-score"),
    )


def standardised(table: RatingTable) -> RatingTable:
    """Return the ratings as z-scores within annotators; omits annotators without variation."""
    n = np.bincount(table.annotator, minlength=table.n_annotators)
    mean = _mean(table.annotator, table.value, n.astype(np.int64))
    deviation = table.value - mean[table.annotator]
    squares = np.bincount(table.annotator, deviation**2, minlength=table.n_annotators)
    spread = np.sqrt(squares / np.maximum(n - 1, 1))
    rows = spread[table.annotator] > 1e-12 * np.maximum(1.0, np.abs(mean[table.annotator]))
    return replace(
        table,
        unit=table.unit[rows],
        annotator=table.annotator[rows],
        value=deviation[rows] / spread[table.annotator[rows]],
    )


# Severity of annotators: the additive two-way model rating = unit + annotator + error.
#
# It is fitted by least squares to incomplete data. Differences in the quality of the units rated do
# not bias severity, as long as the design is connected by shared units.


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
    estimable = freedom > 0 and squares > 1e-12 * max(1.0, float((rest**2).sum()))
    sigma = float(np.sqrt(squares / freedom)) if estimable else float("nan")
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
    model = severity(table) if fitted is None else fitted
    n = table.ratings_per_unit
    if model.reason:
        return without(n, method, model.reason)
    apart = table.value - model.unit_value[table.unit] - model.effect[table.annotator]
    squares = np.bincount(table.unit, apart**2, minlength=table.n_units)
    half = model.critical * model.unit_error
    return made(
        model.unit_value,
        n,
        np.sqrt(squares / np.maximum(n - 1, 1)),
        low=model.unit_value - half,
        high=model.unit_value + half,
        interval=say("95 %, Student's t of the model, annotators fixed"),
        method=method,
    )


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
