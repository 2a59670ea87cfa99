"""Intraclass correlations: how reliable one rating is, and the mean of the ratings collected.

Names as in Shrout and Fleiss 1979: (1, .) annotators are interchangeable noise; (2, .) annotators
are a sample and their severity counts as error (absolute agreement, A); (3, .) severity does not
count (consistency, C). A gap between icc_2_1 and icc_3_1 shows that annotators differ in severity.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csgraph, csr_array

from scoring.stats import reml
from scoring.stats.agreement import ANONYMOUS, NO_VARIATION, no_pairs
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import RatingTable

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
    if two_way_reason in ("", ANONYMOUS) and not reason and _balanced(table):
        answers = _anova(table)
        if two_way_reason:
            answers |= _refused(table, two_way_reason, "23")
        return answers
    answers = _refused(table, reason, "1") if reason else _mixed(table, reml.one_way(table), "1")
    if two_way_reason:
        return answers | _refused(table, two_way_reason, "23")
    return answers | _mixed(table, reml.two_way(table), "23")


def _balanced(table: RatingTable) -> bool:
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
    shared = who[np.flatnonzero(table.ratings_per_unit[table.rated_units] >= 2)]
    links = csr_array(shared.T @ shared)
    met = np.flatnonzero(links.diagonal())
    groups, _ = csgraph.connected_components(links[met][:, met], directed=False)
    if groups > 1:
        return f"undefined: the annotators fall into {groups} groups that share no unit"
    spare = int(shared.sum()) - shared.shape[0] - met.size + 1
    if spare < 1:
        return "undefined: too few shared ratings to tell units, annotators and noise apart"
    return ""


def _refused(table: RatingTable, reason: str, forms: str) -> dict[str, Estimate]:
    n = int(table.rated_units.size)
    return {
        name: undefined(reason, n=n, method=TITLES[name[4]]) for name in NAMES if name[4] in forms
    }


def _ratio(numerator: float, denominator: float, scale: float, n: int, method: str) -> Estimate:
    """numerator / denominator, undefined where the denominator is no positive variance."""
    if denominator <= 1e-12 * scale:
        return undefined(NO_SPREAD, n=n, method=method)
    return Estimate(numerator / denominator, n=n, method=method)


def _anova(table: RatingTable) -> dict[str, Estimate]:
    """Shrout and Fleiss 1979: the formulas of the six coefficients from mean squares."""
    n = int(table.rated_units.size)
    k = table.n_ratings // n
    matrix = table.by_unit[2].reshape(n, k)
    matrix = matrix - matrix.mean()
    between = k * float((matrix.mean(axis=1) ** 2).sum()) / (n - 1)
    within = float(matrix.var(axis=1, ddof=1).mean())
    raters = n * float((matrix.mean(axis=0) ** 2).sum()) / (k - 1)
    error = (within * n * (k - 1) - raters * (k - 1)) / ((n - 1) * (k - 1))
    scale = float((matrix**2).mean())
    error = error if error > 1e-12 * scale else 0.0
    between = between if between > 1e-12 * scale else 0.0
    drift = (raters - error) / n
    fractions = {
        "icc_1_1": (between - within, between + (k - 1) * within),
        "icc_2_1": (between - error, between + (k - 1) * error + k * drift),
        "icc_3_1": (between - error, between + (k - 1) * error),
        "icc_1_k": (between - within, between),
        "icc_2_k": (between - error, between + drift),
        "icc_3_k": (between - error, between),
    }
    return {
        name: _ratio(*fraction, scale, n, f"{TITLES[name[4]]}, ANOVA{_average(name, float(k))}")
        for name, fraction in fractions.items()
    }


def _average(name: str, k: float) -> str:
    return f", mean of k = {k:.4g} ratings" if name.endswith("k") else ", single rating"


def _mixed(table: RatingTable, parts: reml.Components, forms: str) -> dict[str, Estimate]:
    """Ratios of variance components; error is divided by k for the mean of k ratings."""
    n = int(table.rated_units.size)
    scale = float(table.value.var())
    answers = {}
    for name in NAMES:
        if name[4] not in forms:
            continue
        k = ratings_per_unit(table)
        error = parts.residual + (parts.annotator if name[4] == "2" else 0.0)
        noise = error / k if name.endswith("k") else error
        method = f"{TITLES[name[4]]}, REML on all ratings{_average(name, k)}"
        answers[name] = _ratio(parts.unit, parts.unit + noise, scale, n, method)
    return answers
