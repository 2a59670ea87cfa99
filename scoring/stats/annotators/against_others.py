"""Comparison of each annotator with the others on the same units, for all annotators in one pass.

The rest of a rating is the set of other ratings of its unit. Each unit of an annotator has the same
weight, however many others rated it, so that the statistics are valid for K-of-N designs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from paraanno.common.texts import Sentence, say
from scoring.stats.agreement.coefficients import NO_RATINGS
from scoring.stats.annotators.catalogue import (
    TOO_FEW,
    AnnotatorColumn,
    Groups,
    correlations,
    reasons,
    share_interval,
)
from scoring.stats.gold.methods import severity
from scoring.stats.intervals import LEAST_CLUSTERS
from scoring.stats.table import (
    NEW_CLUSTERS,
    NEW_UNITS,
    BoolArray,
    FloatArray,
    IntArray,
    RatingTable,
)

SAME = say(
    "mean over the annotator's units of the share of the others who gave the same value; "
    "Wilson 1927 with the effective sample size (Korn and Graubard 1998)"
)
NEAR = say(
    "mean over the annotator's units of the share of the others who were within one point; "
    "Wilson 1927 with the effective sample size (Korn and Graubard 1998)"
)
NO_OTHERS = say("undefined: nobody else rated the same units")
FEW_UNITS = say("undefined: needs 3 units that others rated too")
OWN_EQUAL = say("undefined: the annotator's values are all equal")
REST_EQUAL = say("undefined: the others' values are all equal")
NO_ORDER = say("undefined: the order of judging is not known")
NO_NOISE = say("no standard error can be estimated")
BINS = 12  # Points of the figure of a trend.
NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class Rest:
    """The R ratings of units with other ratings, and summaries of those other ratings.

    row           (R,) position in the table
    own           (R,) the rating; `mean` and `square` are the others' mean and mean square. All are
                  centred by the mean of the table, for numerical precision
    exact, near   (R,) share of the others with the same value, and within one point of it
    all           (A,) number of all ratings of an annotator
    """

    row: IntArray
    groups: Groups
    own: FloatArray
    mean: FloatArray
    square: FloatArray
    exact: FloatArray
    near: FloatArray
    all: IntArray
    generalises_to: Sentence

    @classmethod
    def of(cls, table: RatingTable, cluster: IntArray | None, point: float) -> Rest:
        """Collect the ratings. cluster: (n_units,) codes, or None if units are independent."""
        n = table.ratings_per_unit[table.unit]
        row = np.flatnonzero(n >= 2)
        value = table.value - table.value.mean() if table.n_ratings else table.value
        total = np.bincount(table.unit, value, minlength=table.n_units)
        squares = np.bincount(table.unit, value**2, minlength=table.n_units)
        unit, own, others = table.unit[row], value[row], n[row] - 1
        exact, near = _alike(table, row, point)
        of_unit = np.arange(table.n_units) if cluster is None else cluster
        return cls(
            row,
            Groups.make(table.annotator[row], of_unit[unit], table.n_annotators),
            own,
            (total[unit] - own) / others,
            (squares[unit] - own**2) / others,
            exact / others,
            near / others,
            np.bincount(table.annotator, minlength=table.n_annotators).astype(np.int64),
            NEW_UNITS if cluster is None else NEW_CLUSTERS,
        )

    @property
    def lacking(self) -> tuple[tuple[BoolArray, Sentence], ...]:
        return ((self.all == 0, NO_RATINGS), (self.groups.n == 0, NO_OTHERS))

    def column(
        self,
        value: FloatArray,
        interval: tuple[FloatArray, ...],
        method: Sentence,
        why: list[Sentence],
        **details: FloatArray | list[list[list[float]]],
    ) -> AnnotatorColumn:
        low, high = interval
        few = self.groups.clusters < LEAST_CLUSTERS
        no_interval = reasons(value.size, (few, TOO_FEW), (~few, NO_NOISE))
        return AnnotatorColumn(
            value, low, high, self.groups.n, why, method, self.generalises_to, no_interval, details
        )


def _alike(table: RatingTable, row: IntArray, point: float) -> tuple[FloatArray, FloatArray]:
    """Return (R,) counts of others with the same value, and with a value within one point."""
    levels, code = np.unique(table.value, return_inverse=True)
    slack = point * (1 + 1e-9)
    low = np.searchsorted(levels, levels - slack)
    high = np.searchsorted(levels, levels + slack, side="right")
    key = np.sort(table.unit * levels.size + code)
    start, code = table.unit[row] * levels.size, code[row]
    positions = [
        np.searchsorted(key, start + first) for first in (code, code + 1, low[code], high[code])
    ]
    return (positions[1] - positions[0] - 1).astype(float), (
        positions[3] - positions[2] - 1
    ).astype(float)


def agreement(rest: Rest) -> tuple[AnnotatorColumn, AnnotatorColumn]:
    """Return exact agreement and agreement within one point.

    Both are means over the annotator's units of the share of agreeing others.
    """
    why = reasons(rest.all.size, *rest.lacking)
    columns = []
    for hit, method in ((rest.exact, SAME), (rest.near, NEAR)):
        share = rest.groups.mean(hit)
        columns.append(
            rest.column(
                share,
                share_interval(rest.groups, share, hit),
                method,
                why,
            )
        )
    return columns[0], columns[1]


def correlation(rest: Rest) -> AnnotatorColumn:
    """Return Pearson's r of the annotator's values and the others' means on the same units."""
    pearson = correlations(rest.groups, rest.own, rest.mean)
    why = reasons(
        rest.all.size,
        *rest.lacking,
        (rest.groups.n < 3, FEW_UNITS),
        (pearson.first_equal, OWN_EQUAL),
        (pearson.second_equal, REST_EQUAL),
    )
    return rest.column(
        pearson.r,
        (pearson.low, pearson.high),
        say(
            "Pearson with the mean of the others; jackknife of whole clusters, Fisher's z, "
            "Student's t"
        ),
        why,
    )


