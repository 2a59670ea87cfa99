"""Build the JSON report of `agreement` from rating tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from paraanno.common.progress import step, steps
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
    Family,
    OfReliability,
    ScaleData,
    replicates,
    standard_errors,
    t_interval,
)
from scoring.stats.agreement.icc import GENERALISES, iccs, ratings_per_unit, stepped
from scoring.stats.agreement.influence import (
    LEAST_ANNOTATORS,
    Level,
    answer,
    icc_form,
    left_out,
    new_annotator_interval,
    unit_variances,
    without,
)
from scoring.stats.resampling import LEAST_GROUPS, Bootstrap, Draws, Threshold, pass_table
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
# judged. So the interval of ICC(2,k) has to allow for other annotators too: drawing texts alone
# covers the value of new annotators in .82 to .85 of samples (docs/statistics.md).


MOST_FITTED = 3_000_000  # Ratings times annotators left out in turn: a few seconds.
SINGLE = "icc_2_1"


def gold_interval(
    found: Mapping[str, Estimate],
    data: ScaleData,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> GoldInterval | None:
    """Return {ci_low, ci_high, generalises_to, new_annotators} of the ICC that `icc_form` chooses.

    ICC(2,k): McGraw and Wong's interval for complete ratings of independent units; else that of
    ICC(2,1) for new units and new annotators (`new_annotator_interval`), stepped up to k ratings.
    With two annotators, very many ratings, or unknown annotators (ICC(1,k)) only for these
    annotators. None without any.
    """
    name, _ = icc_form(found)
    one = found[name]
    if one.value is None:
        return None
    exact = one.generalises_to == GENERALISES["2"]
    if exact and clusters is None:
        return _interval(one.ci_low, one.ci_high, one.generalises_to, new=True)
    if name == "icc_2_k":
        new = _for_new_annotators(found, data, clusters, plan)
        if new is not None:
            return new
    if not exact:
        return _interval(one.ci_low, one.ci_high, one.generalises_to, new=False)
    drawn = next(iter(one.details.get("also", ())), None)
    if drawn is None:
        return None
    return _interval(drawn["ci_low"], drawn["ci_high"], drawn["generalises_to"], new=False)


def _for_new_annotators(
    found: Mapping[str, Estimate],
    data: ScaleData,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> GoldInterval | None:
    table = data.table
    used, single = table.used_annotators, found[SINGLE].value
    if plan is None or not plan.replicates or single is None or used.size < LEAST_ANNOTATORS:
        return None
    if table.n_ratings * used.size > MOST_FITTED:
        return None
    with step(0, 0.5):
        left_out = [iccs(without(table, code))[SINGLE].value for code in steps(used.tolist())]
    known = np.array([np.nan if value is None else value for value in left_out])
    with step(0.5, 1):
        spread = unit_variances(table, data.levels, (SINGLE,), Draws.of(table, plan, clusters))
    new = new_annotator_interval(single, known, spread.get(SINGLE), plan, clusters)
    low, high = new["ci_low"], new["ci_high"]
    if low is None or high is None:
        return None
    k = ratings_per_unit(table)
    # An interval that reaches below 0 would step up to anything: 0 is the mean of k of nothing.
    ends = stepped(max(low, 0.0), k), stepped(max(high, 0.0), k)
    return _interval(*ends, new["generalises_to"], new=True)


def _interval(
    low: float | None, high: float | None, speaks_of: str | None, *, new: bool
) -> GoldInterval | None:
    if low is None or high is None or not speaks_of:
        return None
    return {"ci_low": low, "ci_high": high, "generalises_to": speaks_of, "new_annotators": new}


def agreement_statistics(
    table: RatingTable,
    levels: FloatArray | None = None,
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Estimate]:
    """Return every coefficient of the catalogue for one scale, in catalogue order.

    levels    ascending values of the full scale; default: see table.default_levels
    clusters  (n_units,) codes; intervals then resample whole clusters
    plan      intervals are computed if it asks for replicates
    """
    scale = default_levels(table.value) if levels is None else levels
    data = ScaleData(table, scale)
    known = coefficients()
    found = {key: one.how.estimate(data) for key, one in known.items()}
    exact = {**found} if clusters is not None else _with_errors(found, data)
    if plan is not None and plan.replicates > 0 and table.n_ratings:
        _add_intervals(found, data, Draws.of(table, plan, clusters))
    return {key: _shown(one.how, found[key], exact[key]) for key, one in known.items()}


def _with_errors(found: Mapping[str, Estimate], data: ScaleData) -> dict[str, Estimate]:
    """Return the estimates with analytic intervals, if available, for independent units."""
    exact, table = dict(found), data.table
    if no_pairs(table):
        return exact
    for name, error in standard_errors(data.patterns).items():
        value = found[name].value
        if value is not None:
            units = table.n_pairable if name.startswith("alpha") else table.rated_units.size
            low, high = t_interval(value, error, units - 1)
            exact[name] = found[name].with_interval(
                low, high, generalises_to=NEW_UNITS, options={"interval": INDEPENDENT}
            )
    return exact


def _shown(how: Family, drawn: Estimate, exact: Estimate) -> Estimate:
    """Choose the primary of two intervals; the other is reported as secondary.

    The resampling interval respects clusters and assumes no distribution, so it comes first if
    available. But resampling only units ignores the sampling of annotators, and covers the
    population ICC(2,.) in only three cases of four: there the exact interval comes first.
    """
    if drawn.seed is None:
        return replace(exact, options={**drawn.options, **exact.options})
    if isinstance(how, OfReliability) and how.form == "2" and exact.ci_low is not None:
        return exact.with_second(drawn)
    return drawn.with_second(exact)


def _add_intervals(found: dict[str, Estimate], data: ScaleData, draws: Draws) -> None:
    """Add to every defined estimate its resampling interval, or the reason why it has none."""
    defined = {key: one.how for key, one in coefficients().items() if found[key].value is not None}
    if draws.groups < LEAST_GROUPS:
        for key in defined:
            found[key] = draws.attach(found[key], np.zeros(0))
        return
    for made_by, values in replicates(defined, data, draws):
        for key, one in values.items():
            found[key] = defined[key].attach(found[key], one, made_by)


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

    kinds: level of measurement of each scale, default ordinal; `answer` depends on it (`trust`).
    With thresholds also {passes: {S: ..., ALL: ...}}: agreement on pass decisions, per scale with a
    threshold, and for all of them jointly if there are two or more.
    """
    known, limits = levels or {}, dict(thresholds or {})
    sets = {scale: {scale: limit} for scale, limit in limits.items()}
    if len(limits) > 1:
        sets["ALL"] = limits
    share = len(tables) / max(1, len(tables) + len(sets))
    with step(0, share):
        report: AgreementReport = {
            "scales": {
                scale: _scale(
                    tables[scale],
                    known.get(scale),
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
    return report


def _scale(
    table: RatingTable,
    levels: FloatArray | None,
    kind: Level,
    clusters: IntArray | None,
    plan: Bootstrap | None,
) -> ScaleBlock:
    with step(0, 0.5):
        found = agreement_statistics(table, levels, clusters=clusters, plan=plan)
    data = ScaleData(table, default_levels(table.value) if levels is None else levels)
    fit = fit_of(kind, data.levels.size)
    with step(0.5, 1):
        gold = gold_interval(found, data, clusters, plan) if fit == "ordered" else None
    sizes = _sizes(table)
    said = answer(found, kind, _groups(table, clusters), gold, fit)
    block: ScaleBlock = {
        "n_units": sizes["n_units"],
        "n_annotators": sizes["n_annotators"],
        "n_ratings": sizes["n_ratings"],
        "groups": _groups(table, clusters),
        "answer": said,
        "leads": list(leading(said)),
        "unfit": unfit(said),
        "left_out": left_out(table),
    }
    block["extra_ratings"] = extra_ratings(table, clusters)
    if fit != "ordered":
        block["specific"] = _estimates(specific_agreement(data, clusters=clusters, plan=plan))
    return cast(ScaleBlock, {**block, **_estimates(found)})


def _groups(table: RatingTable, clusters: IntArray | None) -> int:
    rated = table.rated_units
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
    found = agreement_statistics(table, levels, clusters=clusters, plan=plan)
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
    return cast(PassBlock, {**block, **_estimates(found)})


def _estimates(found: Mapping[str, Estimate]) -> dict[str, EstimateJson]:
    return {name: estimate.as_json() for name, estimate in found.items()}
