"""Influence of single annotators on agreement, intervals for new annotators, and chance tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from paraanno.common.texts import say
from scoring.stats.agreement.catalogue import Fit, coefficients, fit_of
from scoring.stats.agreement.coefficients import (
    ANONYMOUS,
    NO_VARIATION,
    AnswerJson,
    Chance,
    CoursePart,
    Disputed,
    GoldInterval,
    Influence,
    LeftOut,
    NewAnnotators,
    no_pairs,
)
from scoring.stats.agreement.families import OfCounts, ScaleData, replicates
from scoring.stats.agreement.icc import ratings_per_unit, stepped
from scoring.stats.intervals import LEAST_AGREEMENT, LEAST_DEFINED, NO_WIDTH, Bootstrap
from scoring.stats.resampling import Draws
from scoring.stats.table import (
    BoolArray,
    Estimate,
    EstimateJson,
    FloatArray,
    IntArray,
    RatingTable,
    default_levels,
    out_of_range,
    t_quantile,
)

# The verdict of each scale, as a code: are the judgments reliable, by intervals, not by values?
#
# Its sentences are in `verdicts.py`.


Level = Literal["nominal", "ordinal", "numeric"]
ALPHA = {"nominal": "alpha_nominal", "ordinal": "alpha_ordinal", "numeric": "alpha_interval"}
RELIABLE, TENTATIVE = 0.800, 0.667  # Conventional thresholds: Krippendorff 2018, chapter 12.
BANDS = (0.5, 0.75, 0.9)  # Koo and Li 2016: poor, moderate, good, excellent
BAND_NAMES = ("poor", "moderate", "good", "excellent")
# Of the exact 95 % interval of a share, if all of n agree: Clopper and Pearson 1934.
CHANCE = 0.025


def answer(
    estimates: Mapping[str, Estimate],
    level: Level,
    groups: int,
    gold: GoldInterval | None = None,
    fit: Fit = "ordered",
) -> AnswerJson:
    """Return the parts of the summary sentence of a scale.

    verdict      by the interval of alpha: "yes" (lower limit at least .800), "tentative" (lower
                 limit at least .667), "no" (upper limit below .667), "unsure" (contains .667);
                 without an interval "all agree" (on every text), "no width" (all texts alike),
                 "no interval" or "undefined"
    agreed       if all agree: the least share of new clusters (or texts) of which that is true
    fit          what the scale's values are to its statistics (`fit_of`)
    coefficient  the form of alpha for the scale's level; the nominal one on two values, where all
                 forms are equal
    icc, why     the intraclass correlation suited to the design, and why (`icc_form`)
    gold         the interval of the reliability of gold, and what it speaks about
    bands        labels of Koo and Li 2016 for its limits, or None
    few          number of units or clusters if too few for a verdict, else None
    """
    coefficient = ALPHA["nominal" if fit == "two values" else level]
    alpha = estimates[coefficient]
    icc, why = icc_form(estimates)
    verdict, reliability = (
        _verdict(alpha),
        gold if fit == "ordered" and level != "nominal" else None,
    )
    return {
        "verdict": verdict,
        "agreed": CHANCE ** (1 / groups) if verdict == "all agree" else None,
        "fit": fit,
        "coefficient": coefficient,
        "icc": icc,
        "why": why,
        "gold": reliability,
        "bands": reliability and [band(reliability["ci_low"]), band(reliability["ci_high"])],
        "few": groups if groups < LEAST_AGREEMENT else None,
    }


def _verdict(alpha: Estimate) -> str:
    if alpha.value is None:
        return "undefined"
    if alpha.ci_low is None or alpha.ci_high is None:
        if alpha.value > 1 - 1e-12:
            return "all agree"
        return "no width" if alpha.options.get("no_interval") == NO_WIDTH else "no interval"
    if alpha.ci_low >= RELIABLE:
        return "yes"
    if alpha.ci_low >= TENTATIVE:
        return "tentative"
    return "no" if alpha.ci_high < TENTATIVE else "unsure"


def band(value: float) -> str:
    """Return the label of Koo and Li 2016 for an intraclass correlation."""
    return BAND_NAMES[int(np.searchsorted(BANDS, value, side="right"))]


def cannot_grade(ends: Sequence[str]) -> bool:
    """Return whether an interval with these bands at its ends reaches over more than two."""
    low, high = map(BAND_NAMES.index, ends)
    return high - low > 1


def is_graded(estimate: EstimateJson) -> bool:
    """Return whether its interval for these annotators reaches over two bands at most."""
    return any(
        not cannot_grade([band(one["ci_low"]), band(one["ci_high"])])
        for one in estimate.get("also") or ()
        if "annotators" not in str(one["generalises_to"])
    )


def icc_form(estimates: Mapping[str, Estimate]) -> tuple[str, str]:
    """Return the ICC form suited to the design (Koo and Li 2016), and a code for the reason.

    Gold is the mean of a text's ratings, and annotators are a sample of possible annotators:
    absolute agreement of the mean, ICC(2,k). If annotators are anonymous, or their effects are
    confounded with units, only the one-way form remains, ICC(1,k).
    """
    if estimates["icc_2_k"].value is not None or estimates["icc_1_k"].value is None:
        return "icc_2_k", "crossed"
    return "icc_1_k", "anonymous" if "anonymous" in estimates["icc_2_k"].reason else "not crossed"


def disputed(table: RatingTable, level: Level, most: int = 10) -> list[Disputed]:
    """Return the units with the most disagreement: {unit, n, spread, values}, largest first.

    spread is the standard deviation of the ratings; on a nominal scale the share of differing
    pairs. Units with one rating or with full agreement are omitted.
    """
    if out_of_range(table.value):
        return []
    unit, _, value = table.by_unit
    sizes = table.ratings_per_unit
    if level == "nominal":
        levels = np.unique(table.value)
        counts = table.counts(levels)
        spread = 1 - ((counts * (counts - 1)).sum(axis=1)) / np.maximum(sizes * (sizes - 1), 1)
    else:
        spread = _deviation(unit, value, sizes)
    spread = np.where(sizes >= 2, spread, 0.0)
    chosen = np.argsort(-spread, kind="stable")[:most]
    return [
        {
            "unit": int(code),
            "n": int(sizes[code]),
            "spread": float(spread[code]),
            "values": sorted(value[unit == code].tolist()),
        }
        for code in chosen.tolist()
        if spread[code] > 0
    ]


def _deviation(unit: IntArray, value: FloatArray, sizes: IntArray) -> FloatArray:
    mean = np.bincount(unit, value, minlength=sizes.size) / np.maximum(sizes, 1)
    square = np.bincount(unit, (value - mean[unit]) ** 2, minlength=sizes.size)
    return np.sqrt(square / np.maximum(sizes - 1, 1))


def left_out(table: RatingTable) -> dict[str, int]:
    """Count the rated units that some statistics cannot use."""
    sizes = table.ratings_per_unit[table.rated_units]
    return {
        "one_rating": int((sizes == 1).sum()),
        "incomplete": int((sizes < table.used_annotators.size).sum()),
        "fewest": int(sizes.min()) if sizes.size else 0,
        "most": int(sizes.max(initial=0)),
    }


LEAST_ANNOTATORS = 3
OWN_SHUFFLED = say("permutation test, each annotator's ratings shuffled over the units they rated")
ALL_SHUFFLED = say("permutation test, all ratings shuffled over the units rated")
NEW_ANNOTATORS = say(
    "95 %, jackknife over clusters plus jackknife over annotators (Gwet 2014, chapter 5), Fisher's "
    "z, t with Satterthwaite's degrees of freedom"
)
LOWEST = {"percent_agreement": 0.0}  # Where a coefficient ends; others end at -1.
MOST_PERMUTED = 200_000_000  # Ratings times permutations: a few minutes.
FEWEST_PERMUTATIONS = 99


def shown(level: Level) -> tuple[str, ...]:
    """Return the coefficients that suit the scale's level of measurement."""
    if level == "nominal":
        return "percent_agreement", "alpha_nominal", "gwet_ac1"
    return "percent_agreement", ALPHA[level], "gwet_ac2", "icc_2_1", "icc_2_k"


