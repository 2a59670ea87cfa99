"""Each annotator alone: runs of one value, repeats, controls, time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from scoring.stats.agreement import NO_RATINGS
from scoring.stats.annotators_column import Column, reasons
from scoring.stats.annotators_errors import (
    TOO_FEW,
    Groups,
    correlations,
    share_interval,
    wilson,
)
from scoring.stats.annotators_rest import NO_NOISE, NO_ORDER, OWN_EQUAL, places
from scoring.stats.intervals import medians, order_interval
from scoring.stats.resampling import LEAST_GROUPS
from scoring.stats.table import FloatArray, IntArray, RatingTable

ONE_RATING = "undefined: needs two judgments"
NO_REPEATS = "undefined: nothing was judged twice"
FEW_REPEATS = "undefined: needs 3 repeats"
AGAIN_EQUAL = "undefined: the values of the second time are all equal"
NO_CONTROLS = "undefined: no control was judged"
NO_TIMES = "undefined: no times are known"
RARE = 0.025  # Either tail of what chance makes.


@dataclass(frozen=True, eq=False)
class Repeats:
    """Values given by (R,) annotators to the same unit the first and a later time.

    cluster   (R,) codes of what may be dependent (the item)
    """

    annotator: IntArray
    cluster: IntArray
    first: FloatArray
    again: FloatArray


@dataclass(frozen=True, eq=False)
class Controls:
    """Whether (R,) judgments of controls lie in the band that is right."""

    annotator: IntArray
    inside: FloatArray


@dataclass(frozen=True, eq=False)
class Pace:
    """Seconds for each judgment of (S,) sheets, and below how many a sheet is too fast."""

    annotator: IntArray
    seconds: FloatArray
    least: float

    @classmethod
    def of(
        cls,
        annotator: IntArray,
        times: tuple[FloatArray, FloatArray, FloatArray],
        answers: IntArray,
        *,
        least: float,
        pause: float,
    ) -> Pace:
        """From (S,) sheets: whose, (claimed, first, last answer) in seconds, number of answers.

        A sheet's time runs from its claim, or from the last answer on the sheet before where that
        is later, to its last answer. Without a claim (NaN) it runs from the sheet before; then the
        annotator's first sheet, and one after a longer time than `pause`, have none.
        """
        order = np.lexsort((times[1], times[2], annotator))
        voice, n = annotator[order], answers[order]
        claimed, first, last = (column[order] for column in times)
        before = np.concatenate([[np.nan], last[:-1]])
        before[np.flatnonzero(np.diff(voice, prepend=-1))] = np.nan
        before[~(before <= first)] = np.nan
        rested = np.where(first - before > pause, np.nan, before)
        begin = np.where(np.isnan(claimed), rested, np.fmax(np.minimum(claimed, first), before))
        known = ~np.isnan(begin)
        return cls(voice[known], ((last - begin) / n)[known], least)


def straight(
    table: RatingTable, order: FloatArray | None, cluster: IntArray | None
) -> tuple[Column, Column]:
    """Share of neighbours (in the order of judging) with equal values, and the longest run.

    `details` has what the annotator's own values would give in random order: `expected` share and
    one-sided `p_value` (number of runs: Mood 1940), and for the longest run the range that 95 % of
    random orders have (`chance_low`, `chance_high`; Feller 1968, XIII.7). Texts of one item can
    rightly be alike, so both are reasons to look and no proof.
    """
    size = table.n_annotators
    given = np.bincount(table.annotator, minlength=size).astype(np.int64)
    place = np.full(table.n_ratings, np.nan)
    if order is not None:
        place = places(order, table.annotator, size)
    lost = np.bincount(table.annotator, np.isnan(place), minlength=size) > 0
    row = np.lexsort((table.unit, place, table.annotator))
    voice, value = table.annotator[row], table.value[row]
    pair = np.flatnonzero(voice[1:] == voice[:-1])
    of_unit = np.arange(table.n_units) if cluster is None else cluster
    groups = Groups.make(voice[pair], of_unit[table.unit[row[pair]]], size)
    hit = (value[pair] == value[pair + 1]).astype(float)
    share = groups.mean(hit)
    expected, p_value = _neighbours_by_chance(table, given, groups.total(hit))
    why = reasons(size, (given == 0, NO_RATINGS), (given < 2, ONE_RATING), (lost, NO_ORDER))
    low, high = share_interval(groups, share, hit)
    neighbours = Column(
        share, low, high, groups.n, why,
        "equal neighbours / all neighbours in the order of judging; Wilson 1927 with the effective "
        "sample size (Korn and Graubard 1998); p: number of runs (Mood 1940)",
        "new units" if cluster is None else "new clusters", [""] * size,
        {"expected": expected, "p_value": p_value},
    )  # fmt: skip
    return neighbours, _longest(table, row, given, why)


def _neighbours_by_chance(
    table: RatingTable, given: IntArray, seen: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Expected share of equal neighbours in random order, and P(as many as seen or more)."""
    owner, count = _own_counts(table)
    n = np.where(given > 1, given, np.nan).astype(float)
    two, three = (np.bincount(owner, count**power, minlength=n.size) for power in (2.0, 3.0))
    expected = (two - n) / (n * (n - 1))
    variance = (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n**2 * (n - 1))
    some = variance > 1e-9
    z = (seen - expected * (n - 1)) / np.sqrt(np.where(some, variance, np.nan))
    return expected, stats.norm.sf(z)


def _own_counts(table: RatingTable) -> tuple[IntArray, FloatArray]:
    """Annotator and number of ratings of each (annotator, value) that occurs."""
    levels, code = np.unique(table.value, return_inverse=True)
    key, count = np.unique(table.annotator * max(levels.size, 1) + code, return_counts=True)
    return key // max(levels.size, 1), count.astype(float)


