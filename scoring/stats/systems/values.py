"""Texts by system, their judged rows, and the outcome columns that results average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NotRequired, TypedDict

import numpy as np

from paraanno.common.texts import Sentence, say
from scoring.stats.intervals import (
    LEAST_CLUSTERS,
    Bootstrap,
    critical_t,
    effective_wilson,
    is_point,
    jackknife_error,
    jackknife_interval,
    jackknife_method,
    lacking,
    left_out,
    percentile_interval,
    weights,
    wilson_ends,
)
from scoring.stats.resampling import Threshold
from scoring.stats.significance.paired import LooksJson
from scoring.stats.table import (
    ITEMS,
    NORMAL_95,
    PHRASES,
    BoolArray,
    FloatArray,
    IntArray,
    RatingTable,
    expand,
    gold,
    out_of_range,
)

PASS_ALL, MEAN, PASS = "pass_all", "mean", "pass"
EVERYWHERE = (-np.inf, np.inf)  # The ends of a scale that are not known.


@dataclass(frozen=True, eq=False)
class SystemTexts:
    """Units by system, as rows (unit, system); duplicate rows count once.

    labels  name of each system
    n_items number of input items; None: the items for which any system produced a text
    alike   what intervals call the clusters of items, where there are any
    """

    unit: IntArray
    system: IntArray
    labels: tuple[str, ...]
    n_items: int | None = None
    alike: Sentence = PHRASES

    @property
    def made(self) -> tuple[IntArray, IntArray]:
        """Unit and system of each distinct row, in order of units."""
        width = max(len(self.labels), 1)
        keys = np.unique(self.unit * width + self.system)
        return keys // width, keys % width


@dataclass(frozen=True, eq=False)
class Judged:
    """Judged rows: by judgment one per (annotator, unit), by gold one per unit.

    unit   (J,)
    annotator  (J,) annotator code; 0 for gold
    value  (J, S) per scale, NaN if missing
    """

    unit: IntArray
    annotator: IntArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class Outcome:
    """An outcome averaged over judged rows.

    name   pass_all (reaches every threshold: 1 or 0), pass (one threshold) or mean (the value)
    scale  of pass and mean; None for pass_all
    value  (J,) NaN if missing
    ends   the least and the greatest value that there can be
    """

    name: str
    scale: str | None
    value: FloatArray
    higher_is_better: bool = True
    ends: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Entries:
    """Assignment of rows to systems: row `row[e]` counts once for system `system[e]`.

    item, cluster, annotator  (J,) codes of each judged row
    labels                of the systems
    clusters_are          name of the clusters (items or phrases)
    by_gold               whether a row is a text rather than one annotator's judgment
    """

    row: IntArray
    system: IntArray
    item: IntArray
    cluster: IntArray
    annotator: IntArray
    labels: tuple[str, ...]
    clusters_are: Sentence
    by_gold: bool


def judged_rows(tables: Mapping[str, RatingTable], systems: SystemTexts) -> Judged:
    """Return rows by judgment, excluding texts without a system (controls, exact copies)."""
    made = _made(systems, next(iter(tables.values())).n_units)
    filtered = [_keep(table, made) for table in tables.values()]
    width = max(filtered[0].n_annotators, 1)
    keys = [table.unit * width + table.annotator for table in filtered]
    pairs = np.unique(np.concatenate(keys))
    value = np.full((pairs.size, len(keys)), np.nan)
    for column, (key, table) in enumerate(zip(keys, filtered, strict=True)):
        value[np.searchsorted(pairs, key), column] = table.value
    return Judged(pairs // width, pairs % width, value)


def gold_rows(
    tables: Mapping[str, RatingTable],
    systems: SystemTexts,
    values: Mapping[str, FloatArray] | None = None,
    decisions: FloatArray | None = None,
) -> Judged:
    """Return rows by gold: `values` (U,) per scale, by default the mean rating.

    A unit is included if a scale or `decisions` (U,) has a value.
    """
    named = {name: gold(table).mean for name, table in tables.items()} | dict(values or {})
    value = np.column_stack([named[name] for name in tables])
    there = ~np.isnan(value).all(axis=1)
    if decisions is not None:
        there |= ~np.isnan(decisions)
    units = np.flatnonzero(there & _made(systems, value.shape[0]))
    return Judged(units, np.zeros(units.size, dtype=np.int64), value[units])


def outcomes_of(
    rows: Judged,
    names: tuple[str, ...],
    limits: Mapping[str, Threshold],
    ordered: Mapping[str, bool],
    decisions: FloatArray | None = None,
    ends: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> list[Outcome]:
    """Return the outcomes: pass_all, then pass and mean of each scale, if defined. There are no
    means of values out of range.

    ordered    scales with a mean, and whether higher is better
    decisions  (U,) pass decisions (1, 0, NaN) that replace the thresholds
    ends       the least and the greatest value of the scales, as far as they are known
    """
    outcomes = []
    if decisions is not None:
        outcomes.append(Outcome(PASS_ALL, None, decisions[rows.unit]))
    elif limits:
        columns = [names.index(name) for name in limits]
        reached = [
            limit.reached(rows.value[:, column])
            for column, limit in zip(columns, limits.values(), strict=True)
        ]
        missing = np.isnan(rows.value[:, columns]).any(axis=1)
        value = np.where(missing, np.nan, np.logical_and.reduce(reached))
        outcomes.append(Outcome(PASS_ALL, None, value))
    for column, name in enumerate(names):
        value = rows.value[:, column]
        if name in limits:
            passed = np.where(np.isnan(value), np.nan, limits[name].reached(value))
            outcomes.append(Outcome(PASS, name, passed))
        if name in ordered:
            valid = np.full(value.shape, np.nan) if out_of_range(value) else value
            bounds = ends.get(name, EVERYWHERE)
            outcomes.append(Outcome(MEAN, name, valid, ordered[name], bounds))
    return outcomes


def entries_of(
    rows: Judged,
    systems: SystemTexts,
    item: IntArray,
    phrase: IntArray | None,
    by_gold: bool,
) -> Entries:
    """Assign rows to systems. item, phrase: (U,) codes of units; clusters are phrases if known."""
    unit, system = systems.made
    ends = np.cumsum(np.bincount(unit, minlength=item.size))
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    source, row = expand(starts, ends, rows.unit)
    cluster = item if phrase is None else phrase
    return Entries(
        row,
        system[source],
        item[rows.unit],
        cluster[rows.unit],
        rows.annotator,
        systems.labels,
        ITEMS if phrase is None else systems.alike,
        by_gold,
    )


def _made(systems: SystemTexts, n_units: int) -> BoolArray:
    made = np.zeros(n_units, dtype=bool)
    made[systems.unit] = True
    return made


def _keep(table: RatingTable, units: BoolArray) -> RatingTable:
    rows = units[table.unit]
    return replace(
        table, unit=table.unit[rows], annotator=table.annotator[rows], value=table.value[rows]
    )


# Intervals of proportions and means: by cluster, and Wilson's of independent rows.


WILSON = say("95 %, Wilson 1927, rows assumed independent")
NO_ROWS = say("undefined: no row")


class IntervalJson(TypedDict):
    """`Interval` in a report; those of independent rows, and old reports, have no `clusters`."""

    low: float | None
    high: float | None
    method: str
    reason: str | None
    clusters: NotRequired[int]


@dataclass(frozen=True)
class Interval:
    """A 95 % interval with both limits, or neither and a `reason`; from so many clusters."""

    low: float | None
    high: float | None
    method: Sentence
    reason: Sentence | None = None
    clusters: int | None = None

    def as_json(self) -> IntervalJson:
        fields: IntervalJson = {
            "low": self.low,
            "high": self.high,
            "method": self.method,
            "reason": self.reason,
        }
        return fields if self.clusters is None else {**fields, "clusters": self.clusters}


def wilson(passed: int, n: int) -> Interval:
    """Return the score interval of a proportion. Source: Wilson 1927; Newcombe 1998, method 3.

    It assumes independent rows, which judgments of one text are not: compare with the interval by
    cluster. Undefined without rows. Raises ValueError for passed outside 0 to n.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is not a proportion")
    if n == 0:
        return Interval(None, None, WILSON, NO_ROWS)
    low, high = (float(end) for end in wilson_ends(passed / n, n, NORMAL_95))
    # At 0 and n the limit is exactly 0 or 1; avoid rounding error.
    return Interval(0.0 if passed == 0 else low, 1.0 if passed == n else high, WILSON)