def _of_two(level: Level, levels: FloatArray) -> Level:
    """Return the level of measurement; two values count as nominal."""
    return "nominal" if fit_of(level, levels.size) == "two values" else level


def values_of(table: RatingTable, levels: FloatArray, names: tuple[str, ...]) -> dict[str, float]:
    """Return the values of the coefficients, NaN for an undefined one."""
    values = dict.fromkeys(names, np.nan)
    if no_pairs(table):
        return values
    data, varied = ScaleData(table, levels), np.ptp(table.value) > 0
    for name in names:
        how = coefficients()[name].how
        if varied or name == "percent_agreement":
            values[name] = how.value(data)
    return values


def influence(
    table: RatingTable,
    level: Level,
    levels: FloatArray | None = None,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> Influence:
    """Return {reason, names, values, annotators: [{annotator, n, values, change}], new_annotators}.

    Each annotator is left out in turn, with all their ratings. `change` is the full value minus the
    value without the annotator (None if the latter is undefined). Rows are sorted by the absolute
    change of the scale's alpha, largest first. If the plan asks for replicates, `new_annotators`
    gives {value, ci_low, ci_high, generalises_to, interval} for new annotators and units (see
    `new_annotator_interval`). Undefined for anonymous annotators and for fewer than three.
    """
    scale = default_levels(table.value) if levels is None else levels
    level = _of_two(level, scale)
    names = shown(level)
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    if not reason and table.used_annotators.size < LEAST_ANNOTATORS:
        reason = say("undefined: needs %(n)s annotators, so that two are left", n=LEAST_ANNOTATORS)
    if reason:
        return {"reason": reason, "names": list(names), "annotators": [], "new_annotators": {}}
    full = values_of(table, scale, names)
    left_out = {
        int(code): values_of(without(table, int(code)), scale, names)
        for code in table.used_annotators
    }
    rows: list[LeftOut] = [
        {
            "annotator": table.annotator_label(code),
            "n": int((table.annotator == code).sum()),
            "values": {name: _plain(values[name]) for name in names},
            "change": {name: _plain(full[name] - values[name]) for name in names},
        }
        for code, values in left_out.items()
    ]
    rows.sort(key=lambda row: -abs(row["change"][ALPHA[level]] or 0.0))
    answer: Influence = {
        "reason": "",
        "names": list(names),
        "values": {name: _plain(value) for name, value in full.items()},
        "annotators": rows,
        "new_annotators": {},
    }
    if plan is not None:
        spread = unit_variances(table, scale, names, Draws.of(table, plan, clusters))
        jackknife = {
            name: np.array([values[name] for values in left_out.values()]) for name in names
        }
        answer["new_annotators"] = {
            name: new_annotator_interval(
                full[name],
                jackknife[name],
                spread.get(name),
                plan,
                clusters is not None,
                LOWEST.get(name, -1.0),
            )
            for name in names
        }
        _step_up(answer["new_annotators"], table)
    return answer


def _step_up(intervals: dict[str, NewAnnotators], table: RatingTable) -> None:
    """Give ICC(2,k) the interval of ICC(2,1), stepped up, as `agreement_statistics` does."""
    single, mean = intervals.get("icc_2_1"), intervals.get("icc_2_k")
    if single is None or mean is None or mean["value"] is None:
        return
    low, high = single["ci_low"], single["ci_high"]
    if low is None or high is None:
        return
    k, value = ratings_per_unit(table), mean["value"]
    ends = [min(max(stepped(end, k), -1.0), 1.0) for end in (low, high)]
    mean["ci_low"], mean["ci_high"] = min(ends[0], value), max(ends[1], value)


def without(table: RatingTable, annotator: int) -> RatingTable:
    """Return the table without one annotator; units rated by them alone become unrated."""
    others = table.annotator != annotator
    return replace(
        table, unit=table.unit[others], annotator=table.annotator[others], value=table.value[others]
    )


def unit_variances(
    table: RatingTable, levels: FloatArray, names: tuple[str, ...], draws: Draws
) -> dict[str, tuple[float, int]]:
    """Return {name: (variance over units or clusters, annotators fixed; their number)}.

    A name is missing if there are too few of them, or over a tenth of replicates is undefined.
    """
    data = ScaleData(table, levels)
    if draws.contributing(data.pairable).sum() < LEAST_AGREEMENT:
        return {}
    members = {
        name: coefficients()[name].how
        for name, value in values_of(table, levels, names).items()
        if not np.isnan(value)
    }
    variances = {
        name: variance_of(_of_k(values, name, made_by, table), made_by, data.pairable)
        for made_by, replicated in replicates(members, data, draws)
        for name, values in replicated.items()
    }
    return {name: one for name, one in variances.items() if one is not None}


def _of_k(values: FloatArray, name: str, draws: Draws, table: RatingTable) -> FloatArray:
    """Return replicates of an ICC of k ratings: the jackknife has those of a single one."""
    if not (draws.jackknife and name.startswith("icc_") and name.endswith("_k")):
        return values
    k = ratings_per_unit(table)
    return np.array([stepped(value, k) for value in values.tolist()])


def variance_of(values: FloatArray, draws: Draws, used: BoolArray) -> tuple[float, int] | None:
    """Return the variance of replicates over clusters, and the number of these (at most 100);
    None below eight with a unit that is `used`, or if over a tenth of replicates is undefined."""
    defined = values[np.isfinite(values)]
    if (
        draws.contributing(used).sum() < LEAST_AGREEMENT
        or defined.size < LEAST_DEFINED * values.size
    ):
        return None
    factor = (defined.size - 1) if draws.jackknife else 1.0
    return float(defined.var()) * factor, draws.groups


def new_annotator_interval(
    value: float,
    left_out: FloatArray,
    spread: tuple[float, int] | None,
    plan: Bootstrap,
    clustered: bool,
    lowest: float = -1.0,
) -> NewAnnotators:
    """Return the 95 % interval of a coefficient for new units rated by new annotators; it ends
    where the coefficient does, from `lowest` to 1.

    left_out (A,): the coefficient without each annotator; spread: see `unit_variances`. The two
    variances are added (Gwet 2014, chapter 5); the jackknife variance has A - 1 degrees of
    freedom. The interval is symmetric in Fisher's z, to which the error is carried over by the
    derivative; untransformed, that of AC2 covers .89 with five annotators. Bootstrapping annotators
    is no substitute: see docs/statistics.md.
    """
    if np.isnan(value) or np.isnan(left_out).any() or spread is None:
        return {"value": _plain(value), "ci_low": None, "ci_high": None, "generalises_to": None}
    a = left_out.size
    between = float((a - 1) / a * ((left_out - left_out.mean()) ** 2).sum())
    total = between + spread[0]
    free = a - 1.0
    if total > 0:
        free = total**2 / (between**2 / (a - 1) + spread[0] ** 2 / (spread[1] - 1))
    reach = float(t_quantile(0.975, free)) * total**0.5
    low, high = value - reach, value + reach
    if abs(value) < 1 - 1e-12:
        low, high = np.tanh(np.arctanh(value) + np.array([-1, 1]) * reach / (1 - value**2)).tolist()
    return {
        "value": value,
        "ci_low": min(value, max(lowest, low)),
        "ci_high": max(value, min(1.0, high)),
        "generalises_to": say("new %(units)s, new annotators", units=plan.named(clustered)),
        "interval": NEW_ANNOTATORS,
        "clusters": spread[1],
    }


def chance(
    table: RatingTable,
    level: Level,
    levels: FloatArray | None = None,
    *,
    permutations: int = 999,
    seed: int = 0,
) -> Chance:
    """Test whether agreement exceeds chance, by permutation.

    Returns {reason, method, permutations, tests: {name: {value, p_value, chance}}}. A permutation
    shuffles each annotator's ratings over the units they rated, so the design and the marginals of
    each annotator stay fixed; ratings of anonymous annotators are shuffled together. The p-value
    counts the data as one of the permutations (Phipson and Smyth 2010); `chance` is the mean over
    permutations. Very large tables get fewer permutations, down to 99.
    """
    scale = default_levels(table.value) if levels is None else levels
    level = _of_two(level, scale)
    names = tuple(name for name in shown(level) if isinstance(coefficients()[name].how, OfCounts))
    reason = no_pairs(table)
    if not reason and np.ptp(table.value) == 0:
        reason = NO_VARIATION
    answer: Chance = {
        "reason": reason,
        "method": ALL_SHUFFLED if table.anonymous else OWN_SHUFFLED,
        "permutations": 0,
        "tests": {},
    }
    if reason:
        return answer
    times = max(FEWEST_PERMUTATIONS, min(permutations, MOST_PERMUTED // table.n_ratings))
    full = values_of(table, scale, names)
    rng = np.random.default_rng(seed)
    drawn = [values_of(shuffled(table, rng), scale, names) for _ in range(times)]
    tests: Mapping[str, FloatArray] = {
        name: np.array([one[name] for one in drawn]) for name in names
    }
    answer["permutations"] = times
    answer["tests"] = {
        name: {
            "value": full[name],
            "p_value": float((1 + (values >= full[name] - 1e-12).sum()) / (1 + times)),
            "chance": float(np.nanmean(values)),
        }
        for name, values in tests.items()
    }
    return answer


def shuffled(table: RatingTable, rng: np.random.Generator) -> RatingTable:
    """Return the table with ratings shuffled within annotators (all together if anonymous)."""
    group = np.zeros_like(table.annotator) if table.anonymous else table.annotator
    place = np.argsort(group, kind="stable")
    value = np.empty_like(table.value)
    value[place] = table.value[np.lexsort((rng.random(group.size), group))]
    return replace(table, value=value)


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# Agreement over time, to detect practice effects and fatigue.


MOST_PARTS = 8
LEAST_UNITS = 20  # Per part; alpha of fewer units is too imprecise.


def course(
    table: RatingTable,
    when: FloatArray,
    kind: Level,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap = Bootstrap(),
) -> list[CoursePart]:
    """Return [{start, end, n, alpha: {value, ci_low, ci_high, reason, ...}}], oldest first.

    when    (n_units,) time of judgment of each unit, in any unit; NaN if unknown
    kind    level of measurement, which selects the form of Krippendorff's alpha

    Units with two or more ratings are sorted by time and divided into up to eight parts of equal
    size. Units with equal times stay together, so that an import is one part. Empty if there are
    not at least two parts of 20 units.
    """
    usable = np.flatnonzero((table.ratings_per_unit >= 2) & np.isfinite(when))
    usable = usable[np.argsort(when[usable], kind="stable")]
    many = min(MOST_PARTS, usable.size // LEAST_UNITS)
    if many < 2:
        return []
    ends = [int(usable.size * part / many) for part in range(1, many)]
    # Move each cut to the next later time, so that equal times stay together.
    ends = [int(np.searchsorted(when[usable], when[usable[end - 1]], "right")) for end in ends]
    parts = [part for part in np.split(usable, sorted(set(ends))) if part.size >= LEAST_UNITS]
    if len(parts) < 2:
        return []
    return [
        {
            "start": float(when[part[0]]),
            "end": float(when[part[-1]]),
            "n": int(part.size),
            "alpha": _alpha(table, part, kind, clusters, plan),
        }
        for part in parts
    ]


def _alpha(
    table: RatingTable, part: IntArray, kind: Level, clusters: IntArray | None, plan: Bootstrap
) -> EstimateJson:
    rows = table.take_units(part)
    data = ScaleData(rows, np.unique(rows.value))
    how = coefficients()[ALPHA[kind]].how
    estimate = how.estimate(data)
    draws = Draws.of(rows, plan, None if clusters is None else clusters[part])
    if estimate.value is not None:
        for made_by, values in replicates({"alpha": how}, data, draws):
            estimate = how.attach(estimate, values["alpha"], made_by, data)
    return estimate.as_json()
