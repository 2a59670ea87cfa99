"""Intraclass correlations: how reliable one rating is, and the mean of the ratings collected.

Names as in Shrout and Fleiss 1979: (1, .) annotators are interchangeable noise; (2, .) annotators
are a sample and their severity counts as error (absolute agreement, A); (3, .) severity does not
count (consistency, C). A gap between icc_2_1 and icc_3_1 shows that annotators differ in severity.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import csgraph, csr_array

from scoring.stats import reml
from scoring.stats.agreement import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.mean_squares import (
    GENERALISES,
    INTERVALS,
    Exact,
    MeanSquares,
    exact_intervals,
    positive_ratio,
    square_cells,
)
from scoring.stats.reml_sums import incidence
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
    Of complete data they carry the F test of the units and its exact interval (`mean_squares`).
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
    who = incidence(table)
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


def _anova(table: RatingTable) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    k = table.n_ratings // n
    squares = MeanSquares.of(square_cells(table).sum(axis=0)[None, :], k)
    exact = exact_intervals(squares)
    return {
        name: _with_exact(
            _estimate(float(value[0]), n, f"{TITLES[name[4]]}, ANOVA{_average(name, float(k))}"),
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
