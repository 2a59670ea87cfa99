"""Linearised standard errors of the count-based coefficients, for independent units.

Each is computed from the contributions of single units, as in Gwet 2008 and 2014 (chapter 5). As in
the coefficients, units with one rating enter only the marginals.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from paraanno.plain.sentence import say
from scoring.stats.counts import Patterns
from scoring.stats.distributions import t_quantile
from scoring.stats.table import FloatArray

INDEPENDENT = say("95 %, linearised standard error, t distribution, independent units (Gwet 2014)")


def t_interval(value: float, error: float, free: int) -> tuple[float, float]:
    """Return the 95 % t interval with `free` degrees of freedom; the upper limit is at most 1."""
    reach = float(t_quantile(0.975, free)) * error
    return value - reach, max(value, min(1.0, value + reach))


def standard_errors(p: Patterns) -> dict[str, float]:
    """Return the standard error by coefficient, omitting those undefined or without variance.

    Ordinal alpha is not included: its distances depend on the sample, and no formula is published.
    """
    n, many = float(p.weight.sum()), float(p.weight[p.size >= 2].sum())
    if n < 2 or many < 1 or p.levels.size < 2:
        return {}
    x = p.levels - p.levels.mean()
    span = float(x[-1] - x[0])
    spread = 2 * (p.size * (p.counts @ x**2) - (p.counts @ x) ** 2)
    equal = p.same / np.maximum(p.pairs, 1)
    near = 1 - spread / np.maximum(p.pairs, 1) / span**2
    share = scipy.sparse.csr_array(scipy.sparse.diags_array(1 / p.size) @ p.counts)
    mean = np.asarray(p.weight @ share) / n
    q = x.size
    fleiss = float(mean @ mean)
    one, quadratic = q / (q * (q - 1)), _weights_total(x, span) / (q * (q - 1))
    own = 1 - share @ mean
    none = np.zeros(p.size.size)
    # (agreement of each vector, chance agreement, its part from each vector)
    chances: dict[str, tuple[FloatArray, float, FloatArray]] = {
        "percent_agreement": (equal, 0.0, none),
        "fleiss_kappa": (equal, fleiss, 1 - own),
        "gwet_ac1": (equal, one * (1 - fleiss), one * own),
        "gwet_ac2": (near, quadratic * (1 - fleiss), quadratic * own),
        "brennan_prediger": (equal, 1 / q, none + 1 / q),
    }
    found = {name: _error(p, n, many, *parts) for name, parts in chances.items()}
    found["alpha_nominal"] = _alpha_error(p, equal, lambda pi: pi)
    found["alpha_interval"] = _alpha_error(
        p, near, lambda pi: pi.sum() - (x**2 * pi.sum() - 2 * x * (pi @ x) + pi @ x**2) / span**2
    )
    return {name: error for name, error in found.items() if error > 0}


def _weights_total(x: FloatArray, span: float) -> float:
    """Sum the quadratic weights over all pairs of levels; x is centred."""
    return float(x.size**2 - 2 * x.size * (x**2).sum() / span**2)


def _error(
    p: Patterns, n: float, many: float, agree: FloatArray, chance: float, chances: FloatArray
) -> float:
    """Gwet 2014: kappa_i = n / n' (agree_i - chance) / (1 - chance), corrected for chance_i."""
    if 1 - chance < 1e-12:
        return np.nan
    pairable = p.size >= 2
    own = np.where(pairable, n / many * (agree - chance) / (1 - chance), 0.0)
    value = float(p.weight @ own) / n
    own = own - 2 * (1 - value) * (chances - chance) / (1 - chance)
    return float(np.sqrt(p.weight @ (own - value) ** 2 / (n * (n - 1))))


def _alpha_error(
    p: Patterns, agree: FloatArray, weigh: Callable[[FloatArray], FloatArray]
) -> float:
    """Gwet 2014, chapter 5: units are weighted by their ratings; those with one are excluded."""
    rows = np.flatnonzero(p.size >= 2)
    weight, size, counts = p.weight[rows], p.size[rows], p.counts[rows]
    n = float(weight.sum())
    if n < 2:
        return np.nan
    mean_size = float(weight @ size) / n
    relative = size / mean_size
    observed = agree[rows] * relative
    plain = float(weight @ observed) / n
    pi = np.asarray(weight @ counts) / (n * mean_size)
    weighed = weigh(pi)
    chance = float(pi @ weighed)
    if 1 - chance < 1e-12:
        return np.nan
    value = (plain - chance) / (1 - chance)
    own = (observed - plain * (relative - 1) - chance) / (1 - chance)
    chances = (counts @ weighed) / mean_size - chance * (relative - 1)
    own = own - 2 * (1 - value) * (chances - chance) / (1 - chance)
    return float(np.sqrt(weight @ (own - value) ** 2 / (n * (n - 1))))
