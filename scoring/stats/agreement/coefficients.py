"""Agreement coefficients of one scale: each takes a RatingTable and returns an Estimate.

Their formulas are in `scoring/stats/resampling.py`, from which replicates and intervals come; the
value of alpha is that of the package `krippendorff` where the table is small enough for it. What
is published recomputes them on its own (`scoring/publishing/reproduce.py`). A change of a formula
changes all of these.

All are valid if different annotators rated each unit (K of N). A coefficient that depends on the
categories of the scale takes `levels`, in ascending order, used or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict, cast

import krippendorff
import numpy as np
import scipy

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats import resampling
from scoring.stats.intervals import BLOCK_CELLS, LEAST_CLUSTERS
from scoring.stats.resampling import Draws, Patterns, ratio
from scoring.stats.table import (
    OUT_OF_RANGE,
    Estimate,
    EstimateJson,
    FloatArray,
    IntArray,
    RatingTable,
    chi2_above,
    default_levels,
    out_of_range,
    t_above,
    undefined,
)

Level = Literal["nominal", "ordinal", "interval"]
LEVELS = {"nominal": say("nominal"), "ordinal": say("ordinal"), "interval": say("interval")}

ANONYMOUS = say("undefined: annotators are anonymous")
NO_RATINGS = say("undefined: no ratings")
ONE_ANNOTATOR = say("undefined: needs two annotators")
NO_PAIRS = say("undefined: no unit has two ratings")
NO_VARIATION = say("undefined: no variation, all ratings are equal")
ONE_UNIT = say("undefined: only one unit has two ratings")

# The krippendorff package builds a (units, levels, levels) array; beyond this many cells (200 MB)
# the same coefficient is computed from sums.
PACKAGE_CELLS = 25_000_000


def no_pairs(table: RatingTable) -> Sentence:
    """Return why no ratings can be compared within a unit, or ""."""
    if table.n_ratings == 0:
        return NO_RATINGS
    if out_of_range(table.value):
        return OUT_OF_RANGE
    if not table.anonymous and table.used_annotators.size < 2:
        return ONE_ANNOTATOR
    return NOTHING if table.n_pairable else NO_PAIRS


def percent_agreement(table: RatingTable) -> Estimate:
    """Return the mean share of agreeing pairs over units with two or more ratings.

    Report it beside every chance-corrected coefficient. Equals Gwet's p_a (2014).
    """
    return _from_counts(
        table,
        None,
        resampling.percent_agreement,
        say("mean over units of the agreeing share of pairs"),
    )


def within_one(table: RatingTable) -> Estimate:
    """Return the mean share of pairs of ratings at most one point apart, as percent agreement."""
    return _from_counts(
        table,
        None,
        resampling.within_one,
        say("mean over units of the share of pairs at most one point apart"),
    )


def fleiss_kappa(table: RatingTable) -> Estimate:
    """Return Fleiss' kappa, in Gwet's generalisation if units have unequal numbers of ratings.

    Undefined without variation. References: Fleiss 1971; Gwet 2014.
    """
    sizes = table.ratings_per_unit[table.rated_units]
    constant = sizes.size > 0 and (sizes == sizes[0]).all()
    method = (
        say("classical (Fleiss 1971)")
        if constant
        else say("Gwet's generalisation to unequal numbers of ratings (2014)")
    )
    return _from_counts(table, None, resampling.fleiss_kappa, method, constant_undefined=True)


def gwet_ac1(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Gwet's AC1 (nominal) over all levels of the scale, used or not (Gwet 2008)."""
    return _gwet(table, levels, resampling.gwet_ac1, say("AC1 (Gwet 2008)"))


