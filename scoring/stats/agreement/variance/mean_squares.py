"""ANOVA of complete ratings: intraclass correlations, their F tests and exact intervals.

References: Shrout and Fleiss 1979; McGraw and Wong 1996, table 7 (absolute agreement). The
intervals assume normally distributed ratings of independent units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from paraanno.plain.sentence import say
from scoring.stats.distributions import f_above, f_quantile
from scoring.stats.estimate import UNITS
from scoring.stats.table import FloatArray, RatingTable

NEW_ANNOTATORS = say("new %(units)s, new annotators", units=UNITS)
GENERALISES = {
    "1": NEW_ANNOTATORS,
    "2": NEW_ANNOTATORS,
    "3": say("new %(units)s, these annotators", units=UNITS),
}
INTERVALS = {
    "1": say("95 %, F distribution, independent units (Shrout and Fleiss 1979)"),
    "2": say("95 %, F distribution, independent units (McGraw and Wong 1996)"),
    "3": say("95 %, F distribution, independent units (Shrout and Fleiss 1979)"),
}


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """(B,) mean squares of complete ratings: between units, within units, annotators, residual.

    `scale` is the mean square of the centred ratings; n units with k ratings each.
    """

    between: FloatArray
    within: FloatArray
    raters: FloatArray
    error: FloatArray
    scale: FloatArray
    n: FloatArray
    k: int

    @classmethod
    def of(cls, cells: FloatArray, k: int) -> MeanSquares:
        """Compute from (B, 3 + A) sums of `square_cells` over units; A is 0 without identities."""
        n = cells[:, 0]
        mean = cells[:, 3:].sum(axis=1) / (n * k) if cells.shape[1] > 3 else 0.0
        units = cells[:, 1] / k - n * k * mean**2
        raters = (cells[:, 3:] ** 2).sum(axis=1) / n - n * k * mean**2
        within = cells[:, 2] - cells[:, 1] / k
        # Not the replicate's own variance: if all its ratings are equal, that is rounding error.
        scale = cells[:, 2] / (n * k)
        parts = [units, within, raters, within - raters]
        free = [n - 1, n * (k - 1), np.full_like(n, k - 1), (n - 1) * (k - 1)]
        between, inside, drift, error = (
            np.where(part > 1e-12 * scale * n * k, part, 0.0) / np.maximum(count, 1)
            for part, count in zip(parts, free, strict=True)
        )
        return cls(between, inside, drift, error, scale, n, k)

    def iccs(self) -> dict[str, FloatArray]:
        """Return the six ICCs of Shrout and Fleiss 1979; NaN if the denominator is not positive."""
        k, between, within, error = self.k, self.between, self.within, self.error
        drift = (self.raters - error) / self.n
        fractions = {
            "icc_1_1": (between - within, between + (k - 1) * within),
            "icc_2_1": (between - error, between + (k - 1) * error + k * drift),
            "icc_3_1": (between - error, between + (k - 1) * error),
            "icc_1_k": (between - within, between),
            "icc_2_k": (between - error, between + drift),
            "icc_3_k": (between - error, between),
        }
        return {name: positive_ratio(*parts, self.scale) for name, parts in fractions.items()}


def square_cells(table: RatingTable) -> FloatArray:
    """Return (U, 3 + A): 1, squared sum, sum of squares, and the ratings in order of annotators.

    Ratings must be complete; they are centred. Anonymous annotators have columns too, but only the
    sum of the columns may be used.
    """
    n = table.rated_units.size
    matrix = table.by_unit[2].reshape(n, -1)
    matrix = matrix - matrix.mean()
    total, squares = matrix.sum(axis=1) ** 2, (matrix**2).sum(axis=1)
    return np.column_stack([np.ones(n), total, squares, matrix])


def positive_ratio(numerator: FloatArray, denominator: FloatArray, scale: FloatArray) -> FloatArray:
    """Return numerator / denominator, NaN if the denominator is not a positive variance."""
    answer = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=answer, where=denominator > 1e-12 * scale)
    return answer


@dataclass(frozen=True)
class Exact:
    """F test of no differences between units, and the exact 95 % interval of a coefficient."""

    ratio: float
    df1: int
    df2: int
    p_value: float
    low: float
    high: float


def exact_intervals(squares: MeanSquares) -> dict[str, Exact]:
    """Return the exact intervals by coefficient for one sample of complete ratings.

    Forms 2 and 3 share the F test. A coefficient is missing if a mean square is 0 or its interval
    is unbounded.
    """
    n, k = float(squares.n[0]), squares.k
    between, within = float(squares.between[0]), float(squares.within[0])
    raters, error = float(squares.raters[0]), float(squares.error[0])
    found: dict[str, Exact] = {}
    for forms, noise, free in (("1", within, n * (k - 1)), ("23", error, (n - 1) * (k - 1))):
        if noise <= 0 or between <= 0 or n < 2:
            continue
        ratio = between / noise
        p_value = float(f_above(ratio, n - 1, free))
        test = partial(Exact, ratio, int(n - 1), int(free), p_value)
        low = ratio / float(f_quantile(0.975, n - 1, free))
        high = ratio * float(f_quantile(0.975, free, n - 1))
        consistent = (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
        ends = dict.fromkeys(forms, consistent)
        if "2" in forms:
            ends["2"] = _absolute(n, k, between, raters, error)
        for form, pair in ends.items():
            found[f"icc_{form}_1"] = test(*pair)
            found[f"icc_{form}_k"] = test(stepped(pair[0], k), stepped(pair[1], k))
    return {name: one for name, one in found.items() if np.isfinite([one.low, one.high]).all()}


def stepped(single: float, k: float) -> float:
    """Return the reliability of the mean of k ratings (Spearman-Brown prophecy formula)."""
    below = 1 + (k - 1) * single
    return k * single / below if below > 0 else -np.inf


def _absolute(n: float, k: int, between: float, raters: float, error: float) -> tuple[float, float]:
    """Return the interval of ICC(A,1), McGraw and Wong 1996 (Satterthwaite approximation)."""
    r = (between - error) / (between + (k - 1) * error + k * (raters - error) / n)
    one, two = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    top, first, second = one * raters + two * error, (one * raters) ** 2, (two * error) ** 2
    free = top**2 / (first / (k - 1) + second / ((n - 1) * (k - 1)))
    over = float(f_quantile(0.975, n - 1, free))
    under = float(f_quantile(0.975, free, n - 1))
    rest = k * raters + (k * n - k - n) * error
    low = n * (between - over * error) / (over * rest + n * between)
    high = n * (under * between - error) / (rest + n * under * between)
    return low, high
