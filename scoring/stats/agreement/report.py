"""Build the JSON report of `agreement` from rating tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from paraanno.common.progress import step, steps
from paraanno.common.texts import Sentence
from scoring.stats.agreement.catalogue import (
    coefficients,
    fit_of,
    leading,
    specific_agreement,
    unfit,
)
from scoring.stats.agreement.coefficients import (
    AgreementReport,
    GoldInterval,
    PassBlock,
    ScaleBlock,
    Sizes,
    extra_ratings,
    no_pairs,
)
from scoring.stats.agreement.families import (
    INDEPENDENT,
    ScaleData,
    bare,
    replicates,
    standard_errors,
    stepped_up,
    t_interval,
)
from scoring.stats.agreement.icc import NEW_ANNOTATORS, iccs, ratings_per_unit
from scoring.stats.agreement.influence import (
    LEAST_ANNOTATORS,
    Level,
    answer,
    icc_form,
    left_out,
    new_annotator_interval,
    variance_of,
    without,
)
from scoring.stats.agreement.kappa import of_single_pairs
from scoring.stats.intervals import Bootstrap, clusters_behind, few_clusters
from scoring.stats.resampling import Draws, Threshold, pass_table
from scoring.stats.table import (
    NEW_UNITS,
    Estimate,
    EstimateJson,
    FloatArray,
    IntArray,
    RatingTable,
    default_levels,
)

# The interval of the reliability of gold, for the annotators whom the verdict covers.
#
# Gold is the mean of a text's ratings, and its annotators are a sample of all who might have
# judged. So the interval of ICC(2,k) has to allow for other annotators too: leaving out texts alone
# covers the value of new annotators in .82 to .85 of samples (docs/statistics.md).


MOST_FITTED = 3_000_000  # Ratings times annotators left out in turn: a few seconds.
SINGLE = "icc_2_1"
Spread = tuple[float, int]


def gold_interval(estimates: Mapping[str, Estimate]) -> GoldInterval | None:
    """Return {ci_low, ci_high, generalises_to, new_annotators} of the ICC that `icc_form` chooses;
    None without an interval."""
    name, _ = icc_form(estimates)
    one = estimates[name]
    if one.ci_low is None or one.ci_high is None or one.generalises_to is None:
        return None
    return {
        # Of no reliability at all; what reaches further down says no more.
        "ci_low": max(one.ci_low, 0.0) if one.ci_high >= 0 else one.ci_low,
        "ci_high": one.ci_high,
        "generalises_to": one.generalises_to,
        "new_annotators": one.generalises_to.template == NEW_ANNOTATORS.template,
    }


def _for_new_annotators(
    single: Estimate, data: ScaleData, spread: Spread | None, plan: Bootstrap, clustered: bool
) -> Estimate | None:
    """Return ICC(2,1) with the interval for new clusters and new annotators, the sum of two
    variances; None with two annotators, or very many ratings."""
    table, used = data.table, data.table.used_annotators
    if single.value is None or spread is None or used.size < LEAST_ANNOTATORS:
        return None
    if table.n_ratings * used.size > MOST_FITTED:
        return None
    rest = [iccs(without(table, code))[SINGLE].value for code in steps(used.tolist())]
    values = np.array([np.nan if value is None else value for value in rest])
    new = new_annotator_interval(single.value, values, spread, plan, clustered)
    low, high, speaks_of = new["ci_low"], new["ci_high"], new["generalises_to"]
    if low is None or high is None or not speaks_of:
        return None
    return bare(single).with_interval(
        max(low, min(-1.0, single.value)),
        high,
        generalises_to=cast(Sentence, speaks_of),
        options={"interval": new["interval"], "clusters": spread[1]},
    )


def agreement_statistics(
    table: RatingTable,
    levels: FloatArray | None = None,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Estimate]:
    """Return every coefficient of the catalogue for one scale, in catalogue order.

    levels    ascending values of the full scale; default: see table.default_levels
    clusters  (n_units,) codes; intervals then leave out, or draw, whole clusters
    plan      how intervals are made; without it there are those from formulas alone, if units are
              independent
    """
    scale = default_levels(table.value) if levels is None else levels
    data = ScaleData(table, scale)
    catalogue = coefficients()
    estimates = {key: one.how.estimate(data) for key, one in catalogue.items()}
    independent = clusters is None or _alone(table, clusters)
    exact = _with_errors(estimates, data) if independent else {}
    estimates = {key: bare(one) for key, one in estimates.items()}
    if plan is None or not table.n_ratings:
        estimates = (
            estimates if independent else {**estimates, **of_single_pairs(estimates, table, None)}
        )
        return {key: exact.get(key, one) for key, one in estimates.items()}
    draws = Draws.of(table, plan, clusters)
    with step(0, 0.7):
        spread = _add_intervals(estimates, data, draws)
    if not independent:
        estimates |= of_single_pairs(estimates, table, draws.without_groups())
    new = exact.get(SINGLE)
    if new is None or new.ci_low is None:
        with step(0.7, 1):
            new = _for_new_annotators(estimates[SINGLE], data, spread, plan, clusters is not None)
        first = {} if new is None else _both(estimates, new, table)
    else:
        first = {name: exact[name] for name in ("icc_2_1", "icc_2_k")}
    return {key: _shown(one, first.get(key), exact.get(key)) for key, one in estimates.items()}


def _alone(table: RatingTable, clusters: IntArray) -> bool:
    """Whether every cluster has a single rated unit."""
    rated = clusters[table.rated_units]
    return bool(np.unique(rated).size == rated.size)


def _with_errors(estimates: Mapping[str, Estimate], data: ScaleData) -> dict[str, Estimate]:
    """Return the estimates with analytic intervals, if available, for independent units."""
    exact, table = dict(estimates), data.table
    if no_pairs(table):
        return exact
    for name, error in standard_errors(data.patterns).items():
        value = estimates[name].value
        if value is not None:
            units = table.n_pairable if name.startswith("alpha") else table.rated_units.size
            low, high = t_interval(value, error, units - 1)
            exact[name] = estimates[name].with_interval(
                low, high, generalises_to=NEW_UNITS, options={"interval": INDEPENDENT}
            )
    return exact


def _both(
    estimates: Mapping[str, Estimate], new: Estimate, table: RatingTable
) -> dict[str, Estimate]:
    """Return both forms of ICC(2,.) with the interval of the first, stepped up for the second."""
    mean = estimates["icc_2_k"]
    if mean.value is None:
        return {SINGLE: new}
    return {SINGLE: new, "icc_2_k": stepped_up(bare(mean), new, ratings_per_unit(table))}


def _shown(own: Estimate, new: Estimate | None, exact: Estimate | None) -> Estimate:
    """Choose the first of two intervals; the other is reported as second.

    own    by leaving out (or drawing) clusters; without an interval there is no other either
    new    of ICC(2,.) for new annotators: comes first, because leaving out units alone covers the
           population ICC(2,.) in only three cases of four
    exact  from a formula for independent units
    """
    if own.ci_low is None:
        return own
    if new is not None and new.ci_low is not None:
        return new.with_second(own)
    return own if exact is None else own.with_second(exact)


def _add_intervals(estimates: dict[str, Estimate], data: ScaleData, draws: Draws) -> Spread | None:
    """Add to every defined estimate its interval, or the reason why it has none. Return the
    variance of ICC(2,1) over clusters with their number."""
    defined = {
        key: one.how for key, one in coefficients().items() if estimates[key].value is not None
    }
    if draws.groups < 2:
        for key in defined:
            estimates[key] = draws.attach(estimates[key], np.zeros(0))
        return None
    spread = None
    for made_by, values in replicates(defined, data, draws):
        for key, one in values.items():
            estimates[key] = defined[key].attach(estimates[key], one, made_by, data)
            if key == SINGLE:
                spread = variance_of(one, made_by, data.pairable)
    return spread


def agreement_report(
    tables: Mapping[str, RatingTable],
    *,
    levels: Mapping[str, FloatArray] | None = None,
    thresholds: Mapping[str, Threshold] | None = None,
    kinds: Mapping[str, Level] | None = None,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> AgreementReport:
    """Return {scales: {S: {n_units, n_annotators, n_ratings, answer, left_out, STAT: {...}}}}.

    kinds: level of measurement of each scale, default ordinal; `influence.answer` depends on it.
    With thresholds also {passes: {S: ..., ALL: ...}}: agreement on pass decisions, per scale with a
    threshold, and for all of them jointly if there are two or more.
    """
    scale_levels, limits = levels or {}, dict(thresholds or {})
    sets = {scale: {scale: limit} for scale, limit in limits.items()}
    if len(limits) > 1:
        sets["ALL"] = limits
    share = len(tables) / max(1, len(tables) + len(sets))
    with step(0, share):
        report: AgreementReport = {
            "scales": {
                scale: _scale(
                    tables[scale],
                    scale_levels.get(scale),
                    (kinds or {}).get(scale, "ordinal"),
                    clusters,
                    plan,
                )
                for scale in steps(list(tables))
            }
        }
    if sets:
        with step(share, 1):
            report["passes"] = {
                name: _passes(tables, sets[name], clusters, plan) for name in steps(list(sets))
            }
    report["warning"] = few_clusters(clusters_behind(report))
    return report


def _scale(
    table: RatingTable,
    levels: FloatArray | None,
    kind: Level,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> ScaleBlock:
    estimates = agreement_statistics(table, levels, clusters=clusters, plan=plan)
    data = ScaleData(table, default_levels(table.value) if levels is None else levels)
    fit = fit_of(kind, data.levels.size)
    gold = gold_interval(estimates) if fit == "ordered" else None
    sizes = _sizes(table)
    summary = answer(estimates, kind, _groups(table, clusters, least=2), gold, fit)
    block: ScaleBlock = {
        "n_units": sizes["n_units"],
        "n_annotators": sizes["n_annotators"],
        "n_ratings": sizes["n_ratings"],
        "groups": _groups(table, clusters),
        "answer": summary,
        "leads": list(leading(summary)),
        "unfit": unfit(summary),
        "left_out": left_out(table),
    }
    block["extra_ratings"] = extra_ratings(table, clusters)
    if fit != "ordered":
        block["specific"] = _estimates(specific_agreement(data, clusters=clusters, plan=plan))
    return cast(ScaleBlock, {**block, **_estimates(estimates)})


def _groups(table: RatingTable, clusters: IntArray | None, least: int = 1) -> int:
    """Return the number of clusters (or units) with a unit that has so many ratings."""
    rated = np.flatnonzero(table.ratings_per_unit >= least)
    return int((rated if clusters is None else np.unique(clusters[rated])).size)


def _sizes(table: RatingTable) -> Sizes:
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
) -> PassBlock:
    table, levels = pass_table(tables, thresholds), np.array([0.0, 1.0])
    estimates = agreement_statistics(table, levels, clusters=clusters, plan=plan)
    each = specific_agreement(ScaleData(table, levels), clusters=clusters, plan=plan)
    block: PassBlock = {
        "thresholds": {scale: limit.value for scale, limit in thresholds.items()},
        "share": float(table.value.mean()) if table.n_ratings else None,
        **_sizes(table),
        "leads": list(leading(None)),
        "unfit": unfit(None),
        "specific": _estimates(each),
        "groups": _groups(table, clusters),
        "left_out": left_out(table),
    }
    return cast(PassBlock, {**block, **_estimates(estimates)})


def _estimates(estimates: Mapping[str, Estimate]) -> dict[str, EstimateJson]:
    return {name: estimate.as_json() for name, estimate in estimates.items()}