def spread(rest: Rest) -> AnnotatorColumn:
    """Return the ratio of the annotator's standard deviation to the others' on the same units.

    Below 1, the annotator uses a narrower range of the scale than the others do for the same texts.
    The others' values are pooled with equal weight per unit.
    """
    groups = rest.groups
    own = rest.own - groups.mean(rest.own)[groups.of]
    variance = groups.mean(own**2)
    wanted = groups.mean(rest.square) - groups.mean(rest.mean) ** 2
    equal = ~(wanted > NOISE)
    why = reasons(rest.all.size, *rest.lacking, (groups.n < 3, FEW_UNITS), (equal, REST_EQUAL))
    n = groups.without(np.ones_like(own))
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt(variance / wanted)
        left, others = (
            groups.without(square) / n - (groups.without(value) / n) ** 2
            for square, value in ((own**2, own), (rest.square, rest.mean))
        )
        logs = np.log(left / others) / 2
    half = groups.critical * groups.jackknife(
        np.where((left > NOISE) & (others > NOISE), logs, np.nan)
    )
    return rest.column(
        ratio,
        (ratio * np.exp(-half), ratio * np.exp(half)),
        say(
            "standard deviation of the annotator's values / of the others' on the same units; "
            "jackknife of whole clusters, log scale, Student's t"
        ),
        why,
        own_sd=np.sqrt(variance),
        others_sd=np.sqrt(np.maximum(wanted, 0)),
    )


def trend(rest: Rest, order: FloatArray | None, table: RatingTable) -> AnnotatorColumn:
    """Return the slope of (own value - mean of the others) per 100 judgments, in judging order.

    order: (n_ratings,) times of judgment, NaN or None if unknown; equal times share a mid-rank.
    `details` has the intercept and binned points for a figure.
    """
    size, annotator = rest.all.size, table.annotator
    place = np.full(annotator.size, np.nan) if order is None else places(order, annotator, size)
    at = np.nan_to_num(place[rest.row]) / 100
    unknown = np.bincount(annotator, np.isnan(place), minlength=size) > 0
    groups, apart = rest.groups, rest.own - rest.mean
    away = at - groups.mean(at)[groups.of]
    spread_of = groups.total(away**2)
    flat = ~(spread_of > NOISE)
    slope = groups.total(away * apart) / np.where(flat, np.nan, spread_of)
    level = groups.mean(apart)
    n, x, y = (groups.without(one) for one in (np.ones_like(away), away, apart))
    with np.errstate(invalid="ignore", divide="ignore"):
        width = groups.without(away**2) - x**2 / n
        left = (groups.without(away * apart) - x * y / n) / np.where(width > NOISE, width, np.nan)
    half = groups.critical * groups.jackknife(left)
    why = reasons(
        size, *rest.lacking, (unknown, NO_ORDER), (groups.n < 3, FEW_UNITS), (flat, NO_ORDER)
    )
    return rest.column(
        slope,
        (slope - half, slope + half),
        say(
            "least squares of own value - mean of the others on the position in the order of "
            "judging, per 100 judgments; jackknife of whole clusters, Student's t"
        ),
        why,
        intercept=level - slope * groups.mean(at),
        points=_points(groups, at * 100, apart, table.unit[rest.row]),
    )


def places(order: FloatArray, annotator: IntArray, size: int) -> FloatArray:
    """Return the (R,) rank from 0 of each rating among its annotator's, with mid-ranks for ties.

    NaN for an annotator with an unknown time or with all times equal.
    """
    times, moment = np.unique(order, return_inverse=True)
    key, place, count = np.unique(
        annotator * max(times.size, 1) + moment, return_inverse=True, return_counts=True
    )
    owner = key // max(times.size, 1)
    given = np.bincount(annotator, minlength=size)
    first = np.cumsum(count) - count - (np.cumsum(given) - given)[owner]
    ranks = (first + (count - 1) / 2)[place]
    moments = np.bincount(owner, minlength=size)
    unknown = np.bincount(annotator, np.isnan(order), minlength=size) > 0
    lost = unknown | ((moments == 1) & (given > 1))
    return np.where(lost[annotator], np.nan, ranks)


def _points(
    groups: Groups, at: FloatArray, apart: FloatArray, unit: IntArray
) -> list[list[list[float]]]:
    """Return up to BINS points [rank, mean difference, ratings] for each annotator."""
    rank = np.lexsort((unit, at, groups.of))
    n, start = groups.n, np.cumsum(groups.n) - groups.n
    own = groups.of[rank]
    within = np.arange(rank.size) - start[own]
    bin_of = own * BINS + within * BINS // np.maximum(n[own], 1)
    count = np.bincount(bin_of, minlength=groups.size * BINS)
    x = np.bincount(bin_of, at[rank], minlength=count.size) / np.maximum(count, 1)
    y = np.bincount(bin_of, apart[rank], minlength=count.size) / np.maximum(count, 1)
    rows = np.column_stack([x.round(2), y.round(4), count]).reshape(groups.size, BINS, 3)
    return [[point for point in points.tolist() if point[2]] for points in rows]


# Severity of every annotator, with cluster-robust intervals.


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
            (groups.clusters < LEAST_CLUSTERS, TOO_FEW),
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
