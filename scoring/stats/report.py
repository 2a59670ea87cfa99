"""The JSON of `agreement`, made from tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.stats import agreement, counts
from scoring.stats.analytic import INDEPENDENT, standard_errors, t_interval
from scoring.stats.concordance import kendall_replicates, kendall_w
from scoring.stats.counts import Patterns
from scoring.stats.estimate import Estimate
from scoring.stats.kappa import WEIGHTS, cohen_kappas, kappa_replicates
from scoring.stats.passes import Threshold, pass_table
from scoring.stats.reliability import iccs
from scoring.stats.reliability_many import icc_replicates
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws, count_replicates
from scoring.stats.table import FloatArray, IntArray, RatingTable, default_levels
from scoring.stats.trust import Level, answer, left_out

OF_PAIRS = dict(
    zip(
        WEIGHTS,
        ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi"),
        strict=True,
    )
)
OF_COUNTS: dict[str, counts.Statistic] = {
    "percent_agreement": counts.percent_agreement,
    "within_one": counts.within_one,
    "fleiss_kappa": counts.fleiss_kappa,
    "alpha_nominal": counts.alpha_nominal,
    "alpha_ordinal": counts.alpha_ordinal,
    "alpha_interval": counts.alpha_interval,
    "gwet_ac1": counts.gwet_ac1,
    "gwet_ac2": counts.gwet_ac2,
    "brennan_prediger": counts.brennan_prediger,
}
STATISTICS = (
    "percent_agreement", "within_one", "cohen_kappa", "cohen_kappa_linear",
    "cohen_kappa_quadratic", "fleiss_kappa", "alpha_nominal", "alpha_ordinal", "alpha_interval",
    "gwet_ac1", "gwet_ac2", "kendall_w",
    "icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k",
    "brennan_prediger", "scott_pi",
)  # fmt: skip


def agreement_statistics(
    table: RatingTable,
    levels: FloatArray | None = None,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Estimate]:
    """Every coefficient of STATISTICS for one scale.

    levels    ascending values of the whole scale; default: see table.default_levels
    clusters  (n_units,) codes; intervals then draw whole clusters
    plan      intervals are made where it asks for replicates
    """
    scale = default_levels(table.value) if levels is None else levels
    kappas = cohen_kappas(table)
    found = {
        "percent_agreement": agreement.percent_agreement(table),
        "within_one": agreement.within_one(table),
        "fleiss_kappa": agreement.fleiss_kappa(table),
        "alpha_nominal": agreement.alpha_nominal(table),
        "alpha_ordinal": agreement.alpha_ordinal(table),
        "alpha_interval": agreement.alpha_interval(table),
        "gwet_ac1": agreement.gwet_ac1(table, scale),
        "gwet_ac2": agreement.gwet_ac2(table, scale),
        "brennan_prediger": agreement.brennan_prediger(table, scale),
        **{OF_PAIRS[weight]: value for weight, value in kappas.items()},
        "kendall_w": kendall_w(table),
        **iccs(table),
    }
    exact = {**found} if clusters is not None else _with_errors(found, table, scale)
    if plan is not None and plan.replicates > 0 and table.n_ratings:
        _add_intervals(found, table, scale, Draws.of(table, plan, clusters))
    return {name: _shown(name, found[name], exact[name]) for name in STATISTICS}


def _with_errors(
    found: Mapping[str, Estimate], table: RatingTable, levels: FloatArray
) -> dict[str, Estimate]:
    """The estimates with the intervals that there are formulas for, units independent."""
    exact = dict(found)
    if not table.n_ratings:
        return exact
    for name, error in standard_errors(Patterns.of(table, levels)).items():
        value = found[name].value
        if value is not None:
            units = table.n_pairable if name.startswith("alpha") else table.rated_units.size
            low, high = t_interval(value, error, units - 1)
            exact[name] = found[name].with_interval(
                low, high, generalises_to="new units", options={"interval": INDEPENDENT}
            )
    return exact


def _shown(name: str, drawn: Estimate, exact: Estimate) -> Estimate:
    """Which of two intervals is the estimate's own; the other stands beside it.

    Resampling keeps clusters together and assumes no distribution, so it goes first where there
    is one. But drawing units alone says nothing of new annotators, and covers a population's
    ICC(2,.) in three cases of four: there the exact interval goes first.
    """
    if drawn.seed is None:
        return replace(exact, options={**drawn.options, **exact.options})
    if name.startswith("icc_2") and exact.ci_low is not None:
        return exact.with_second(drawn)
    return drawn.with_second(exact)


def _add_intervals(
    found: dict[str, Estimate], table: RatingTable, levels: FloatArray, draws: Draws
) -> None:
    """Give every estimate that has a value its interval, or the reason why it has none."""
    defined = {name for name, estimate in found.items() if estimate.value is not None}
    if draws.groups < LEAST_GROUPS:
        for name in defined:
            found[name] = draws.attach(found[name], np.zeros(0))
        return

    def give(made_by: Draws, replicates: Mapping[str, FloatArray]) -> None:
        for name, values in replicates.items():
            found[name] = made_by.attach(found[name], values)

    if wanted := {name: f for name, f in OF_COUNTS.items() if name in defined}:
        give(draws, count_replicates(Patterns.of(table, levels), wanted, draws))
    if defined.intersection(OF_PAIRS.values()):
        made_by, kappas = kappa_replicates(table, draws)
        give(made_by, {OF_PAIRS[weight]: values for weight, values in kappas.items()})
    if "kendall_w" in defined:
        made_by, concordance = kendall_replicates(table, draws)
        give(made_by, {"kendall_w": concordance})
    forms = "".join(form for form in "123" if f"icc_{form}_1" in defined)
    if forms:
        for made_by, coefficients in icc_replicates(table, draws, forms):
            give(made_by, coefficients)


def agreement_report(
    tables: Mapping[str, RatingTable],
    *,
    levels: Mapping[str, FloatArray] | None = None,
    thresholds: Mapping[str, Threshold] | None = None,
    kinds: Mapping[str, Level] | None = None,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Any]:
    """{scales: {S: {n_units, n_annotators, n_ratings, answer, left_out, STAT: {...}}}}.

    kinds: the level of each scale, by default ordinal; `answer` (see `trust`) rests on it.
    With thresholds also {passes: {S: ..., ALL: ...}}: agreement on who passes, per scale with a
    threshold and on all of them together (where there are two or more).
    """
    known = levels or {}
    report: dict[str, Any] = {"scales": {}}
    for scale, table in tables.items():
        found = agreement_statistics(table, known.get(scale), clusters=clusters, plan=plan)
        kind = (kinds or {}).get(scale, "ordinal")
        report["scales"][scale] = {
            **_sizes(table),
            "groups": _groups(table, clusters),
            "answer": answer(found, kind, _groups(table, clusters)),
            "left_out": left_out(table),
            **{name: e.as_json() for name, e in found.items()},
        }
    limits = dict(thresholds or {})
    if limits:
        sets = {scale: {scale: limit} for scale, limit in limits.items()}
        report["passes"] = {
            name: _passes(tables, chosen, clusters, plan)
            for name, chosen in (sets | ({"ALL": limits} if len(limits) > 1 else {})).items()
        }
    return report


def _groups(table: RatingTable, clusters: IntArray | None) -> int:
    rated = table.rated_units
    return int((rated if clusters is None else np.unique(clusters[rated])).size)


def _sizes(table: RatingTable) -> dict[str, int | None]:
    return {
        "n_units": int(table.rated_units.size),
        "n_annotators": None if table.anonymous else int(table.used_annotators.size),
        "n_ratings": table.n_ratings,
    }


def _passes(
    tables: Mapping[str, RatingTable],
    thresholds: Mapping[str, Threshold],
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> dict[str, Any]:
    table = pass_table(tables, thresholds)
    found = agreement_statistics(table, np.array([0.0, 1.0]), clusters=clusters, plan=plan)
    return {
        "thresholds": {scale: limit.value for scale, limit in thresholds.items()},
        "share": float(table.value.mean()) if table.n_ratings else None,
        **_sizes(table),
        "groups": _groups(table, clusters),
        "left_out": left_out(table),
        **{name: estimate.as_json() for name, estimate in found.items()},
    }
