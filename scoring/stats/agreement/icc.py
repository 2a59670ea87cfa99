"""Intraclass correlations: the reliability of a single rating and of the mean rating of a unit.

Names as in Shrout and Fleiss 1979: (1, .) one-way, annotators are not identified; (2, .) annotators
are a random sample and their severity counts as error (absolute agreement, A); (3, .) severity is
ignored (consistency, C). If icc_3_1 exceeds icc_2_1, annotators differ in severity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.agreement import reml
from scoring.stats.agreement.coefficients import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.agreement.reml import incidence
from scoring.stats.table import (
    UNITS,
    BoolArray,
    Estimate,
    FloatArray,
    RatingTable,
    f_above,
    f_quantile,
    undefined,
)

# ANOVA of complete ratings: intraclass correlations, their F tests and exact intervals.
#
# References: Shrout and Fleiss 1979; McGraw and Wong 1996, table 7 (absolute agreement). The
# intervals assume normally distributed ratings of independent units.


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
    intervals: dict[str, Exact] = {}
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
            intervals[f"icc_{form}_1"] = test(*pair)
            intervals[f"icc_{form}_k"] = test(stepped(pair[0], k), stepped(pair[1], k))
    return {name: one for name, one in intervals.items() if np.isfinite([one.low, one.high]).all()}


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


NAMES = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
TITLES = {
    "1": say("one-way random effects"),
    "2": say("two-way random effects, absolute agreement (A)"),
    "3": say("two-way, consistency (C)"),
}
NO_SPREAD = say("undefined: the variance components in the denominator sum to 0")


def ratings_per_unit(table: RatingTable) -> float:
    """Return k of the average-rating forms: the harmonic mean of the number of ratings per unit."""
    sizes = table.ratings_per_unit[table.rated_units]
    return float(sizes.size / (1 / sizes).sum())


def iccs(table: RatingTable) -> dict[str, Estimate]:
    """Return all six ICCs: by ANOVA for complete data, by REML variance components otherwise.

    k is the harmonic mean of ratings per unit, not the number of annotators of the campaign.
    n counts rated units. Undefined without variation and for fewer than two units with two
    ratings; forms 2 and 3 also for anonymous annotators, for a disconnected design (groups of
    annotators that share no unit), and without residual degrees of freedom.
    Complete data give an F test of the units and an exact interval as well (`mean_squares`).
    References: Shrout and Fleiss 1979; McGraw and Wong 1996; Searle et al. 1992 (REML).
    """
    reason = _not_reliable(table)
    two_way_reason = reason or _not_two_way(table)
    if two_way_reason in ("", ANONYMOUS) and not reason and is_balanced(table):
        answers = _anova(table)
        if two_way_reason:
            answers |= _refused(table, two_way_reason, "23")
        return answers
    answers = _refused(table, reason, "1") if reason else _mixed(table, reml.one_way(table), "1")
    if two_way_reason:
        return answers | _refused(table, two_way_reason, "23")
    return answers | _mixed(table, reml.two_way(table), "23")


def is_balanced(table: RatingTable) -> bool:
    if not table.anonymous:
        return table.is_complete
    sizes = table.ratings_per_unit[table.rated_units]
    return bool((sizes == sizes[0]).all())


def _not_reliable(table: RatingTable) -> Sentence:
    reason = no_pairs(table)
    if reason:
        return reason
    if np.ptp(table.value) == 0:
        return NO_VARIATION
    if table.n_pairable < 2:
        return say("undefined: needs two units with two or more ratings")
    return NOTHING


def _not_two_way(table: RatingTable) -> Sentence:
    if table.anonymous:
        return ANONYMOUS
    who = incidence(table)
    twice = np.flatnonzero(table.ratings_per_unit[table.rated_units] >= 2)
    return not_crossed((who[twice].T @ who[twice]).toarray(), twice.size)


def not_crossed(shared: FloatArray, units: float) -> Sentence:
    """Return why the variance components are not identified, or "".

    shared (A, A): how many of the `units` with two or more ratings both annotators rated.
    """
    met = np.flatnonzero(shared.diagonal())
    groups = n_groups(shared[np.ix_(met, met)] > 0)
    if groups > 1:
        return say("undefined: the annotators fall into %(n)s groups that share no unit", n=groups)
    if shared.trace() - units - met.size + 1 < 1:
        return say("undefined: too few shared ratings to separate units, annotators and residual")
    return NOTHING


def n_groups(linked: BoolArray) -> int:
    """Return the number of connected components of a symmetric (A, A) graph with its diagonal.

    scipy.sparse.csgraph imports scipy.sparse.linalg, which takes longer than a usual report.
    """
    groups, new = 0, np.ones(len(linked), dtype=bool)
    while new.any():
        groups, reached = groups + 1, np.flatnonzero(new)[:1]
        while reached.size:
            new[reached] = False
            reached = np.flatnonzero(linked[reached].any(axis=0) & new)
    return groups


def _refused(table: RatingTable, reason: Sentence, forms: str) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    return {
        name: undefined(reason, n=n, method=TITLES[name[4]]) for name in NAMES if name[4] in forms
    }


def _estimate(value: float, n: int, method: Sentence) -> Estimate:
    if np.isnan(value):
        return undefined(NO_SPREAD, n=n, method=method)
    return Estimate(value, n=n, method=method)


def _anova(table: RatingTable) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    k = table.n_ratings // n
    squares = MeanSquares.of(square_cells(table).sum(axis=0)[None, :], k)
    exact = exact_intervals(squares)
    return {
        name: _with_exact(
            _estimate(float(value[0]), n, _anova_method(name, k)),
            name[4],
            exact.get(name),
        )
        for name, value in squares.iccs().items()
    }


def _with_exact(estimate: Estimate, form: str, exact: Exact | None) -> Estimate:
    if exact is None or estimate.value is None:
        return estimate
    test = {"F": exact.ratio, "df1": exact.df1, "df2": exact.df2, "p_value": exact.p_value}
    return replace(estimate, details=test).with_interval(
        exact.low,
        exact.high,
        generalises_to=GENERALISES[form],
        options={"interval": INTERVALS[form]},
    )


def _anova_method(name: str, k: float) -> Sentence:
    title = TITLES[name[4]]
    if not name.endswith("k"):
        return say("%(method)s, ANOVA, single rating", method=title)
    return say("%(method)s, ANOVA, mean of k = %(k)s ratings", method=title, k=f"{k:.4g}")


def _reml_method(name: str, k: float) -> Sentence:
    title = TITLES[name[4]]
    if not name.endswith("k"):
        return say("%(method)s, REML on all ratings, single rating", method=title)
    return say(
        "%(method)s, REML on all ratings, mean of k = %(k)s ratings", method=title, k=f"{k:.4g}"
    )


def mixed_iccs(
    unit: FloatArray, annotator: FloatArray, residual: FloatArray, k: FloatArray, scale: FloatArray
) -> dict[str, FloatArray]:
    """Return ICCs from (B,) variance components; error is divided by k for the mean of k ratings.

    Form 1 needs the components of the one-way model, without annotators.
    """
    noise = {"1": residual, "2": annotator + residual, "3": residual}
    return {
        name: positive_ratio(
            unit, unit + noise[name[4]] / (k if name.endswith("k") else 1.0), scale
        )
        for name in NAMES
    }


def _mixed(table: RatingTable, parts: reml.Components, forms: str) -> dict[str, Estimate]:
    n, k = int(table.rated_units.size), ratings_per_unit(table)
    given = (parts.unit, parts.annotator, parts.residual, k, float(table.value.var()))
    values = mixed_iccs(*(np.array([number]) for number in given))
    return {
        name: _estimate(float(value[0]), n, _reml_method(name, k))
        for name, value in values.items()
        if name[4] in forms
    }
