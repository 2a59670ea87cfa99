"""Cohen's kappa and Scott's pi for every pair of annotators, on the units that both rated."""

from __future__ import annotations

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, no_pairs
from scoring.stats.agreement.pairs import PairCounts, Pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.resampling import Draws
from scoring.stats.table import FloatArray, RatingTable

WEIGHTS = ("nominal", "linear", "quadratic", "scott")
METHODS = {
    "nominal": say("mean of Cohen's kappa (1960) over pairs of annotators on their shared units"),
    "linear": say(
        "mean of Cohen's weighted kappa (1968), weights |x - y| on scale values, over pairs "
        "of annotators on their shared units"
    ),
    "quadratic": say(
        "mean of Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, over "
        "pairs of annotators on their shared units"
    ),
    "scott": say("mean of Scott's pi (1955) over pairs of annotators on their shared units"),
}
MOST_CELLS = 2_000_000  # Of contingency tables; above it single pairs get no interval.
ONE_VALUE = say("undefined: both gave the same single value")


def pair_kappas(pairs: PairCounts) -> dict[str, FloatArray]:
    """Return (P,) kappa under each weighting, and Scott's pi: 1 - observed / expected disagreement.

    NaN if the pair shares no unit or the expected disagreement is 0. Cohen 1968, Scott 1955. The
    weights are differences of scale values, not of ranks, so unused levels have no effect.
    """
    n, levels = np.maximum(pairs.n, 1e-300), pairs.levels
    left, right = pairs.left / n[:, None], pairs.right / n[:, None]
    up_left, up_right = np.cumsum(left, axis=1)[:, :-1], np.cumsum(right, axis=1)[:, :-1]
    crossing = up_left * (1 - up_right) + up_right * (1 - up_left)
    x = levels - levels.mean() if levels.size else levels
    spread = left @ x**2 + right @ x**2 - 2 * (left @ x) * (right @ x)
    expected = {
        "nominal": 1 - (left * right).sum(axis=1),
        "linear": crossing @ np.diff(levels),
        "quadratic": spread,
        "scott": 1 - (((left + right) / 2) ** 2).sum(axis=1),
    }
    unequal = 1 - pairs.agree / n
    observed = {
        "nominal": unequal,
        "linear": pairs.linear / n,
        "quadratic": pairs.quadratic / n,
        "scott": unequal,
    }
    # Both used a single, equal level. Counts are integers, so the comparison is exact.
    none = (pairs.left * pairs.right).sum(axis=1) == pairs.n**2
    return {
        name: np.where(none, np.nan, 1 - observed[name] / np.where(none, 1, expected[name]))
        for name in WEIGHTS
    }


def kappa_errors(tables: FloatArray, levels: FloatArray) -> dict[str, FloatArray]:
    """Return (P,) asymptotic standard errors of Cohen's kappas from (P, V, V) contingency tables.

    Fleiss, Cohen and Everitt 1969, for independent units. 0 for a pair that agrees on every unit.
    """
    n = np.maximum(tables.sum(axis=(1, 2)), 1e-300)
    p = tables / n[:, None, None]
    left, right = p.sum(axis=2), p.sum(axis=1)
    gap = np.abs(levels[:, None] - levels[None, :])
    weights = {
        "nominal": gap == 0,
        "linear": 1 - gap / gap.max(),
        "quadratic": 1 - (gap / gap.max()) ** 2,
    }
    found = {}
    for name, weight in weights.items():
        observed = (p * weight).sum(axis=(1, 2))
        rows, columns = right @ weight.T, left @ weight
        expected = (left * rows).sum(axis=1)
        rest = (1 - observed)[:, None, None]
        term = weight * (1 - expected)[:, None, None] - (rows[:, :, None] + columns[:, None]) * rest
        total = (p * term**2).sum(axis=(1, 2))
        total -= (observed * expected - 2 * expected + observed) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            found[name] = np.sqrt(np.maximum(total, 0) / n) / (1 - expected) ** 2
    return found


