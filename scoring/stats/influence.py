"""What single annotators do to the coefficients; intervals for new annotators; and chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from scoring.stats.agreement import ANONYMOUS, no_pairs
from scoring.stats.counts import Patterns
from scoring.stats.reliability import iccs
from scoring.stats.reliability_many import icc_replicates
from scoring.stats.report import OF_COUNTS
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws, count_replicates
from scoring.stats.table import FloatArray, IntArray, RatingTable, default_levels
from scoring.stats.trust import ALPHA, Level

LEAST_ANNOTATORS = 3
NEW_ANNOTATORS = (
    "95 %, variance of drawing units plus jackknife over annotators (Gwet 2014, chapter 5), t with "
    "Satterthwaite's degrees of freedom"
)
MOST_PERMUTED = 200_000_000  # Ratings times permutations: some minutes.
FEWEST_PERMUTATIONS = 99


def shown(level: Level) -> tuple[str, ...]:
    """The coefficients that are looked at: those that the scale's level has a use for."""
    if level == "nominal":
        return "percent_agreement", "alpha_nominal", "gwet_ac1"
    return "percent_agreement", ALPHA[level], "gwet_ac2", "icc_2_1", "icc_2_k"


def values_of(table: RatingTable, levels: FloatArray, names: tuple[str, ...]) -> dict[str, float]:
    """Values of these coefficients, NaN where one is undefined."""
    found = dict.fromkeys(names, np.nan)
    if no_pairs(table):
        return found
    patterns = Patterns.of(table, levels)
    for name in names:
        if name in OF_COUNTS and (name == "percent_agreement" or np.ptp(table.value) > 0):
            found[name] = float(OF_COUNTS[name](patterns, patterns.weight[None, :])[0])
    if any(name.startswith("icc") for name in names):
        for name, estimate in iccs(table).items():
            if name in names and estimate.value is not None:
                found[name] = estimate.value
    return found


def influence(
    table: RatingTable,
    level: Level,
    levels: FloatArray | None = None,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Any]:
    """{reason, names, values, annotators: [{annotator, n, values, change}], new_annotators}.

    Each annotator is left out once, with all their ratings; `change` is what the coefficient
    loses or gains by that (None where it is undefined without them). The annotator whose absence
    moves the scale's alpha most comes first. `new_annotators` gives {value, ci_low, ci_high,
    generalises_to, interval} for annotators and units that have not been seen (see
    `new_annotator_interval`), where the plan asks for replicates. Undefined for anonymous voices
    and under three annotators.
    """
    names = shown(level)
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    if not reason and table.used_annotators.size < LEAST_ANNOTATORS:
        reason = f"undefined: needs {LEAST_ANNOTATORS} annotators, so that two are left"
    if reason:
        return {"reason": reason, "names": list(names), "annotators": [], "new_annotators": {}}
    scale = default_levels(table.value) if levels is None else levels
    full = values_of(table, scale, names)
    left_out = {
        int(code): values_of(without(table, int(code)), scale, names)
        for code in table.used_annotators
    }
    rows: list[dict[str, Any]] = [
        {
            "annotator": table.annotator_label(code),
            "n": int((table.annotator == code).sum()),
            "values": {name: _plain(found[name]) for name in names},
            "change": {name: _plain(full[name] - found[name]) for name in names},
        }
        for code, found in left_out.items()
    ]
    rows.sort(key=lambda row: -abs(row["change"][ALPHA[level]] or 0.0))
    answer = {
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
    """The table without the ratings of one annotator; units they alone rated have none left."""
    kept = table.annotator != annotator
    return replace(
        table, unit=table.unit[kept], annotator=table.annotator[kept], value=table.value[kept]
    )


def unit_variances(
    table: RatingTable, levels: FloatArray, names: tuple[str, ...], draws: Draws
) -> dict[str, tuple[float, int]]:
    """{name: (variance of drawing units or clusters with the annotators fixed, how many there
    are)}; nothing where there are too few to draw, or over a tenth of the draws are undefined."""
    if draws.groups < LEAST_GROUPS:
        return {}
    wanted = {name: OF_COUNTS[name] for name in names if name in OF_COUNTS}
    found: dict[str, tuple[Draws, FloatArray]] = {
        name: (draws, values)
        for name, values in count_replicates(Patterns.of(table, levels), wanted, draws).items()
    }
    if "icc_2_1" in names and iccs(table)["icc_2_1"].value is not None:
        for made_by, replicates in icc_replicates(table, draws, "2"):
            found |= {name: (made_by, values) for name, values in replicates.items()}
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
) -> dict[str, Any]:
    """95 % interval for a coefficient of new units judged by new annotators.

    left_out (A,): the coefficient without each annotator; spread: see `unit_variances`. The two
    variances add up (Gwet 2014, chapter 5); the jackknife's part rests on A - 1 degrees of
    freedom. A bootstrap that draws annotators is no substitute: see docs/statistics.md.
    """
    if np.isnan(value) or np.isnan(left_out).any() or spread is None:
        return {"value": _plain(value), "ci_low": None, "ci_high": None, "generalises_to": None}
    a = left_out.size
    between = float((a - 1) / a * ((left_out - left_out.mean()) ** 2).sum())
    total = between + spread[0]
    free = a - 1.0
    if total > 0:
        free = total**2 / (between**2 / (a - 1) + spread[0] ** 2 / (spread[1] - 1))
    reach = float(stats.t.ppf(0.975, free)) * total**0.5
    units = "units" if clusters is None else plan.clusters
    return {
        "value": value,
        "ci_low": value - reach,
        "ci_high": max(value, min(1.0, value + reach)),
        "generalises_to": f"new {units}, new annotators",
        "interval": NEW_ANNOTATORS,
    }


def chance(
    table: RatingTable,
    level: Level,
    levels: FloatArray | None = None,
    *,
    permutations: int = 999,
    seed: int = 0,
) -> dict[str, Any]:
    """Is agreement better than chance? {reason, method, permutations, tests: {name: {value,
    p_value, chance}}}.

    A permutation gives every annotator's ratings to the units that annotator rated in another
    order. Held fixed: who rated which unit, and how often each annotator used each value. Of
    anonymous voices all ratings change places. p counts permutations that agree at least as well,
    the data themselves included (Phipson and Smyth 2010); `chance` is their mean. Very large
    tables get fewer permutations, down to 99.
    """
    names = tuple(name for name in shown(level) if name in OF_COUNTS)
    reason = no_pairs(table)
    if not reason and np.ptp(table.value) == 0:
        reason = "undefined: no variation, all ratings are equal"
    who = "all ratings" if table.anonymous else "each annotator's ratings"
    answer: dict[str, Any] = {
        "reason": reason,
        "method": f"permutation test, {who} in another order over the units rated",
        "permutations": 0,
        "tests": {},
    }
    if reason:
        return answer
    scale = default_levels(table.value) if levels is None else levels
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
    """The table with the ratings of each annotator (of all, if anonymous) in another order."""
    group = np.zeros_like(table.annotator) if table.anonymous else table.annotator
    place = np.argsort(group, kind="stable")
    value = np.empty_like(table.value)
    value[place] = table.value[np.lexsort((rng.random(group.size), group))]
    return replace(table, value=value)


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
