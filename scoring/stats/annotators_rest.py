"""Each annotator against the others on the same units: all annotators in one pass.

The rest of a rating are the other ratings of its unit; every unit of an annotator counts once,
however many others rated it, so that the statistics are right where K of N rate a unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement import NO_RATINGS
from scoring.stats.annotators_column import Column, around, reasons
from scoring.stats.annotators_errors import TOO_FEW, Groups, correlations, share_interval
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable

NO_OTHERS = "undefined: nobody else rated the same units"
FEW_UNITS = "undefined: needs 3 units that others rated too"
OWN_EQUAL = "undefined: the annotator's values are all equal"
REST_EQUAL = "undefined: the others' values are all equal"
NO_ORDER = "undefined: the order of judging is not known"
NO_NOISE = "no error can be estimated"
BINS = 12  # Points of the figure of a trend.
NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class Rest:
    """The R ratings of units that others rated too, and what the others said there.

    row           (R,) place in the table
    own           (R,) the rating, `mean` and `square` the others' mean and mean square: all after
                  taking off the mean of the whole table, so that no square loses digits
    exact, near   (R,) share of the others who gave the same value, and one within a point of it
    all, judged   (A,) all ratings, and how many of them are here
    """

    row: IntArray
    groups: Groups
    own: FloatArray
    mean: FloatArray
    square: FloatArray
    exact: FloatArray
    near: FloatArray
    all: IntArray
    generalises_to: str

    @classmethod
    def of(cls, table: RatingTable, cluster: IntArray | None, point: float) -> Rest:
        """cluster: (n_units,) codes, or None where every unit is one of its own."""
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
            "new units" if cluster is None else "new clusters",
        )

    @property
    def lacking(self) -> tuple[tuple[BoolArray, str], ...]:
        return ((self.all == 0, NO_RATINGS), (self.groups.n == 0, NO_OTHERS))

    def column(
        self, value: FloatArray, interval: tuple[FloatArray, ...], method: str,
        why: list[str], **details: FloatArray | list[list[list[float]]],
    ) -> Column:  # fmt: skip
        low, high = interval
        few = self.groups.clusters < LEAST_GROUPS
        no_interval = reasons(value.size, (few, TOO_FEW), (~few, NO_NOISE))
        return Column(
            value, low, high, self.groups.n, why, method, self.generalises_to, no_interval, details
        )


def _alike(table: RatingTable, row: IntArray, point: float) -> tuple[FloatArray, FloatArray]:
    """(R,) how many others gave the unit the same value, and one at most a point apart."""
    levels, code = np.unique(table.value, return_inverse=True)
    slack = point * (1 + 1e-9)
    low = np.searchsorted(levels, levels - slack)
    high = np.searchsorted(levels, levels + slack, side="right")
    key = np.sort(table.unit * levels.size + code)
    start, code = table.unit[row] * levels.size, code[row]
    found = [
        np.searchsorted(key, start + first) for first in (code, code + 1, low[code], high[code])
    ]
    return (found[1] - found[0] - 1).astype(float), (found[3] - found[2] - 1).astype(float)


def agreement(rest: Rest) -> tuple[Column, Column]:
    """Exactly, and within a point: mean over the annotator's units of the share of the others."""
    why = reasons(rest.all.size, *rest.lacking)
    columns = []
    for hit, what in ((rest.exact, "give the same value"), (rest.near, "are within one point")):
        share = rest.groups.mean(hit)
        columns.append(
            rest.column(
                share,
                share_interval(rest.groups, share, hit),
                f"mean over own units of the share of the others who {what}; Wilson 1927 with the "
                "effective sample size (Korn and Graubard 1998)",
                why,
            )
        )
    return columns[0], columns[1]


