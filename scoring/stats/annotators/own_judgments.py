"""Statistics of an annotator's own judgments: runs of one value, repeats, controls, speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paraanno.common.texts import NOTHING as NO_SENTENCE
from paraanno.common.texts import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, NO_RATINGS
from scoring.stats.annotators.against_others import (
    NO_NOISE,
    NO_ORDER,
    OWN_EQUAL,
    Rest,
    agreement,
    correlation,
    places,
    severity_column,
    spread,
    trend,
)
from scoring.stats.annotators.catalogue import (
    CATALOGUE,
    TOO_FEW,
    AnnotatorColumn,
    Groups,
    correlations,
    keys_of,
    reasons,
    share_interval,
)
from scoring.stats.intervals import LEAST_CLUSTERS, wilson_ends
from scoring.stats.table import (
    NEW_CLUSTERS,
    NEW_UNITS,
    NORMAL_95,
    OUT_OF_RANGE,
    Estimate,
    FloatArray,
    IntArray,
    RatingTable,
    medians,
    normal_above,
    order_interval,
    out_of_range,
    undefined,
)

ONE_RATING = say("undefined: needs two judgments")
NO_REPEATS = say("undefined: nothing was judged twice")
FEW_REPEATS = say("undefined: needs 3 repeats")
AGAIN_EQUAL = say("undefined: the values of the repeats are all equal")
SAME_AGAIN = {
    "repeat_exact": say(
        "share of repeats equal; Wilson 1927 with the effective sample size (Korn and Graubard "
        "1998)"
    ),
    "repeat_within": say(
        "share of repeats at most one point apart; Wilson 1927 with the effective sample size "
        "(Korn and Graubard 1998)"
    ),
}
NO_CONTROLS = say("undefined: no control was judged")
NO_TIMES = say("undefined: the times are not known")
RARE = 0.025  # Probability of either tail of the chance range.


@dataclass(frozen=True, eq=False)
class Repeats:
    """(R,) repeats: the first and a later value given to the same unit by one annotator.

    cluster   (R,) codes of possibly dependent repeats (the phrase)
    """

    annotator: IntArray
    cluster: IntArray
    first: FloatArray
    again: FloatArray


@dataclass(frozen=True, eq=False)
class Controls:
    """Whether (R,) judgments of controls lie in the band of correct values."""

    annotator: IntArray
    inside: FloatArray


@dataclass(frozen=True, eq=False)
class Pace:
    """Seconds per judgment of (S,) sheets; a sheet below `least` seconds is too fast."""

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
        """Compute from (S,) sheets: annotator, times in seconds, and number of answers.

        times: claim, first answer, last answer. A sheet starts at its claim, or at the last answer
        on the previous sheet if that is later, and ends at its last answer. Without a claim (NaN)
        it starts at the last answer on the previous sheet; the annotator's first sheet, and one
        after a break longer than `pause`, are then omitted.
        """
        order = np.lexsort((times[1], times[2], annotator))
        whose, n = annotator[order], answers[order]
        claimed, first, last = (column[order] for column in times)
        before = np.concatenate([[np.nan], last[:-1]])
        before[np.flatnonzero(np.diff(whose, prepend=-1))] = np.nan
        before[~(before <= first)] = np.nan
        rested = np.where(first - before > pause, np.nan, before)
        begin = np.where(np.isnan(claimed), rested, np.fmax(np.minimum(claimed, first), before))
        timed = ~np.isnan(begin)
        return cls(whose[timed], ((last - begin) / n)[timed], least)


def straight(
    table: RatingTable, order: FloatArray | None, cluster: IntArray | None
) -> tuple[AnnotatorColumn, AnnotatorColumn]:
    """Return the share of equal consecutive judgments and the longest run of one value.

    `details` compares with a random order of the annotator's values: `expected` share and one-sided
    `p_value` (number of runs: Mood 1940), and for the longest run the central 95 % range under
    random order (`chance_low`, `chance_high`; Feller 1968, XIII.7). Texts of one item may deserve
    equal values, so neither is proof of careless judging.
    """
    size = table.n_annotators
    given = np.bincount(table.annotator, minlength=size).astype(np.int64)
    place = np.full(table.n_ratings, np.nan)
    if order is not None:
        place = places(order, table.annotator, size)
    lost = np.bincount(table.annotator, np.isnan(place), minlength=size) > 0
    row = np.lexsort((table.unit, place, table.annotator))
    annotator, value = table.annotator[row], table.value[row]
    pair = np.flatnonzero(annotator[1:] == annotator[:-1])
    of_unit = np.arange(table.n_units) if cluster is None else cluster
    groups = Groups.make(annotator[pair], of_unit[table.unit[row[pair]]], size)
    hit = (value[pair] == value[pair + 1]).astype(float)
    share = groups.mean(hit)
    expected, p_value = _neighbours_by_chance(table, given, groups.total(hit))
    why = reasons(size, (given == 0, NO_RATINGS), (given < 2, ONE_RATING), (lost, NO_ORDER))
    low, high = share_interval(groups, share, hit)
    neighbours = AnnotatorColumn(
        share,
        low,
        high,
        groups.n,
        why,
        say(
            "equal neighbours / all neighbours in the order of judging; Wilson 1927 with the "
            "effective sample size (Korn and Graubard 1998); p: number of runs (Mood 1940)"
        ),
        NEW_UNITS if cluster is None else NEW_CLUSTERS,
        [NO_SENTENCE] * size,
        {"expected": expected, "p_value": p_value},
    )
    return neighbours, _longest(table, row, given, why)


def _neighbours_by_chance(
    table: RatingTable, given: IntArray, seen: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the expected share of equal neighbours under random order, and P(>= observed)."""
    owner, count = _own_counts(table)
    n = np.where(given > 1, given, np.nan).astype(float)
    two, three = (np.bincount(owner, count**power, minlength=n.size) for power in (2.0, 3.0))
    expected = (two - n) / (n * (n - 1))
    variance = (two * (two + n * (n + 1)) - 2 * n * three - n**3) / (n**2 * (n - 1))
    some = variance > 1e-9
    z = (seen - expected * (n - 1)) / np.sqrt(np.where(some, variance, np.nan))
    return expected, normal_above(z)


