"""Cohen's kappa and Scott's pi for every pair of annotators, on the units that both rated: their
mean over pairs, and kappa pooled over pairs."""

from __future__ import annotations

import numpy as np

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, no_pairs
from scoring.stats.agreement.pairs import PairCounts, Pairs
from scoring.stats.agreement.pooled import (
    POOLED,
    Marginals,
    chance_disagreement,
    pooled_estimates,
    pooled_kappas,
)
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
LEAST_SHARED, MANY_ANNOTATORS = 5, 10  # In the median pair; from so many annotators on.
MOST_BIAS = 0.5  # In standard errors, about, of a mean over pairs that gets an interval.
ONE_VALUE = say("undefined: both gave the same single value")


def pair_kappas(pairs: PairCounts) -> dict[str, FloatArray]:
    """Return (P,) kappa under each weighting, and Scott's pi: 1 - observed / expected disagreement.

    NaN if the pair shares no unit or the expected disagreement is 0. Cohen 1968, Scott 1955. The
    weights are differences of scale values, not of ranks, so unused levels have no effect.
    """
    n = np.maximum(pairs.n, 1e-300)
    left, right = pairs.left / n[:, None], pairs.right / n[:, None]
    expected = {
        **chance_disagreement(left, right, pairs.levels),
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
    """Return Cohen's kappa (unweighted, linear, quadratic) and Scott's pi, averaged over pairs, and
    Cohen's kappas pooled over pairs (see `pooled`).

    `details` of the means has `pairs` ({a, b, n, value, ci_low, ci_high, reason}: n shared units,
    and for Cohen's kappas the asymptotic interval of `kappa_errors`), `undefined_pairs`, the number
    omitted from the mean, and `median_shared`, of all pairs, also of those that share no unit. n
    counts units with two or more ratings.
    Undefined for anonymous annotators and if no pair has a defined kappa; the means also if ten
    annotators or more share fewer than five units in the median pair.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    n = table.n_pairable
    if reason:
        none: dict[str, object] = {"pairs": [], "undefined_pairs": 0}
        means = {w: undefined(reason, n=n, method=METHODS[w], details=none) for w in WEIGHTS}
        return means | {w: undefined(reason, n=n, method=how) for w, how in POOLED.items()}
    pairs = Pairs.of(table)
    counts = pairs.counts()
    own: dict[str, FloatArray] = {}
    if pairs.levels.size > 1 and pairs.key.size * pairs.levels.size**2 <= MOST_CELLS:
        own = kappa_errors(pairs.tables(), pairs.levels)
    unknown = np.full(pairs.key.size, np.nan)
    means = {
        w: _mean(pairs, counts.n, v, own.get(w, unknown), METHODS[w])
        for w, v in pair_kappas(counts).items()
    }
    return means | pooled_estimates(pairs, counts)


def _mean(
    pairs: Pairs,
    shared: FloatArray,
    kappas: FloatArray,
    errors: FloatArray,
    method: Sentence,
) -> Estimate:
    table, defined = pairs.table, ~np.isnan(kappas)
    median = pairs.median_shared(shared)
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
        "median_shared": median,
    }
    n = table.n_pairable
    if not defined.any():
        reason = say(
            "undefined: no variation, the annotators of every pair gave the same single value"
        )
        return undefined(reason, n=n, method=method, details=details)
    if median < LEAST_SHARED and table.used_annotators.size >= MANY_ANNOTATORS:
        return undefined(_too_sparse(median), n=n, method=method, details=details)
    return Estimate(float(kappas[defined].mean()), n=n, method=method, details=details)


def _too_sparse(median: float) -> Sentence:
    return say(
        "undefined: the median pair of annotators shares %(n)s texts, the mean over pairs needs "
        "%(least)s; see the pooled kappa, or Fleiss' kappa in place of Scott's pi",
        n=f"{median:g}",
        least=LEAST_SHARED,
    )


def kappa_replicates(table: RatingTable, draws: Draws) -> tuple[Draws, dict[str, FloatArray]]:
    """Return the draws and (B,) replicates of the values of `cohen_kappas`.

    They are grouped jackknife replicates: pairs often share only a dozen units, where kappa is
    biased downwards in bootstrap samples, so that percentile intervals miss the estimate. As in the
    estimate, pairs undefined in a replicate are omitted from means.
    """
    pairs = Pairs.of(table)
    draws = draws.without_groups()
    marginals = Marginals.of(pairs)
    total, used = pairs.counts(), marginals.counts()
    found = []
    for units in draws.members:
        rest = total.plus(pairs.counts(units), -1)
        pooled = pooled_kappas(rest, used - marginals.counts(units), pairs)
        found.append(_means(rest) | pooled)
    return draws, {name: np.array([one[name] for one in found]) for name in (*WEIGHTS, *POOLED)}


def no_interval(estimate: Estimate) -> Sentence:
    """Return why the jackknife interval of a mean over pairs would not hold, or "".

    Kappa is biased downwards on few units, and averaging pairs does not reduce the bias: it is of
    the order of one over the units that a pair shares, the error of one over the root of all units.
    An interval of 95 % holds 92 % where the bias is half a standard error (Cochran 1977, section
    1.8). The rule depends on the design alone: chosen by the data, the intervals left hold less.
    """
    pairs = estimate.details["pairs"]
    meetings = sum(pair["n"] for pair in pairs)
    if len(pairs) * np.sqrt(estimate.n) > MOST_BIAS * meetings:
        return say(
            "no interval: over %(pairs)s pairs of annotators, kappa is too biased on %(n)s texts",
            pairs=len(pairs),
            n=estimate.n,
        )
    return NOTHING


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
