"""Catalogue of annotator statistics: names, column headings and explanations.

The table of all annotators, the page of each, the API and docs/annotators.md list them in this
order. `statistics` computes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, TypedDict, cast

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.intervals import LEAST_CLUSTERS, LEAST_DEFINED, effective_wilson
from scoring.stats.table import (
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Options,
    t_quantile,
    undefined,
)

Source = Literal["ratings", "repeats", "controls", "pace"]
Written = Literal["plain", "signed", "share", "tenth", "whole"]


@dataclass(frozen=True, kw_only=True)
class Number:
    """One annotator statistic.

    key      name in JSON and URLs
    short    column heading; label: name on pages; says: explanation
    source   input: the ratings of a scale, hidden repeats, controls, or times of sheets
    written  number format on pages
    column   whether it has a column in the table of all annotators
    nominal  whether it is meaningful on a nominal scale
    """

    key: str
    short: Sentence
    label: Sentence
    says: Sentence
    source: Source
    written: Written
    column: bool = False
    nominal: bool = False


CATALOGUE = (
    Number(
        key="severity",
        short=say("Severity"),
        label=say("Severity"),
        says=say(
            "Points above (+) or below (−) what the average annotator would give the same texts. "
            "Where more is better, minus is strict."
        ),
        source="ratings",
        written="signed",
        column=True,
    ),
    Number(
        key="spread",
        short=say("Spread"),
        label=say("Spread"),
        says=say(
            "How much of the scale is used, compared with the others on the same texts: 1 is as "
            "much, below 1 less, above 1 more."
        ),
        source="ratings",
        written="plain",
        column=True,
    ),
    Number(
        key="agreement",
        short=say("Equal"),
        label=say("Agreement, equal"),
        says=say("Share of the others who give the same text the same value."),
        source="ratings",
        written="share",
        nominal=True,
    ),
    Number(
        key="within_one",
        short=say("Within 1"),
        label=say("Agreement, within one point"),
        says=say(
            "Share of the others who are at most one point away (a step, or a tenth of a fine "
            "scale)."
        ),
        source="ratings",
        written="share",
        column=True,
    ),
    Number(
        key="correlation",
        short=say("r with rest"),
        label=say("Correlation with the rest"),
        says=say(
            "How closely values follow the mean of the others; severity and spread do not matter "
            "here."
        ),
        source="ratings",
        written="plain",
        column=True,
    ),
    Number(
        key="trend",
        short=say("Trend"),
        label=say("Trend over time"),
        says=say(
            "How the difference from the mean of the others changes per 100 judgments, in the "
            "order of judging. If the interval contains 0, no drift is detected."
        ),
        source="ratings",
        written="signed",
        column=True,
    ),
    Number(
        key="repeat_exact",
        short=say("Repeats equal"),
        label=say("Repeats, equal"),
        says=say("Share of hidden repeats that got the same value as the first time."),
        source="repeats",
        written="share",
        nominal=True,
    ),
    Number(
        key="repeat_within",
        short=say("Repeats"),
        label=say("Repeats, within one point"),
        says=say("Share of hidden repeats at most one point from the first value."),
        source="repeats",
        written="share",
        column=True,
    ),
    Number(
        key="repeat_correlation",
        short=say("Repeats r"),
        label=say("Repeats, correlation"),
        says=say("Of the first and the later values (test-retest)."),
        source="repeats",
        written="plain",
    ),
    Number(
        key="repeat_change",
        short=say("Repeats change"),
        label=say("Repeats, change"),
        says=say("Mean of later minus first value."),
        source="repeats",
        written="signed",
    ),
    Number(
        key="controls",
        short=say("Controls"),
        label=say("Controls"),
        says=say("Share of judgments of controls inside the band of right values."),
        source="controls",
        written="share",
        column=True,
        nominal=True,
    ),
    Number(
        key="equal_neighbours",
        short=say("Same again"),
        label=say("Same value again"),
        says=say(
            "How often the next judgment has the same value. Texts of one item can rightly be "
            "alike, so a high share is a reason to look, not proof."
        ),
        source="ratings",
        written="share",
        column=True,
        nominal=True,
    ),
    Number(
        key="longest_run",
        short=say("Longest run"),
        label=say("Longest run"),
        says=say("Judgments in a row with one value."),
        source="ratings",
        written="whole",
        nominal=True,
    ),
    Number(
        key="seconds",
        short=say("Seconds"),
        label=say("Seconds per judgment"),
        says=say(
            "Median over sheets, all scales together; by the server’s clock, or the times "
            "that an imported file gives."
        ),
        source="pace",
        written="tenth",
        column=True,
    ),
    Number(
        key="too_fast",
        short=say("Too fast"),
        label=say("Sheets too fast"),
        says=say("Share of sheets below the campaign’s seconds for each judgment."),
        source="pace",
        written="share",
    ),
)


def keys_of(source: Source) -> tuple[str, ...]:
    """Return the keys of the statistics computed from a source, in order."""
    return tuple(one.key for one in CATALOGUE if one.source == source)


# The parts of the report on annotators, as JSON holds them.


class StatisticJson(TypedDict):
    """A statistic of one annotator. What all of them share, the method, stands once beside."""

    value: float | None
    ci_low: NotRequired[float | None]
    ci_high: NotRequired[float | None]
    generalises_to: NotRequired[str | None]
    n: int
    options: Options
    reason: str | None
    # Of the trend: the line starts there; each dot is (place, difference, n).
    intercept: NotRequired[float | None]
    points: NotRequired[list[list[float]] | None]
    # By chance, and in the annotator's own values beside those of the others.
    expected: NotRequired[float | None]
    chance_low: NotRequired[float | None]
    chance_high: NotRequired[float | None]
    own_sd: NotRequired[float | None]
    others_sd: NotRequired[float | None]


class AnnotatorNumbers(TypedDict):
    """One annotator. The statistics stand beside `n_ratings`: `statistics_of` reads them."""

    n_ratings: int


class RatingProfile(TypedDict):
    """How many ratings an annotator gave at each level, and the others on the same texts."""

    given: list[int]
    others: list[int]


class RatingProfiles(TypedDict):
    """The profile of each annotator by code; of a fine scale, `levels` are the lower ends of bins
    of equal width."""

    levels: list[float]
    voices: dict[str, RatingProfile]


class AnnotatorsBlock(TypedDict):
    """All annotators on one scale, or at their pace; `methods` of the statistics by name."""

    reason: str | None
    methods: Mapping[str, str]
    voices: Mapping[str, AnnotatorNumbers]
    profiles: NotRequired[RatingProfiles]


class KnownAnnotator(TypedDict):
    code: str
    key: str
    origin: str


class AnnotatorsReport(TypedDict):
    scales: dict[str, AnnotatorsBlock]
    fast_seconds: NotRequired[float]
    pace: AnnotatorsBlock
    voices: list[KnownAnnotator]
    warning: NotRequired[str | None]


def statistics_of(numbers: AnnotatorNumbers) -> dict[str, StatisticJson]:
    """The statistics of one annotator by name."""
    return {
        name: cast(StatisticJson, part)
        for name, part in numbers.items()
        if isinstance(part, Mapping)
    }


# Cluster-robust standard errors and intervals of many groups at once.


TOO_FEW = say("%(n)s phrases (or items) are needed for an interval", n=LEAST_CLUSTERS)
FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows in groups (annotators), and in clusters (items) within each group.

    of      (R,) code of each row's group, from 0 to size - 1
    cell    (R,) code of each row's cluster within its group
    owner   (cells,) group of each of these clusters
    """

    of: IntArray
    size: int
    cell: IntArray
    owner: IntArray

    @classmethod
    def make(cls, group: IntArray, cluster: IntArray, size: int) -> Groups:
        """Build from (R,) codes of groups and of clusters."""
        width = int(cluster.max(initial=0)) + 1
        key, cell = np.unique(group * width + cluster, return_inverse=True)
        return cls(group, size, cell.astype(np.int64), (key // width).astype(np.int64))

    @property
    def n(self) -> IntArray:
        """(size,) number of rows per group."""
        return np.bincount(self.of, minlength=self.size).astype(np.int64)

    @property
    def clusters(self) -> IntArray:
        """(size,) number of clusters per group."""
        return np.bincount(self.owner, minlength=self.size).astype(np.int64)

    @property
    def critical(self) -> FloatArray:
        """(size,) critical t for a 95 % interval with clusters - 1 degrees of freedom; NaN for too
        few clusters."""
        enough = np.maximum(self.clusters, LEAST_CLUSTERS) - 1
        return np.where(self.clusters >= LEAST_CLUSTERS, t_quantile(0.975, enough), np.nan)

    def total(self, value: FloatArray) -> FloatArray:
        """Return the (size,) sum of (R,) values per group."""
        return np.asarray(np.bincount(self.of, value, minlength=self.size), dtype=np.float64)

    def mean(self, value: FloatArray) -> FloatArray:
        """Return the (size,) mean of (R,) values per group; NaN for an empty group."""
        return self.total(value) / np.where(self.n > 0, self.n, np.nan)

    def error(self, influence: FloatArray) -> FloatArray:
        """Return the (size,) cluster-robust standard error from (R,) influence values.

        Clusters are assumed independent, rows within a cluster are not; corrected by G / (G - 1)
        for G clusters. Source: linearisation (Binder 1983; Liang and Zeger 1986).
        """
        sums = np.bincount(self.cell, influence, minlength=self.owner.size)
        squares = np.bincount(self.owner, sums**2, minlength=self.size)
        count = np.where(self.clusters > 1, self.clusters, np.nan)
        return np.asarray(np.sqrt(squares * count / (count - 1)))

    def without(self, value: FloatArray) -> FloatArray:
        """Return the (cells,) sum of (R,) values of the group without each of its clusters."""
        cell = np.bincount(self.cell, value, minlength=self.owner.size)
        return np.asarray(self.total(value)[self.owner] - cell)

    def jackknife(self, replicates: FloatArray) -> FloatArray:
        """Return the (size,) standard error from the (cells,) statistic without each cluster.

        NaN where more than a tenth of a group's replicates are undefined.
        """
        some = ~np.isnan(replicates)
        owner, value = self.owner[some], replicates[some]
        count = np.bincount(owner, minlength=self.size).astype(float)
        count[(count < LEAST_DEFINED * self.clusters) | (count < 2)] = np.nan
        mean = np.bincount(owner, value, minlength=self.size) / count
        squares = np.bincount(owner, (value - mean[owner]) ** 2, minlength=self.size)
        return np.asarray(np.sqrt(squares * (count - 1) / count))


def share_interval(groups: Groups, share: FloatArray, hit: FloatArray) -> tuple[FloatArray, ...]:
    """Return Wilson's interval of each group's mean of (R,) `hit` in [0, 1], with clusters.

    n is the effective sample size: the number of independent trials with the same standard error
    (Korn and Graubard 1998), or the number of clusters if all values are 0 or all are 1.
    """
    error = groups.error((hit - share[groups.of]) / groups.n[groups.of])
    return effective_wilson(share, error, groups.clusters, groups.critical)


@dataclass(frozen=True, eq=False)
class Correlations:
    """Pearson's r per group with its interval; NaN if a column is constant."""

    r: FloatArray
    low: FloatArray
    high: FloatArray
    first_equal: BoolArray
    second_equal: BoolArray


def correlations(groups: Groups, first: FloatArray, second: FloatArray) -> Correlations:
    """Return Pearson's r of two (R,) columns per group, with an interval on Fisher's z scale.

    The standard error is the jackknife's that leaves out each cluster. There is no interval if |r|
    is 1, with all clusters or without one of them.
    """
    scaled, equal = [], []
    for values in (first, second):
        centred = values - groups.mean(values)[groups.of]
        spread = np.sqrt(groups.mean(centred**2))
        equal.append(~(spread > FLAT * max(1.0, float(np.abs(values).max(initial=0)))))
        scaled.append(centred / np.where(equal[-1], np.nan, spread)[groups.of])
    x, y = scaled
    r = np.clip(groups.mean(x * y), -1, 1)
    n, sum_x, sum_y = groups.without(np.ones_like(x)), groups.without(x), groups.without(y)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_x, of_y = groups.without(x**2) - sum_x**2 / n, groups.without(y**2) - sum_y**2 / n
        left = (groups.without(x * y) - sum_x * sum_y / n) / np.sqrt(
            np.where((of_x > FLAT * n) & (of_y > FLAT * n), of_x * of_y, np.nan)
        )
    error = groups.jackknife(fisher(left))
    z, half = fisher(r), groups.critical * error
    return Correlations(r, np.tanh(z - half), np.tanh(z + half), equal[0], equal[1])


def fisher(r: FloatArray) -> FloatArray:
    """Return Fisher's z; NaN where |r| is 1."""
    return np.arctanh(np.where(1 - r**2 > FLAT, r, np.nan))


# One statistic of all annotators, as arrays and as a list of Estimates.


@dataclass(frozen=True, eq=False)
class AnnotatorColumn:
    """A statistic of A annotators; NaN if undefined.

    value, low, high   (A,) value and interval; `no_interval` gives the reason for a missing one
    n                  (A,) sample size
    why                (A,) the reason why the value is undefined, or ""
    details            name -> (A,) values; NaN becomes None
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    n: IntArray
    why: Sequence[Sentence]
    method: Sentence
    generalises_to: Sentence
    no_interval: Sequence[Sentence]
    details: Mapping[str, Any] = field(default_factory=dict)

    def estimates(self) -> list[Estimate]:
        """Return one Estimate per annotator."""
        return [self._estimate(code) for code in range(self.value.size)]

    def _estimate(self, code: int) -> Estimate:
        details = {name: _plain(values[code]) for name, values in self.details.items()}
        n = int(self.n[code])
        if self.why[code]:
            none = dict.fromkeys(details)
            return undefined(self.why[code], n=n, method=self.method, details=none)
        low, high = float(self.low[code]), float(self.high[code])
        has_interval = bool(np.isfinite(low) and np.isfinite(high))
        return Estimate(
            float(self.value[code]),
            low if has_interval else None,
            high if has_interval else None,
            self.generalises_to if has_interval else None,
            n,
            self.method,
            {} if has_interval else {"no_interval": self.no_interval[code] or TOO_FEW},
            details=details,
        )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return value
    return float(value) if np.isfinite(value) else None


def reasons(size: int, *cases: tuple[BoolArray, Sentence]) -> list[Sentence]:
    """Return for each of `size` annotators the text of the first true case, or ""."""
    texts = [NOTHING] * size
    for holds, text in reversed(cases):
        for code in np.flatnonzero(holds):
            texts[code] = text
    return texts
