"""Cohen's kappa for every pair of annotators, each on the units both of them rated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.agreement import ANONYMOUS, no_pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import FloatArray, IntArray, RatingTable

WEIGHTS = ("nominal", "linear", "quadratic")
METHODS = {
    "nominal": "mean of Cohen's kappa (1960) over pairs of annotators on their shared units",
    "linear": "mean of Cohen's weighted kappa (1968), weights |x - y| on scale values, over pairs "
    "of annotators on their shared units",
    "quadratic": "mean of Cohen's weighted kappa (1968), weights (x - y)^2 on scale values, over "
    "pairs of annotators on their shared units",
}
ONE_VALUE = "undefined: both gave the same single value"


@dataclass(frozen=True, eq=False)
class PairCounts:
    """What the pairs of annotators who share a unit said there.

    first, second   (P,) annotator codes, first < second
    n               (P,) shared units
    agree, linear, quadratic   (P,) sums over shared units of x == y, |x - y|, (x - y)^2
    left, right     (P, V) how often the first and the second annotator used each level
    levels          (V,) values seen
    """

    first: IntArray
    second: IntArray
    n: FloatArray
    agree: FloatArray
    linear: FloatArray
    quadratic: FloatArray
    left: FloatArray
    right: FloatArray
    levels: FloatArray


def pair_counts(table: RatingTable) -> PairCounts:
    """One pass per distance within a unit: as many passes as the largest unit has ratings."""
    unit, annotator, value = table.by_unit
    levels = np.unique(value)
    codes = np.searchsorted(levels, value).astype(np.int32)
    keys: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    before: list[Any] = [np.zeros(0, dtype=np.int32)]
    after: list[Any] = [np.zeros(0, dtype=np.int32)]
    for step in range(1, int(table.ratings_per_unit.max(initial=1))):
        row = np.flatnonzero(unit[step:] == unit[:-step])
        keys.append(annotator[row] * table.n_annotators + annotator[row + step])
        before.append(codes[row])
        after.append(codes[row + step])
    key, x, y = np.concatenate(keys), np.concatenate(before), np.concatenate(after)
    distinct, pair = np.unique(key, return_inverse=True)
    size, width = distinct.size, levels.size
    difference = levels[x] - levels[y]

    def total(weights: FloatArray | None = None) -> FloatArray:
        return np.bincount(pair, weights, minlength=size).astype(np.float64)

    def usage(side: IntArray) -> FloatArray:
        cells = np.bincount(pair * width + side, minlength=size * width)
        return cells.reshape(size, width).astype(np.float64)

    return PairCounts(
        distinct // max(table.n_annotators, 1),
        distinct % max(table.n_annotators, 1),
        total(),
        total((x == y).astype(np.float64)),
        total(np.abs(difference)),
        total(difference**2),
        usage(x),
        usage(y),
        levels,
    )


def pair_kappas(pairs: PairCounts) -> dict[str, FloatArray]:
    """(P,) kappa under each weighting: 1 - observed / expected disagreement; NaN if expected is 0.

    Cohen 1968. The weights are differences of scale values, so levels that nobody used
    change nothing, and positions among the values that happen to occur play no part.
    """
    n, levels = pairs.n[:, None], pairs.levels
    left, right = pairs.left / n, pairs.right / n
    up_left, up_right = np.cumsum(left, axis=1)[:, :-1], np.cumsum(right, axis=1)[:, :-1]
    crossing = up_left * (1 - up_right) + up_right * (1 - up_left)
    x = levels - levels.mean() if levels.size else levels
    spread = left @ x**2 + right @ x**2 - 2 * (left @ x) * (right @ x)
    expected = {
        "nominal": 1 - (left * right).sum(axis=1),
        "linear": crossing @ np.diff(levels),
        "quadratic": spread,
    }
    observed = {
        "nominal": 1 - pairs.agree / pairs.n,
        "linear": pairs.linear / pairs.n,
        "quadratic": pairs.quadratic / pairs.n,
    }
    # Both used one and the same level throughout: whole counts, so no rounding is involved.
    constant = (pairs.left * pairs.right).sum(axis=1) == pairs.n**2
    return {
        name: np.where(constant, np.nan, 1 - observed[name] / np.where(constant, 1, expected[name]))
        for name in WEIGHTS
    }


def cohen_kappas(table: RatingTable) -> dict[str, Estimate]:
    """Unweighted, linear and quadratic Cohen's kappa, mean over pairs of annotators.

    `details` carries `pairs` ({a, b, n, value, reason}: n shared units) and `undefined_pairs`,
    the number left out of the mean. n counts units with two or more ratings.
    Undefined for anonymous voices and where no pair has a defined kappa.
    """
    reason = ANONYMOUS if table.anonymous else no_pairs(table)
    n = table.n_pairable
    if reason:
        none: dict[str, Any] = {"pairs": [], "undefined_pairs": 0}
        return {w: undefined(reason, n=n, method=METHODS[w], details=none) for w in WEIGHTS}
    pairs = pair_counts(table)
    return {w: _mean(table, pairs, v, METHODS[w]) for w, v in pair_kappas(pairs).items()}


def _mean(table: RatingTable, pairs: PairCounts, kappas: FloatArray, method: str) -> Estimate:
    defined = ~np.isnan(kappas)
    details = {
        "pairs": [
            {
                "a": table.annotator_label(a),
                "b": table.annotator_label(b),
                "n": int(n),
                "value": None if np.isnan(kappa) else float(kappa),
                "reason": ONE_VALUE if np.isnan(kappa) else None,
            }
            for a, b, n, kappa in zip(
                pairs.first.tolist(), pairs.second.tolist(), pairs.n, kappas, strict=True
            )
        ],
        "undefined_pairs": int((~defined).sum()),
    }
    n = table.n_pairable
    if not defined.any():
        reason = "undefined: no variation, the annotators of every pair gave the same single value"
        return undefined(reason, n=n, method=method, details=details)
    return Estimate(float(kappas[defined].mean()), n=n, method=method, details=details)


def cohen_kappa(table: RatingTable) -> Estimate:
    """Unweighted Cohen's kappa, mean over pairs of annotators (see cohen_kappas)."""
    return cohen_kappas(table)["nominal"]


def cohen_kappa_linear(table: RatingTable) -> Estimate:
    """Linearly weighted Cohen's kappa, mean over pairs of annotators (see cohen_kappas)."""
    return cohen_kappas(table)["linear"]


def cohen_kappa_quadratic(table: RatingTable) -> Estimate:
    """Quadratically weighted Cohen's kappa, mean over pairs of annotators (see cohen_kappas)."""
    return cohen_kappas(table)["quadratic"]
