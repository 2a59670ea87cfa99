"""Intraclass correlations: how reliable one rating is, and the mean of the ratings collected.

Names as in Shrout and Fleiss 1979: (1, .) annotators are interchangeable noise; (2, .) annotators
are a sample and their severity counts as error (absolute agreement, A); (3, .) severity does not
count (consistency, C). A gap between icc_2_1 and icc_3_1 shows that annotators differ in severity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph, csr_array

from scoring.stats import reml
from scoring.stats.agreement import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import FloatArray, RatingTable

NAMES = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
TITLES = {
    "1": "one-way random effects",
    "2": "two-way random effects, absolute agreement (A)",
    "3": "two-way, consistency (C)",
}
NO_SPREAD = "undefined: the variances it divides by add up to nothing"


def ratings_per_unit(table: RatingTable) -> float:
    """k of the average-rating forms: harmonic mean of the ratings of each rated unit."""
    sizes = table.ratings_per_unit[table.rated_units]
    return float(sizes.size / (1 / sizes).sum())


def iccs(table: RatingTable) -> dict[str, Estimate]:
    """All six coefficients: ANOVA on complete data, REML variance components otherwise.

    k is the harmonic mean of ratings per unit, never the number of annotators of the campaign.
    n counts rated units. Undefined without variation, with fewer than two units that have two
    ratings, and (forms 2 and 3) for anonymous voices, for annotators that fall into groups sharing
    no unit, and where the ratings do not outnumber the effects to be told apart.
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


def _not_reliable(table: RatingTable) -> str:
    reason = no_pairs(table)
    if reason:
        return reason
    if np.ptp(table.value) == 0:
        return NO_VARIATION
    if table.n_pairable < 2:
        return "undefined: needs two units with two or more ratings"
    return ""


def _not_two_way(table: RatingTable) -> str:
    if table.anonymous:
        return ANONYMOUS
    who = reml.incidence(table)
    twice = np.flatnonzero(table.ratings_per_unit[table.rated_units] >= 2)
    return not_crossed((who[twice].T @ who[twice]).toarray(), twice.size)


def not_crossed(shared: FloatArray, units: float) -> str:
    """Why units, annotators and noise cannot be told apart, or "".

    shared (A, A): of the `units` that have two or more ratings, how many both annotators rated.
    """
    met = np.flatnonzero(shared.diagonal())
    groups, _ = csgraph.connected_components(csr_array(shared)[met][:, met], directed=False)
    if groups > 1:
        return f"undefined: the annotators fall into {groups} groups that share no unit"
    if shared.trace() - units - met.size + 1 < 1:
        return "undefined: too few shared ratings to tell units, annotators and noise apart"
    return ""


def _refused(table: RatingTable, reason: str, forms: str) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    return {
        name: undefined(reason, n=n, method=TITLES[name[4]]) for name in NAMES if name[4] in forms
    }


def _estimate(value: float, n: int, method: str) -> Estimate:
    if np.isnan(value):
        return undefined(NO_SPREAD, n=n, method=method)
    return Estimate(value, n=n, method=method)


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """(B,) mean squares of complete ratings: of units, within units, of annotators, of what is
    left. `scale` is the mean square of the centred ratings; n units, k ratings of each."""

    between: FloatArray
    within: FloatArray
    raters: FloatArray
    error: FloatArray
    scale: FloatArray
    n: FloatArray
    k: int

    @classmethod
    def of(cls, cells: FloatArray, k: int) -> MeanSquares:
        """From (B, 3 + A) sums over units of `square_cells`; A is 0 without identities."""
        n = cells[:, 0]
        mean = cells[:, 3:].sum(axis=1) / (n * k) if cells.shape[1] > 3 else 0.0
        units = cells[:, 1] / k - n * k * mean**2
        raters = (cells[:, 3:] ** 2).sum(axis=1) / n - n * k * mean**2
        within = cells[:, 2] - cells[:, 1] / k
        scale = (units + within) / (n * k)
        parts = [units, within, raters, within - raters]
        free = [n - 1, n * (k - 1), np.full_like(n, k - 1), (n - 1) * (k - 1)]
        between, inside, drift, error = (
            np.where(part > 1e-12 * scale * n * k, part, 0.0) / np.maximum(count, 1)
            for part, count in zip(parts, free, strict=True)
        )
        return cls(between, inside, drift, error, scale, n, k)

    def iccs(self) -> dict[str, FloatArray]:
        """Shrout and Fleiss 1979: the six coefficients; NaN where what they divide by is none."""
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
    """(U, 3 + A): 1, squared sum, sum of squares, and the ratings in order of annotators.

    Of complete ratings, centred; where a unit has no sum of its own the annotators' columns hold
    it. Anonymous voices have columns too: only their sum may be used.
    """
    n = table.rated_units.size
    matrix = table.by_unit[2].reshape(n, -1)
    matrix = matrix - matrix.mean()
    total, squares = matrix.sum(axis=1) ** 2, (matrix**2).sum(axis=1)
    return np.column_stack([np.ones(n), total, squares, matrix])


def positive_ratio(numerator: FloatArray, denominator: FloatArray, scale: FloatArray) -> FloatArray:
    """numerator / denominator, NaN where the denominator is no positive variance."""
    answer = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=answer, where=denominator > 1e-12 * scale)
    return answer


def _anova(table: RatingTable) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    k = table.n_ratings // n
    squares = MeanSquares.of(square_cells(table).sum(axis=0)[None, :], k)
    return {
        name: _estimate(float(value[0]), n, f"{TITLES[name[4]]}, ANOVA{_average(name, float(k))}")
        for name, value in squares.iccs().items()
    }


def _average(name: str, k: float) -> str:
    return f", mean of k = {k:.4g} ratings" if name.endswith("k") else ", single rating"


def mixed_iccs(
    unit: FloatArray, annotator: FloatArray, residual: FloatArray, k: FloatArray, scale: FloatArray
) -> dict[str, FloatArray]:
    """Ratios of (B,) variance components; error is divided by k for the mean of k ratings.

    Form 1 takes the components of the one-way model, without annotators.
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
        name: _estimate(
            float(value[0]), n, f"{TITLES[name[4]]}, REML on all ratings{_average(name, k)}"
        )
        for name, value in values.items()
        if name[4] in forms
    }