def cohen_kappas(table: RatingTable) -> dict[str, Estimate]:
    """Return Cohen's kappa (unweighted, linear, quadratic) and Scott's pi, averaged over pairs.

    `details` has `pairs` ({a, b, n, value, ci_low, ci_high, reason}: n shared units, and for
    Cohen's kappas the asymptotic interval of `kappa_errors`) and `undefined_pairs`, the number
    omitted from the mean. n counts units with two or more ratings.
    Undefined for anonymous annotators and if no pair has a defined kappa.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    n = table.n_pairable
    if reason:
        none: dict[str, object] = {"pairs": [], "undefined_pairs": 0}
        return {w: undefined(reason, n=n, method=METHODS[w], details=none) for w in WEIGHTS}
    pairs = Pairs.of(table)
    counts = pairs.counts()
    own: dict[str, FloatArray] = {}
    if pairs.levels.size > 1 and pairs.key.size * pairs.levels.size**2 <= MOST_CELLS:
        own = kappa_errors(pairs.tables(), pairs.levels)
    unknown = np.full(pairs.key.size, np.nan)
    return {
        w: _mean(table, pairs, counts.n, v, own.get(w, unknown), METHODS[w])
        for w, v in pair_kappas(counts).items()
    }


def _mean(
    table: RatingTable,
    pairs: Pairs,
    shared: FloatArray,
    kappas: FloatArray,
    errors: FloatArray,
    method: Sentence,
) -> Estimate:
    defined = ~np.isnan(kappas)
    reaches = np.where(defined & (errors > 0), 1.959964 * errors, np.nan)
    details = {
        "pairs": [
            {
                "a": table.annotator_label(a),
                "b": table.annotator_label(b),
                "n": int(n),
                "value": None if np.isnan(kappa) else float(kappa),
                "ci_low": None if np.isnan(reach) else float(kappa - reach),
                "ci_high": None if np.isnan(reach) else float(min(kappa + reach, 1)),
                "reason": ONE_VALUE if np.isnan(kappa) else None,
            }
            for a, b, n, kappa, reach in zip(
                pairs.first.tolist(), pairs.second.tolist(), shared, kappas, reaches, strict=True
            )
        ],
        "undefined_pairs": int((~defined).sum()),
    }
    n = table.n_pairable
    if not defined.any():
        reason = say(
            "undefined: no variation, the annotators of every pair gave the same single value"
        )
        return undefined(reason, n=n, method=method, details=details)
    return Estimate(float(kappas[defined].mean()), n=n, method=method, details=details)


def kappa_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, dict[str, FloatArray]]:
    """Return the draws and (B,) replicates of the means of `cohen_kappas`.

    They are grouped jackknife replicates: pairs often share only a dozen units, where kappa is
    biased downwards in bootstrap samples, so that percentile intervals miss the estimate. As in the
    estimate, pairs undefined in a replicate are omitted.
    """
    pairs = Pairs.of(table)
    draws = draws.without_groups()
    total = pairs.counts()
    found = [_means(total.plus(pairs.counts(units), -1)) for units in draws.members]
    return draws, {name: np.array([one[name] for one in found]) for name in WEIGHTS}


def _means(counts: PairCounts) -> dict[str, float]:
    return {
        name: float(kappas[~np.isnan(kappas)].mean()) if not np.isnan(kappas).all() else np.nan
        for name, kappas in pair_kappas(counts).items()
    }


def cohen_kappa(table: RatingTable) -> Estimate:
    """Return unweighted Cohen's kappa, mean over pairs of annotators (see cohen_kappas)."""
    return cohen_kappas(table)["nominal"]


def cohen_kappa_linear(table: RatingTable) -> Estimate:
    """Return linearly weighted Cohen's kappa, mean over pairs (see cohen_kappas)."""
    return cohen_kappas(table)["linear"]


def cohen_kappa_quadratic(table: RatingTable) -> Estimate:
    """Return quadratically weighted Cohen's kappa, mean over pairs (see cohen_kappas)."""
    return cohen_kappas(table)["quadratic"]