def cluster_sums(
    cluster: IntArray, column: IntArray, value: FloatArray, shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """Return (clusters, columns) sums and counts of the values that are not missing.

    cluster, column, value: (E,) codes and values, NaN for a missing one.
    """
    there = ~np.isnan(value)
    cell = cluster[there] * shape[1] + column[there]
    size = shape[0] * shape[1]
    total = np.bincount(cell, value[there], minlength=size).astype(np.float64)
    n = np.bincount(cell, minlength=size).astype(np.float64)
    return total.reshape(shape), n.reshape(shape)


def ratio_intervals(
    total: FloatArray,
    n: FloatArray,
    plan: Bootstrap,
    clusters_are: Sentence,
    *,
    shares: bool = False,
    ends: tuple[float, float] = EVERYWHERE,
) -> list[Interval]:
    """Return intervals of the means sum(total) / sum(n) of C columns, by cluster.

    total, n  (G, C) per cluster and column; clusters without a value in a column do not count there
    shares    the means are shares of 0 and 1: Wilson's interval with the effective sample size that
              the clusters give. Other means have the jackknife's, within `ends` of their scale
    With replicates in the plan percentiles of a bootstrap of clusters instead (Efron and Tibshirani
    1993, chapter 13). No interval below five clusters, or if all have the same mean (shares then
    count as many trials as there are clusters).
    """
    if not plan.jackknife:
        return _drawn_intervals(total, n, plan, clusters_are)
    intervals = []
    for column in range(total.shape[1]):
        some = n[:, column] > 0
        cells = np.column_stack([total[some, column], n[some, column]])
        intervals.append(_left_out_interval(cells, plan, clusters_are, shares=shares, ends=ends))
    return intervals


def _left_out_interval(
    cells: FloatArray,
    plan: Bootstrap,
    clusters_are: Sentence,
    *,
    shares: bool,
    ends: tuple[float, float],
) -> Interval:
    """Return the interval of one column from the (G, 2) sums and counts of its clusters."""
    g = len(cells)
    method = share_method(g, clusters_are) if shares else jackknife_method(g, clusters_are)
    if g == 0:
        return Interval(None, None, method, NO_ROWS)
    if why := lacking(g, LEAST_CLUSTERS, clusters_are):
        return Interval(None, None, method, why)
    mean = float(cells[:, 0].sum() / cells[:, 1].sum())
    rest = left_out(cells, plan.seed)
    replicates = rest[:, 0] / rest[:, 1]
    if shares:
        error, count = np.array([jackknife_error(replicates)]), np.array([g])
        low, high = effective_wilson(np.array([mean]), error, count, critical_t(count))
        return Interval(float(low[0]), float(high[0]), method, clusters=g)
    interval = jackknife_interval(mean, replicates)
    if isinstance(interval, str):
        return Interval(None, None, method, _alike(clusters_are))
    return Interval(max(interval[0], ends[0]), min(interval[1], ends[1]), method, clusters=g)


def _alike(clusters_are: Sentence) -> Sentence:
    return say("undefined: all %(clusters)s have the same mean", clusters=clusters_are)


def share_method(clusters: int, named: Sentence) -> Sentence:
    """Return what the interval of a share is called."""
    return say(
        "95 %% Wilson, effective sample size by %(n)s %(clusters)s (Korn and Graubard 1998), "
        "Student's t",
        n=clusters,
        clusters=named,
    )


def _drawn_intervals(
    total: FloatArray, n: FloatArray, plan: Bootstrap, clusters_are: Sentence
) -> list[Interval]:
    method = say(
        "95 %%, percentiles of %(n)s bootstrap draws of %(clusters)s",
        n=plan.replicates,
        clusters=clusters_are,
    )
    if not total.size:
        return [Interval(None, None, method, NO_ROWS)] * total.shape[1]
    made = []
    for drawn in weights(plan, total.shape[0], total.shape[1]):
        ratio = np.full((drawn.shape[0], total.shape[1]), np.nan)
        weight = drawn @ n
        np.divide(drawn @ total, weight, out=ratio, where=weight > 0)
        made.append(ratio)
    replicates = np.concatenate(made)
    filled = (n > 0).sum(axis=0)
    return [
        _drawn_interval(replicates[:, column], int(filled[column]), method, clusters_are)
        for column in range(total.shape[1])
    ]


def _drawn_interval(
    replicates: FloatArray, filled: int, method: Sentence, clusters_are: Sentence
) -> Interval:
    if filled == 0:
        return Interval(None, None, method, NO_ROWS)
    if why := lacking(filled, LEAST_CLUSTERS, clusters_are):
        return Interval(None, None, method, why)
    interval = percentile_interval(replicates)
    if interval is None:
        # xgettext:no-python-format
        return Interval(None, None, method, say("undefined: over 10 % of the draws have no value"))
    if is_point(float(np.nanmin(replicates)), float(np.nanmax(replicates))):
        return Interval(None, None, method, _alike(clusters_are))
    return Interval(*interval, method, clusters=filled)


# The parts of the reports on systems, as JSON holds them.


class PairCountsJson(TypedDict):
    items: int
    n: int
    ties: int


class PairDifference(TypedDict):
    a_value: float | None
    b_value: float | None
    difference: float | None
    interval: IntervalJson


class PairTest(TypedDict):
    p_value: float | None
    p_holm: float | None
    p_max_t: float | None
    method: str
    reason: str | None


class McNemar(TypedDict):
    """Pass decisions on both systems; old reports lack what is not required.

    p_clustered   of the test that allows for decisions on one phrase being alike; p_value: of the
                  exact one, which does not, and whose false alarms at .05 are `level`
    better        "a" or "b": which of the two passes more often where they differ
    only_a, only_b, concordant   decisions that only one passes, and those that are the same
    """

    p_value: float | None
    p_clustered: NotRequired[float | None]
    level: NotRequired[float | None]
    better: NotRequired[str | None]
    only_a: int
    only_b: int
    concordant: NotRequired[int]
    n: int
    method: str
    method_clustered: NotRequired[str]
    reason: str | None
    reason_clustered: NotRequired[str | None]


class SystemPairRow(PairCountsJson, PairDifference, PairTest):
    """Two systems by one outcome."""

    outcome: str
    scale: str | None
    a: str
    b: str


class SystemPair(SystemPairRow):
    """`mcnemar` where the outcome is passing on all scales."""

    mcnemar: NotRequired[McNemar]


class Cluster(TypedDict):
    """The systems by one outcome, in groups between which everything is told apart, with letters
    (two share one exactly if no test tells them apart) and [lowest, highest] rank of each; old
    reports have the groups alone, by Holm."""

    outcome: str
    scale: str | None
    groups: list[list[str]]
    letters: NotRequired[dict[str, str]]
    groups_unadjusted: NotRequired[list[list[str]]]
    ranks: NotRequired[dict[str, list[int]]]
    without: list[str]


# A key that is a word of Python keeps these two from the other form. Results of a time when there
# was no mean, nor intervals, lack them.
Passing = TypedDict(
    "Passing",
    {
        "pass": float | None,
        "pass_n": NotRequired[int],
        "pass_interval": NotRequired[IntervalJson | None],
        "pass_bootstrap": NotRequired[IntervalJson | None],
    },
)


class ScaleShares(Passing):
    """One system on one scale."""

    n: int
    distribution: dict[str, float]
    mean: NotRequired[float | None]
    mean_bootstrap: NotRequired[IntervalJson | None]


class SystemShares(TypedDict):
    """One system."""

    n: int
    coverage: float | None
    scales: dict[str, ScaleShares]
    pass_all: float | None
    pass_all_n: NotRequired[int]
    pass_all_interval: NotRequired[IntervalJson | None]
    pass_all_bootstrap: NotRequired[IntervalJson | None]


class ComparedSystems(TypedDict):
    """The pairs and the groups; `pairs_reason` says why there are none."""

    pairs: list[SystemPair]
    pairs_reason: str | None
    clusters: list[Cluster]
    cluster_rule: str
    alpha: float


class GoldRule(TypedDict):
    """By which method gold was made, and why nothing passes where nothing can."""

    method: str
    made_by: str
    pass_reason: str | None


class ResultsReport(TypedDict):
    """What is not required is lacking where there is no rating, or in old reports."""

    thresholds: dict[str, float]
    systems: dict[str, SystemShares]
    unit: NotRequired[str]
    phrases: NotRequired[int]
    phrases_excluded: NotRequired[int]
    exclusion_rule: NotRequired[str]
    contexts: NotRequired[int]
    judgments: NotRequired[int]
    warning: NotRequired[str | None]
    pairs: NotRequired[list[SystemPair]]
    pairs_reason: NotRequired[str | None]
    clusters: NotRequired[list[Cluster]]
    cluster_rule: NotRequired[str]
    alpha: NotRequired[float]
    gold: NotRequired[GoldRule]
    looks: NotRequired[LooksJson]