def correlation(rest: Rest) -> Column:
    """Pearson of own values with the mean of the others on the same units."""
    found = correlations(rest.groups, rest.own, rest.mean)
    why = reasons(
        rest.all.size, *rest.lacking, (rest.groups.n < 3, FEW_UNITS),
        (found.first_equal, OWN_EQUAL), (found.second_equal, REST_EQUAL),
    )  # fmt: skip
    return rest.column(
        found.r,
        (found.low, found.high),
        "Pearson with the mean of the others; Fisher's z, error by linearisation with clusters, "
        "Student's t",
        why,
    )


def spread(rest: Rest) -> Column:
    """Standard deviation of own values / that of the others' values on the same units.

    Below 1: a narrower part of the scale is used than the others use for the same texts. The
    others' values are pooled, each unit with the same weight.
    """
    groups = rest.groups
    own = (rest.own - groups.mean(rest.own)[groups.of]) ** 2
    centre = groups.mean(rest.mean)[groups.of]
    others = rest.square - 2 * centre * rest.mean + centre**2
    variance, wanted = groups.mean(own), groups.mean(others)
    equal = ~(wanted > NOISE)
    why = reasons(
        rest.all.size, *rest.lacking, (groups.n < 3, FEW_UNITS), (equal, REST_EQUAL)
    )  # fmt: skip
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt(variance / wanted)
        influence = own / variance[groups.of] - others / wanted[groups.of]
    influence = np.nan_to_num(influence / 2 / groups.n[groups.of], posinf=0, neginf=0)
    some = (variance > NOISE) & ~equal
    half = groups.critical * np.where(some, groups.error(influence), np.nan)
    return rest.column(
        ratio,
        (ratio * np.exp(-half), ratio * np.exp(half)),
        "standard deviation of own values / of the others' on the same units; log scale, error by "
        "linearisation with clusters, Student's t",
        why,
        own_sd=np.sqrt(variance),
        others_sd=np.sqrt(np.maximum(wanted, 0)),
    )


def trend(rest: Rest, order: FloatArray | None, table: RatingTable) -> Column:
    """Slope of own value - mean of the others, per 100 judgments in the order of judging.

    order: (ratings of the table,) times of judging, NaN or None where they are not known; equal
    times share their place. `details` has the line and its points for a figure.
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
    left = apart - level[groups.of] - slope[groups.of] * away
    n = np.where(groups.n > 2, groups.n, np.nan)
    influence = away * left / np.where(flat, np.nan, spread_of)[groups.of]
    small = np.sqrt((n - 1) / (n - 2))[groups.of]
    why = reasons(
        size, *rest.lacking, (unknown, NO_ORDER), (groups.n < 3, FEW_UNITS), (flat, NO_ORDER)
    )  # fmt: skip
    return rest.column(
        slope,
        around(groups, slope, np.nan_to_num(influence * small)),
        "least squares of own value - mean of the others on the place in the order of judging, "
        "per 100 judgments; error by linearisation with clusters, Student's t",
        why,
        intercept=level - slope * groups.mean(at),
        points=_points(groups, at * 100, apart, table.unit[rest.row]),
    )


def places(order: FloatArray, annotator: IntArray, size: int) -> FloatArray:
    """(R,) place from 0 of each rating among its annotator's, in order; ties share the mean place.

    NaN for an annotator of whom one time is not known, or all are the same.
    """
    times, moment = np.unique(order, return_inverse=True)
    key, place, count = np.unique(
        annotator * max(times.size, 1) + moment, return_inverse=True, return_counts=True
    )
    owner = key // max(times.size, 1)
    given = np.bincount(annotator, minlength=size)
    first = np.cumsum(count) - count - (np.cumsum(given) - given)[owner]
    found = (first + (count - 1) / 2)[place]
    moments = np.bincount(owner, minlength=size)
    unknown = np.bincount(annotator, np.isnan(order), minlength=size) > 0
    lost = unknown | ((moments == 1) & (given > 1))
    return np.where(lost[annotator], np.nan, found)


def _points(
    groups: Groups, at: FloatArray, apart: FloatArray, unit: IntArray
) -> list[list[list[float]]]:
    """For each annotator up to BINS points [place, mean difference, ratings]."""
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
