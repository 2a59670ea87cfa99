"""Agreement on each value by itself; on two values positive and negative agreement.

High overall agreement can hide that annotators never agree on a rare value. Of two annotators the
agreement on a value is 2a / (2a + b + c): Cicchetti and Feinstein 1990. Of any number of ratings
all pairs of a text are counted: Uebersax, "Raw agreement indices".
"""

from __future__ import annotations

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats import counts
from scoring.stats.agreement.coefficients import no_pairs
from scoring.stats.agreement.families import ScaleData
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws, count_replicates
from scoring.stats.table import FloatArray, IntArray

MOST_VALUES = 20
FORMULA = "Σ n(n−1) / Σ n(m−1)"
SOURCE = "Cicchetti & Feinstein 1990; Uebersax, online"
METHOD = say("of ratings paired with one that has the value, the share that have it too")
NEVER = say("undefined: no text with two ratings has the value")


def specific_agreement(
    data: ScaleData, *, clusters: IntArray | None = None, plan: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Return the agreement on each value of the scale, by value; none of more than 20 values.

    n counts texts with the value and at least two ratings. Undefined, with a reason, where there is
    none. Intervals as of the coefficients: whole clusters are drawn if the plan asks for it.
    """
    if data.levels.size > MOST_VALUES:
        return {}
    names = [f"{value:.12g}" for value in data.levels.tolist()]
    why = no_pairs(data.table)
    if why:
        return dict.fromkeys(names, undefined(why, method=METHOD))
    patterns = data.patterns
    statistics = {name: _of(place) for place, name in enumerate(names)}
    found = {}
    for place, name in enumerate(names):
        given = patterns.counts[:, [place]].toarray().ravel() > 0
        n = int(patterns.weight[given & (patterns.size >= 2)].sum())
        value = float(statistics[name](patterns, patterns.weight[None, :])[0])
        found[name] = Estimate(value, n=n, method=METHOD) if n else undefined(NEVER, method=METHOD)
    if plan is None or plan.replicates == 0:
        return found
    draws = Draws.of(data.table, plan, clusters)
    drawn = draws.groups >= LEAST_GROUPS
    values = count_replicates(patterns, statistics, draws) if drawn else {}
    return {
        name: one if one.value is None else draws.attach(one, values.get(name, np.zeros(0)))
        for name, one in found.items()
    }


def _of(place: int) -> counts.Statistic:
    """Return the statistic of one value by its place on the scale."""

    def share(p: counts.Patterns, w: FloatArray) -> FloatArray:
        given = p.counts[:, [place]].toarray().ravel()
        return counts.ratio(w @ (given * (given - 1)), w @ (given * (p.size - 1)))

    return share