def _own_counts(table: RatingTable) -> tuple[IntArray, FloatArray]:
    """Return annotator and number of ratings of each observed (annotator, value)."""
    levels, code = np.unique(table.value, return_inverse=True)
    key, count = np.unique(table.annotator * max(levels.size, 1) + code, return_counts=True)
    return key // max(levels.size, 1), count.astype(float)


def _longest(
    table: RatingTable, row: IntArray, given: IntArray, why: list[Sentence]
) -> AnnotatorColumn:
    size = given.size
    annotator, value = table.annotator[row], table.value[row]
    begins = np.ones(row.size, bool)
    begins[1:] = (annotator[1:] != annotator[:-1]) | (value[1:] != value[:-1])
    start = np.flatnonzero(begins)
    longest = np.zeros(size)
    np.maximum.at(longest, annotator[start], np.diff(np.append(start, row.size)))
    low, high = (_run_by_chance(table, given, tail) for tail in (1 - RARE, RARE))
    nothing = np.full(size, np.nan)
    return AnnotatorColumn(
        longest,
        nothing,
        nothing,
        given,
        why,
        say(
            "longest run of one value in the order of judging; the range by chance from the "
            "annotator's values in random order (Feller 1968, XIII.7)"
        ),
        NO_SENTENCE,
        [say("a maximum has no interval: compare it with the range by chance")] * size,
        {"chance_low": low, "chance_high": high},
    )


def _run_by_chance(table: RatingTable, given: IntArray, tail: float) -> FloatArray:
    """Return the (A,) largest L with P(longest run >= L) >= tail; NaN if all values are equal."""
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


def consistency(repeats: Repeats, size: int, point: float) -> dict[str, AnnotatorColumn]:
    """Compare repeated with first values: equal, within one point, Pearson, and mean change."""
    groups = Groups.make(repeats.annotator, repeats.cluster, size)
    change = repeats.again - repeats.first
    near = np.abs(change) <= point * (1 + 1e-9)
    none = (groups.n == 0, NO_REPEATS)
    few = groups.clusters < LEAST_CLUSTERS
    no_interval = reasons(size, (few, TOO_FEW), (~few, NO_NOISE))

    def column(
        value: FloatArray, interval: tuple[FloatArray, ...], why: list[Sentence], method: Sentence
    ) -> AnnotatorColumn:
        low, high = interval
        to = say("new repeats")
        return AnnotatorColumn(value, low, high, groups.n, why, method, to, no_interval)

    columns = {}
    for name, hit in (("repeat_exact", change == 0), ("repeat_within", near)):
        share = groups.mean(hit.astype(float))
        columns[name] = column(
            share,
            share_interval(groups, share, hit.astype(float)),
            reasons(size, none),
            SAME_AGAIN[name],
        )
    both = correlations(groups, repeats.first, repeats.again)
    columns["repeat_correlation"] = column(
        both.r,
        (both.low, both.high),
        reasons(
            size,
            none,
            (groups.n < 3, FEW_REPEATS),
            (both.first_equal, OWN_EQUAL),
            (both.second_equal, AGAIN_EQUAL),
        ),
        say(
            "Pearson of first and second values; jackknife of whole clusters, Fisher's z, "
            "Student's t"
        ),
    )
    mean = groups.mean(change)
    left = (change - mean[groups.of]) / groups.n[groups.of]
    half = groups.critical * groups.error(left)
    columns["repeat_change"] = column(
        mean,
        (mean - half, mean + half),
        reasons(size, none),
        say("mean of second - first value; cluster-robust error, Student's t"),
    )
    return columns


def controls_column(controls: Controls, size: int) -> AnnotatorColumn:
    """Return the share of judgments of controls inside the band."""
    n = np.bincount(controls.annotator, minlength=size).astype(np.int64)
    hits = np.bincount(controls.annotator, controls.inside, minlength=size)
    some = np.where(n > 0, n, np.nan).astype(float)
    low, high = wilson_ends(hits / some, some, np.full(size, NORMAL_95))
    return AnnotatorColumn(
        hits / some,
        low,
        high,
        n,
        reasons(size, (n == 0, NO_CONTROLS)),
        say("share inside the band; Wilson 1927"),
        say("new controls"),
        [NO_SENTENCE] * size,
    )