def gwet_ac2(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Gwet's AC2 with quadratic weights over all levels of the scale (Gwet 2014)."""
    return _gwet(table, levels, resampling.gwet_ac2, say("AC2, quadratic weights (Gwet 2014)"))


def brennan_prediger(table: RatingTable, levels: FloatArray | None = None) -> Estimate:
    """Return Brennan and Prediger's kappa (1981), nominal, with chance agreement 1 / levels."""
    return _gwet(table, levels, resampling.brennan_prediger, say("Brennan and Prediger 1981"))


def _gwet(
    table: RatingTable, levels: FloatArray | None, statistic: resampling.Statistic, method: Sentence
) -> Estimate:
    scale = default_levels(table.value) if levels is None else levels
    method = say("%(method)s, %(n)s levels", method=method, n=scale.size)
    if table.n_ratings and scale.size < 2:
        return undefined(say("undefined: the scale has a single level"), method=method)
    return _from_counts(table, scale, statistic, method)


def _from_counts(
    table: RatingTable,
    levels: FloatArray | None,
    statistic: resampling.Statistic,
    method: Sentence,
    constant_undefined: bool = False,
) -> Estimate:
    reason = no_pairs(table)
    if not reason and constant_undefined and np.ptp(table.value) == 0:
        reason = NO_VARIATION
    if reason:
        return undefined(reason, n=table.n_pairable, method=method)
    patterns = Patterns.of(table, np.unique(table.value) if levels is None else levels)
    value = statistic(patterns, patterns.weight[None, :])[0]
    return Estimate(float(value), n=table.n_pairable, method=method)


def alpha(table: RatingTable, level: Level) -> Estimate:
    """Return Krippendorff's alpha; units with one rating are not pairable and are excluded.

    Undefined without variation among pairable ratings (other software returns 1, raises or divides
    by zero) and for a single pairable unit, where alpha is always 0.
    Reference: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
    """
    method = say("Krippendorff 2011, %(level)s difference", level=LEVELS[level])
    pairable = table.ratings_per_unit[table.unit] >= 2
    reason = no_pairs(table)
    if not reason and table.n_pairable == 1:
        reason = ONE_UNIT
    if not reason and np.ptp(table.value[pairable]) == 0:
        reason = NO_VARIATION
    if reason:
        return undefined(reason, n=table.n_pairable, method=method)
    return Estimate(_alpha_value(table, level), n=table.n_pairable, method=method)


def _alpha_value(table: RatingTable, level: Level) -> float:
    seen = np.unique(table.value)
    if table.rated_units.size * seen.size**2 > PACKAGE_CELLS:
        patterns = Patterns.of(table, seen)
        statistic = {
            "nominal": resampling.alpha_nominal,
            "ordinal": resampling.alpha_ordinal,
            "interval": resampling.alpha_interval,
        }[level]
        return float(statistic(patterns, patterns.weight[None, :])[0])
    value_counts = table.counts(seen)[table.rated_units]
    return float(
        krippendorff.alpha(value_counts=value_counts, value_domain=seen, level_of_measurement=level)
    )


def alpha_nominal(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for unordered values: all disagreements count equally."""
    return alpha(table, "nominal")


def alpha_ordinal(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for ordered values."""
    return alpha(table, "ordinal")


def alpha_interval(table: RatingTable) -> Estimate:
    """Return Krippendorff's alpha for values with meaningful differences."""
    return alpha(table, "interval")


# Kendall's coefficient of concordance (W) over units rated by every annotator.


METHOD = say("tie-corrected, units rated by every annotator")
BOOTSTRAP_COST = 500_000_000  # Ratings of distinct units times replicates.


def kendall_w(table: RatingTable) -> Estimate:
    """Return Kendall's W, corrected for ties, over units rated by every annotator.

    Undefined for anonymous annotators, for fewer than two annotators or complete units, and if each
    annotator gave a single value. `details` has Friedman's chi2 = k (n - 1) W, its degrees of
    freedom and p-value. Reference: Kendall and Gibbons 1990.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    if reason:
        return undefined(reason, method=METHOD)
    raters = table.used_annotators.size
    complete = complete_units(table)
    n = complete.size
    if n < 2:
        reason = say(
            "undefined: %(n)s of the units were rated by all %(raters)s annotators, needs 2",
            n=n,
            raters=raters,
        )
        return undefined(reason, n=n, method=METHOD)
    cells, of_unit = _rows(table, complete)
    weight = np.bincount(of_unit, minlength=cells.shape[0]).astype(np.float64)
    value = _concordance(cells, weight[None, :], raters)[0]
    if np.isnan(value):
        return undefined(say("undefined: every annotator gave one value only"), n=n, method=METHOD)
    chi2 = float(raters * (n - 1) * value)
    test = {"chi2": chi2, "df": n - 1, "p_value": float(chi2_above(chi2, n - 1))}
    return Estimate(float(value), n=n, method=METHOD, details=test)


def complete_units(table: RatingTable) -> IntArray:
    """Return the positions, among the rated units, of those rated by every annotator."""
    sizes = table.ratings_per_unit[table.rated_units]
    return np.flatnonzero(sizes == table.used_annotators.size).astype(np.int64)


def kendall_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, FloatArray]:
    """Return the draws and (B,) replicates of `kendall_w`: bootstrap, or grouped jackknife for
    very large tables. The complete units and the annotators are those of the full sample.
    """
    complete = complete_units(table)
    cells, of_unit = _rows(table, complete)
    if cells.shape[0] * table.used_annotators.size * draws.plan.replicates > BOOTSTRAP_COST:
        draws = draws.without_groups()
    owner = scipy.sparse.csr_array(
        (np.ones(complete.size), (complete, of_unit)),
        shape=(table.rated_units.size, cells.shape[0]),
    )
    blocks = [
        _concordance(cells, weights, table.used_annotators.size) for weights in draws.sums(owner)
    ]
    return draws, np.concatenate(blocks)


def _rows(table: RatingTable, complete: IntArray) -> tuple[scipy.sparse.csr_array, IntArray]:
    """Return the distinct rows of ratings, one-hot encoded (rows, annotators x levels), and the
    row of each complete unit."""
    raters, levels = table.used_annotators.size, np.unique(table.value)
    rated = table.rated_units[complete]
    chosen = np.isin(table.by_unit[0], rated)
    codes = np.searchsorted(levels, table.by_unit[2][chosen]).reshape(rated.size, raters)
    distinct, of_unit = np.unique(codes, axis=0, return_inverse=True)
    column = distinct + levels.size * np.arange(raters)
    row = np.repeat(np.arange(distinct.shape[0]), raters)
    cells = scipy.sparse.csr_array(
        (np.ones(row.size), (row, column.ravel())),
        shape=(distinct.shape[0], raters * levels.size),
    )
    return cells, of_unit.ravel()


def _concordance(cells: scipy.sparse.csr_array, weights: FloatArray, raters: int) -> FloatArray:
    """Return (B,) W for distinct rows of ratings with (B, rows) weights, the row frequencies.

    An annotator's mid-rank of a level is the count below it plus half of the count at it.
    """
    step = max(1, BLOCK_CELLS // max(weights.shape[1], 1))
    if weights.shape[0] > step:
        parts = [weights[i : i + step] for i in range(0, weights.shape[0], step)]
        return np.concatenate([_concordance(cells, part, raters) for part in parts])
    n = weights.sum(axis=1)
    given = np.asarray((cells.T @ weights.T).T).reshape(len(weights), raters, -1)
    rank = np.cumsum(given, axis=2) - given / 2 - n[:, None, None] / 2
    totals = cells @ rank.reshape(len(weights), -1).T
    spread = (weights.T * totals**2).sum(axis=0)
    most = np.where(n > 1, raters * (n**3 - n), np.nan)
    untied = 1 - (given**3 - given).sum(axis=(1, 2)) / most
    return ratio(12 * spread / raters / most, np.where(np.isnan(untied), 0, untied))


# Whether texts on which annotators disagree have more ratings than others.
#
# Where a further rating is asked for because two differ, the number of ratings depends on them, and
# coefficients of agreement are biased: of a text on which two disagree and a third sides with one,
# a third of the pairs agrees, not none. If numbers are planned, or lost by chance, the expected
# disagreement of a pair of ratings is the same however many a text has.


ALPHA = 0.01


class ExtraRatings(TypedDict):
    """Disagreement of texts with few and with many ratings.

    notice         whether texts with more ratings disagree more, with p_value < 0.01
    p_value        one-sided; t of the covariance over texts, by cluster
    fewer, more    mean over texts of the share of pairs of ratings that differ, of texts with at
                   most, and with more than, the mean number of ratings
    n_fewer, n_more   how many texts these are
    """

    notice: bool
    p_value: float
    fewer: float
    more: float
    n_fewer: int
    n_more: int


def extra_ratings(table: RatingTable, clusters: IntArray | None = None) -> ExtraRatings | None:
    """Compare texts with at least two ratings; `clusters` (n_units,) as for intervals.

    None where all have the same number of ratings, or below five clusters.
    """
    unit, size = np.flatnonzero(table.ratings_per_unit >= 2), table.ratings_per_unit
    if not unit.size or np.ptp(size[unit]) == 0 or out_of_range(table.value):
        return None
    codes = np.unique(unit if clusters is None else clusters[unit], return_inverse=True)[1]
    if codes.max() + 1 < LEAST_CLUSTERS:
        return None
    n, apart = size[unit].astype(np.float64), _apart(table)[unit]
    share = (n - n.mean()) * (apart - apart.mean())
    sums = np.bincount(codes, share)
    spread = float(np.sqrt((sums**2).sum()))
    p_value = 1.0
    if spread > 1e-12:
        p_value = float(t_above(sums.sum() / spread, sums.size - 1))
    many = n > n.mean()
    return {
        "notice": p_value < ALPHA,
        "p_value": p_value,
        "fewer": float(apart[~many].mean()),
        "more": float(apart[many].mean()),
        "n_fewer": int((~many).sum()),
        "n_more": int(many.sum()),
    }


def _apart(table: RatingTable) -> FloatArray:
    """Return the (U,) share of pairs of ratings that differ."""
    levels, code = np.unique(table.value, return_inverse=True)
    cell = table.unit * levels.size + code.ravel()
    cells, times = np.unique(cell, return_counts=True)
    same = np.bincount(cells // levels.size, times * (times - 1.0), minlength=table.n_units)
    pairs = table.ratings_per_unit * (table.ratings_per_unit - 1.0)
    return np.asarray(1 - same / np.maximum(pairs, 1))


# The parts of the reports on agreement, as JSON holds them.


class GoldInterval(TypedDict):
    """See `report.gold_interval`."""

    ci_low: float
    ci_high: float
    generalises_to: str
    new_annotators: bool


class AnswerJson(TypedDict):
    """See `influence.answer`; old reports lack what is not required."""

    verdict: str
    agreed: NotRequired[float | None]
    gold: NotRequired[GoldInterval | None]
    fit: NotRequired[Literal["names", "two values", "ordered"]]
    coefficient: str
    icc: str
    why: str
    bands: list[str] | None
    few: int | None


class Disputed(TypedDict):
    """A unit whose ratings differ; a report of a campaign names its words in place of the unit."""

    unit: NotRequired[int]
    n: int
    spread: float
    values: list[float]
    text: NotRequired[str]
    phrase: NotRequired[str]
    item: NotRequired[str]
    language: NotRequired[str]


class CoursePart(TypedDict):
    """See `influence.course`; `start` and `end` in seconds."""

    start: float
    end: float
    n: int
    alpha: EstimateJson


class Confusion(TypedDict):
    """How often `a` gave the value of the row where `b` gave that of the column."""

    a: str
    b: str
    cells: list[list[int]]


class Confusions(TypedDict):
    levels: list[str]
    pairs: list[Confusion]


class Sizes(TypedDict):
    n_units: int
    n_annotators: int | None
    n_ratings: int


class Block(Sizes):
    """What scales and passes share. The coefficients stand beside, each under its own name:
    `estimates_of` reads them. Old reports lack what is not required.

    leads, unfit  the coefficients that lead, in order, and those that do not fit the values
    specific      agreement on each value, where these are names or two
    """

    leads: NotRequired[list[str]]
    unfit: NotRequired[list[str]]
    specific: NotRequired[dict[str, EstimateJson]]
    groups: int
    left_out: dict[str, int]


class ScaleBlock(Block):
    """One scale. What is not required is only in reports of a campaign, or was not in old
    reports."""

    answer: NotRequired[AnswerJson]
    extra_ratings: NotRequired[ExtraRatings | None]
    distribution: NotRequired[dict[str, int]]
    disputed: NotRequired[list[Disputed]]
    confusions: NotRequired[Confusions | None]
    course: NotRequired[list[CoursePart]]
    influence: NotRequired[Influence]
    chance: NotRequired[Chance]


class PassBlock(Block):
    """Who passes."""

    thresholds: dict[str, float]
    share: float | None


class AnnotatorOrigin(TypedDict):
    code: str
    origin: str


class AgreementReport(TypedDict):
    scales: dict[str, ScaleBlock]
    passes: NotRequired[dict[str, PassBlock]]
    warning: NotRequired[str | None]
    drawn: NotRequired[str]
    cannot_judge: NotRequired[dict[str, int]]
    voices: NotRequired[list[AnnotatorOrigin]]


class LeftOut(TypedDict):
    """The coefficients without one annotator, and what the annotator changes."""

    annotator: str
    n: int
    values: dict[str, float | None]
    change: dict[str, float | None]


class NewAnnotators(TypedDict):
    """A coefficient with its interval for new annotators."""

    value: float | None
    ci_low: float | None
    ci_high: float | None
    generalises_to: str | None
    interval: NotRequired[str]
    clusters: NotRequired[int]


class Influence(TypedDict):
    """See `influence.influence`; no `values` where there is a reason."""

    reason: str
    names: list[str]
    values: NotRequired[dict[str, float | None]]
    annotators: list[LeftOut]
    new_annotators: dict[str, NewAnnotators]


class ChanceTest(TypedDict):
    value: float
    p_value: float
    chance: float


class Chance(TypedDict):
    """See `influence.chance`."""

    reason: str
    method: str
    permutations: int
    tests: dict[str, ChanceTest]


class InfluenceBlock(TypedDict):
    influence: Influence
    chance: Chance


class InfluenceReport(TypedDict):
    drawn: NotRequired[str]
    scales: dict[str, InfluenceBlock]


def estimates_of(block: Block) -> dict[str, EstimateJson]:
    """The coefficients of a block by name."""
    return {
        name: cast(EstimateJson, part)
        for name, part in block.items()
        if isinstance(part, Mapping) and "value" in part
    }
