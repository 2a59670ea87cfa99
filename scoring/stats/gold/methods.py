"""Gold by mean, median, majority, trimmed mean and annotator-wise z-scores.

All take one table (the ratings of a scale, a combination of scales by `combine.combine`, or pass
decisions by `passes.pass_table`) and return `GoldValues` for its units.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.combine import gold
from scoring.stats.distributions import t_quantile
from scoring.stats.gold.values import GoldValues, made, without
from scoring.stats.intervals import order_interval
from scoring.stats.table import FloatArray, IntArray, RatingTable

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
    found = gold(table)
    half = _half_width(table, found.mean, found.n)
    return made(
        found.mean, found.n, found.spread,
        low=found.mean - half, high=found.mean + half, interval=POOLED,
        method=say("mean of the ratings"),
    )  # fmt: skip


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
    found = gold(table)
    low, high = order_interval(table.unit, table.value, found.n)
    return made(
        found.median, found.n, found.spread, low=low, high=high,
        # xgettext:no-python-format
        interval=say("95 % or more, order statistics of the sign test, from six ratings on"),
        method=say("median of the ratings"),
    )  # fmt: skip


def majority_gold(table: RatingTable) -> GoldValues:
    """Return the mode of each unit's ratings; undefined if it is not unique.

    Confidence is the share of ratings equal to it. The order of values is ignored, so this is a
    poor default on an ordered scale.
    """
    found = gold(table)
    pairs, count = np.unique(
        np.stack([table.unit, np.unique(table.value, return_inverse=True)[1].ravel()]),
        axis=1, return_counts=True,
    )  # fmt: skip
    levels = np.unique(table.value)
    most = np.zeros(table.n_units, dtype=np.int64)
    np.maximum.at(most, pairs[0], count)
    first = count == most[pairs[0]]
    ties = np.bincount(pairs[0][first], minlength=table.n_units)
    value = np.full(table.n_units, np.nan)
    value[pairs[0][first]] = levels[pairs[1][first]] if levels.size else np.nan
    value[ties != 1] = np.nan
    return made(
        value, found.n, found.spread, confidence=most / np.maximum(found.n, 1),
        confidence_is=say("share of the ratings that gave the value"),
        reason=say("undefined: two values are equally frequent"),
        method=say("most frequent rating"),
    )  # fmt: skip


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
    kept = n - 2 * cut
    mean = _mean(unit[keep], value[keep], kept)
    edge = start[unit] + np.clip(place, cut[unit], (n - cut)[unit] - 1)
    pulled = value[edge]
    centre = _mean(unit, pulled, n)
    squares = np.bincount(unit, (pulled - centre[unit]) ** 2, minlength=n.size)
    varied = (kept >= 2) & (squares > 1e-12)
    error = np.full(n.shape, np.nan)
    h = kept[varied]
    error[varied] = np.sqrt(squares[varied] / (h * (h - 1)))
    half = t_quantile(0.975, np.maximum(kept - 1, 1)) * error
    return made(
        mean, n, gold(table).spread, low=mean - half, high=mean + half,
        interval=say("95 %, Student's t on the winsorised spread (Tukey and McLaughlin 1963)"),
        method=say(
            "mean without the lowest and highest %(share)s of the ratings", share=f"{share:.0%}"
        ),
    )  # fmt: skip


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
    scores = standardised(table)
    found = gold(scores)
    half = _half_width(scores, found.mean, found.n)
    return made(
        found.mean, found.n, found.spread,
        low=found.mean - half, high=found.mean + half, interval=POOLED, method=method, rated=n,
        reason=say("undefined: none of its annotators varies, so none has a z-score"),
    )  # fmt: skip


def standardised(table: RatingTable) -> RatingTable:
    """Return the ratings as z-scores within annotators; omits annotators without variation."""
    n = np.bincount(table.annotator, minlength=table.n_annotators)
    mean = _mean(table.annotator, table.value, n.astype(np.int64))
    deviation = table.value - mean[table.annotator]
    squares = np.bincount(table.annotator, deviation**2, minlength=table.n_annotators)
    spread = np.sqrt(squares / np.maximum(n - 1, 1))
    rows = spread[table.annotator] > 1e-12 * np.maximum(1.0, np.abs(mean[table.annotator]))
    return replace(
        table, unit=table.unit[rows], annotator=table.annotator[rows],
        value=deviation[rows] / spread[table.annotator[rows]],
    )  # fmt: skip