def pace_columns(pace: Pace, size: int) -> dict[str, AnnotatorColumn]:
    """Return the median over sheets of seconds per judgment, and the share of too fast sheets."""
    n = np.bincount(pace.annotator, minlength=size).astype(np.int64)
    why = reasons(size, (n == 0, NO_TIMES))
    low, high = order_interval(pace.annotator, pace.seconds, n)
    some = np.where(n > 0, n, np.nan).astype(float)
    fast = np.bincount(pace.annotator, pace.seconds < pace.least, minlength=size) / some
    bounds = wilson_ends(fast, some, np.full(size, NORMAL_95))
    return {
        "seconds": AnnotatorColumn(
            medians(pace.annotator, pace.seconds, n),
            low,
            high,
            n,
            why,
            say(
                "median over sheets of the seconds for each judgment; interval by order statistics "
                "(Thompson 1936)"
            ),
            say("new sheets"),
            [say("fewer than 6 sheets")] * size,
        ),
        "too_fast": AnnotatorColumn(
            fast,
            *bounds,
            n,
            why,
            say(
                "share of sheets below %(n)s seconds for each judgment; Wilson 1927",
                n=f"{pace.least:g}",
            ),
            say("new sheets"),
            [NO_SENTENCE] * size,
        ),
    }


# All statistics of the annotators of a scale.
#
# Severity, spread, agreement and correlation with the rest, trend and straight-lining; from further
# records consistency on repeats, controls and pace. Each has an interval or the reason for none.


Statistics = dict[str, list[Estimate]]
NOBODY = np.zeros(0, dtype=np.int64)
NOTHING = np.zeros(0)


def annotator_statistics(
    table: RatingTable,
    *,
    clusters: IntArray | None = None,
    order: FloatArray | None = None,
    point: float = 1.0,
    repeats: Repeats | None = None,
    controls: Controls | None = None,
) -> Statistics:
    """Return all statistics of the catalogue except pace, each with one Estimate per annotator.

    clusters   (n_units,) codes of dependent units, such as the phrase; default: independent units
    order      (n_ratings,) time of each rating of the table; NaN if unknown
    point      size of one point of the scale
    On a nominal scale ignore severity, spread, correlation and trend. All statistics are undefined
    for anonymous annotators, and for values out of range.
    """
    size = table.n_annotators
    if table.anonymous or out_of_range(table.value):
        why = ANONYMOUS if table.anonymous else OUT_OF_RANGE
        names = [one.key for one in CATALOGUE if one.source != "pace"]
        return {name: [undefined(why)] * size for name in names}
    rest = Rest.of(table, clusters, point)
    exact, near = agreement(rest)
    neighbours, longest = straight(table, order, clusters)
    again = Repeats(NOBODY, NOBODY, NOTHING, NOTHING) if repeats is None else repeats
    columns = {
        "severity": severity_column(table, clusters),
        "spread": spread(rest),
        "agreement": exact,
        "within_one": near,
        "correlation": correlation(rest),
        "trend": trend(rest, order, table),
        "equal_neighbours": neighbours,
        "longest_run": longest,
        **consistency(again, size, point),
        "controls": controls_column(controls or Controls(NOBODY, NOTHING), size),
    }
    return _estimates(columns)


def pace_statistics(pace: Pace, n_annotators: int, *, anonymous: bool = False) -> Statistics:
    """Return the statistics of pace, each with one Estimate per annotator code."""
    if anonymous:
        return {name: [undefined(ANONYMOUS)] * n_annotators for name in keys_of("pace")}
    return _estimates(pace_columns(pace, n_annotators))


def _estimates(columns: dict[str, AnnotatorColumn]) -> Statistics:
    return {name: column.estimates() for name, column in columns.items()}


# What each annotator gave, beside what the others gave the same texts.


MOST_LEVELS, BINS = 11, 10


def profiles(table: RatingTable) -> tuple[list[float], IntArray, IntArray]:
    """Return the levels, and of shape (annotators, levels) how many ratings each annotator gave at
    each level and how many the others gave there to the same texts.

    Levels are the values that were given; of more than 11, the lower ends of ten bins of equal
    width between the lowest and the highest. A missing rating counts nowhere.
    """
    levels = np.unique(table.value)
    if levels.size > MOST_LEVELS:
        levels = np.linspace(levels[0], levels[-1], BINS + 1)[:-1]
    at = np.searchsorted(levels, table.value, side="right") - 1
    own = np.zeros((table.n_annotators, levels.size), dtype=np.int64)
    np.add.at(own, (table.annotator, at), 1)
    of_text = np.zeros((table.n_units, levels.size), dtype=np.int64)
    np.add.at(of_text, (table.unit, at), 1)
    together = np.zeros_like(own)
    np.add.at(together, table.annotator, of_text[table.unit])
    return levels.tolist(), own, together - own
