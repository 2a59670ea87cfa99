"""Influence of single annotators on agreement, intervals for new annotators, and chance tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.coefficients import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.agreement.families import OfCounts, ScaleData, replicates
from scoring.stats.agreement.json_types import Chance, Influence, LeftOut, NewAnnotators
from scoring.stats.agreement.leading import fit_of
from scoring.stats.agreement.verdict import ALPHA, Level
from scoring.stats.distributions import t_quantile
from scoring.stats.estimate import UNITS
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws
from scoring.stats.table import FloatArray, IntArray, RatingTable, default_levels

LEAST_ANNOTATORS = 3
OWN_SHUFFLED = say("permutation test, each annotator's ratings shuffled over the units they rated")
ALL_SHUFFLED = say("permutation test, all ratings shuffled over the units rated")
NEW_ANNOTATORS = say(
    "95 %, variance of resampling units plus jackknife over annotators (Gwet 2014, chapter 5), t "
    "with Satterthwaite's degrees of freedom"
)
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
    found = dict.fromkeys(names, np.nan)
    if no_pairs(table):
        return found
    data, varied = ScaleData(table, levels), np.ptp(table.value) > 0
    for name in names:
        how = coefficients()[name].how
        if varied or name == "percent_agreement":
            found[name] = how.value(data)
    return found


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
            "values": {name: _plain(found[name]) for name in names},
            "change": {name: _plain(full[name] - found[name]) for name in names},
        }
        for code, found in left_out.items()
    ]
    rows.sort(key=lambda row: -abs(row["change"][ALPHA[level]] or 0.0))
    answer: Influence = {
        "reason": "",
        "names": list(names),
        "values": {name: _plain(value) for name, value in full.items()},
        "annotators": rows,
        "new_annotators": {},
    }
    if plan is not None and plan.replicates:
        spread = unit_variances(table, scale, names, Draws.of(table, plan, clusters))
        jackknife = {name: np.array([found[name] for found in left_out.values()]) for name in names}
        answer["new_annotators"] = {
            name: new_annotator_interval(
                full[name], jackknife[name], spread.get(name), plan, clusters
            )
            for name in names
        }
    return answer


def without(table: RatingTable, annotator: int) -> RatingTable:
    """Return the table without one annotator; units rated by them alone become unrated."""
    kept = table.annotator != annotator
    return replace(
        table, unit=table.unit[kept], annotator=table.annotator[kept], value=table.value[kept]
    )


def unit_variances(
    table: RatingTable, levels: FloatArray, names: tuple[str, ...], draws: Draws
) -> dict[str, tuple[float, int]]:
    """Return {name: (variance over resampled units or clusters, annotators fixed; their number)}.

    A name is missing if there are too few to resample, or over a tenth of replicates is undefined.
    """
    if draws.groups < LEAST_GROUPS:
        return {}
    data = ScaleData(table, levels)
    members = {
        name: coefficients()[name].how
        for name, value in values_of(table, levels, names).items()
        if not np.isnan(value)
    }
    found = {
        name: (made_by, values)
        for made_by, replicated in replicates(members, data, draws)
        for name, values in replicated.items()
    }
    answer = {}
    for name, (made_by, values) in found.items():
        defined = values[~np.isnan(values)]
        if defined.size < 0.9 * values.size:
            continue
        factor = (defined.size - 1) if made_by.jackknife else 1.0
        answer[name] = (float(defined.var()) * factor, draws.groups)
    return answer


def new_annotator_interval(
    value: float,
    left_out: FloatArray,
    spread: tuple[float, int] | None,
    plan: Bootstrap,
    clusters: IntArray | None,
) -> NewAnnotators:
    """Return the 95 % interval of a coefficient for new units rated by new annotators.

    left_out (A,): the coefficient without each annotator; spread: see `unit_variances`. The two
    variances are added (Gwet 2014, chapter 5); the jackknife variance has A - 1 degrees of
    freedom. Bootstrapping annotators is no substitute: see docs/statistics.md.
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
    units = UNITS if clusters is None else plan.clusters
    return {
        "value": value,
        "ci_low": value - reach,
        "ci_high": max(value, min(1.0, value + reach)),
        "generalises_to": say("new %(units)s, new annotators", units=units),
        "interval": NEW_ANNOTATORS,
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