def _longest(table: RatingTable, row: IntArray, given: IntArray, why: list[str]) -> Column:
    size = given.size
    voice, value = table.annotator[row], table.value[row]
    begins = np.ones(row.size, bool)
    begins[1:] = (voice[1:] != voice[:-1]) | (value[1:] != value[:-1])
    start = np.flatnonzero(begins)
    longest = np.zeros(size)
    np.maximum.at(longest, voice[start], np.diff(np.append(start, row.size)))
    low, high = (_run_by_chance(table, given, tail) for tail in (1 - RARE, RARE))
    nothing = np.full(size, np.nan)
    return Column(
        longest, nothing, nothing, given, why,
        "longest run of one value in the order of judging; the range by chance from the own values "
        "in random order (Feller 1968, XIII.7)", "",
        ["a maximum has no interval: compare it with the range by chance"] * size,
        {"chance_low": low, "chance_high": high},
    )  # fmt: skip


def _run_by_chance(table: RatingTable, given: IntArray, tail: float) -> FloatArray:
    """(A,) the longest L with P(a run of L or more) >= tail; NaN where all values are equal."""
    owner, count = _own_counts(table)
    n = given[owner].astype(float)
    likely = count / n
    low, high = np.ones(given.size), np.maximum(given, 1).astype(float)
    for _ in range(int(np.ceil(np.log2(high.max(initial=1) + 1))) + 1):
        middle = np.ceil((low + high) / 2)
        length = middle[owner]
        starts = likely**length * (1 + (n - length) * (1 - likely))
        reached = -np.expm1(-np.bincount(owner, starts, minlength=given.size)) >= tail
        reached |= middle <= 1
        low, high = np.where(reached, middle, low), np.where(reached, high, middle - 1)
    one = np.bincount(owner, minlength=given.size) < 2
    return np.where(one, np.nan, low)


def consistency(repeats: Repeats, size: int, point: float) -> dict[str, Column]:
    """Second values against the first: equal, within one point, Pearson, and their mean change."""
    groups = Groups.make(repeats.annotator, repeats.cluster, size)
    change = repeats.again - repeats.first
    near = np.abs(change) <= point * (1 + 1e-9)
    none = (groups.n == 0, NO_REPEATS)
    few = groups.clusters < LEAST_GROUPS
    no_interval = reasons(size, (few, TOO_FEW), (~few, NO_NOISE))

    def column(
        value: FloatArray, interval: tuple[FloatArray, ...], why: list[str], method: str
    ) -> Column:
        low, high = interval
        to = "new repeats"
        return Column(value, low, high, groups.n, why, method, to, no_interval)

    found = {}
    for name, hit, what in (
        ("repeat_exact", change == 0, "equal"),
        ("repeat_within", near, "at most one point apart"),
    ):
        share = groups.mean(hit.astype(float))
        found[name] = column(
            share, share_interval(groups, share, hit.astype(float)), reasons(size, none),
            f"share of repeats {what}; Wilson 1927 with the effective sample size (Korn and "
            "Graubard 1998)",
        )  # fmt: skip
    both = correlations(groups, repeats.first, repeats.again)
    found["repeat_correlation"] = column(
        both.r, (both.low, both.high),
        reasons(size, none, (groups.n < 3, FEW_REPEATS), (both.first_equal, OWN_EQUAL),
                (both.second_equal, AGAIN_EQUAL)),
        "Pearson of first and second values; Fisher's z, error by linearisation with clusters, "
        "Student's t",
    )  # fmt: skip
    mean = groups.mean(change)
    left = (change - mean[groups.of]) / groups.n[groups.of]
    half = groups.critical * groups.error(left)
    found["repeat_change"] = column(
        mean, (mean - half, mean + half), reasons(size, none),
        "mean of second - first value; error with clusters, Student's t",
    )  # fmt: skip
    return found


def controls_column(controls: Controls, size: int) -> Column:
    """Share of judgments of controls inside the band."""
    n = np.bincount(controls.annotator, minlength=size).astype(np.int64)
    hits = np.bincount(controls.annotator, controls.inside, minlength=size)
    some = np.where(n > 0, n, np.nan).astype(float)
    low, high = wilson(hits / some, some, np.full(size, stats.norm.ppf(0.975)))
    return Column(
        hits / some, low, high, n, reasons(size, (n == 0, NO_CONTROLS)),
        "share inside the band; Wilson 1927", "new controls", [""] * size,
    )  # fmt: skip


def pace_columns(pace: Pace, size: int) -> dict[str, Column]:
    """Median seconds for a judgment over sheets, and the share of sheets that are too fast."""
    n = np.bincount(pace.annotator, minlength=size).astype(np.int64)
    why = reasons(size, (n == 0, NO_TIMES))
    low, high = order_interval(pace.annotator, pace.seconds, n)
    some = np.where(n > 0, n, np.nan).astype(float)
    fast = np.bincount(pace.annotator, pace.seconds < pace.least, minlength=size) / some
    bounds = wilson(fast, some, np.full(size, stats.norm.ppf(0.975)))
    return {
        "seconds": Column(
            medians(pace.annotator, pace.seconds, n), low, high, n, why,
            "median over sheets of the seconds for each judgment; interval by order statistics "
            "(Thompson 1936)", "new sheets", ["fewer than 6 sheets"] * size,
        ),
        "too_fast": Column(
            fast, *bounds, n, why,
            f"share of sheets below {pace.least:g} seconds for each judgment; Wilson 1927",
            "new sheets", [""] * size,
        ),
    }  # fmt: skip
