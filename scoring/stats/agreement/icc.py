"""Intraclass correlations: the reliability of a single rating and of the mean rating of a unit.

Names as in Shrout and Fleiss 1979: (1, .) one-way, annotators are not identified; (2, .) annotators
are a random sample and their severity counts as error (absolute agreement, A); (3, .) severity is
ignored (consistency, C). If icc_3_1 exceeds icc_2_1, annotators differ in severity.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.agreement.variance import reml
from scoring.stats.agreement.variance.mean_squares import (
    GENERALISES,
    INTERVALS,
    Exact,
    MeanSquares,
    exact_intervals,
    positive_ratio,
    square_cells,
)
from scoring.stats.agreement.variance.reml_sums import incidence
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import FloatArray, RatingTable

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
    groups, _ = scipy.sparse.csgraph.connected_components(
        scipy.sparse.csr_array(shared)[met][:, met], directed=False
    )
    if groups > 1:
        return say("undefined: the annotators fall into %(n)s groups that share no unit", n=groups)
    if shared.trace() - units - met.size + 1 < 1:
        return say("undefined: too few shared ratings to separate units, annotators and residual")
    return NOTHING


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
