"""The JSON of `agreement` and `correlate`, made from tables and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from scoring.stats import agreement, counts
from scoring.stats.correlation import (
    MOST_PAIRS,
    cluster_pairs,
    direction,
    kendall,
    number_of_pairs,
    pairwise_accuracy,
    pearson,
    pearson_replicates,
    spearman,
)
from scoring.stats.counts import Patterns
from scoring.stats.estimate import Estimate
from scoring.stats.kappa import WEIGHTS, cohen_kappas
from scoring.stats.passes import Threshold, pass_table
from scoring.stats.reliability import iccs
from scoring.stats.resampling import Bootstrap, attach, count_replicates, table_replicates
from scoring.stats.significance import TestResult, mcnemar, permutation, williams
from scoring.stats.table import FloatArray, IntArray, RatingTable, default_levels

COHEN = dict(
    zip(WEIGHTS, ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"), strict=True)
)
STATISTICS = (
    "percent_agreement", "within_one", *COHEN.values(), "fleiss_kappa", "alpha_nominal",
    "alpha_ordinal", "alpha_interval", "gwet_ac1", "gwet_ac2", "kendall_w",
    "icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k",
)  # fmt: skip
OF_COUNTS: dict[str, counts.Statistic] = {
    "percent_agreement": counts.percent_agreement,
    "within_one": counts.within_one,
    "fleiss_kappa": counts.fleiss_kappa,
    "alpha_nominal": counts.alpha_nominal,
    "alpha_ordinal": counts.alpha_ordinal,
    "alpha_interval": counts.alpha_interval,
    "gwet_ac1": counts.gwet_ac1,
    "gwet_ac2": counts.gwet_ac2,
}
OF_PASS = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "alpha_nominal", "gwet_ac1")


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
    found = {
        "percent_agreement": agreement.percent_agreement(table),
        "within_one": agreement.within_one(table),
        "fleiss_kappa": agreement.fleiss_kappa(table),
        "alpha_nominal": agreement.alpha_nominal(table),
        "alpha_ordinal": agreement.alpha_ordinal(table),
        "alpha_interval": agreement.alpha_interval(table),
        "gwet_ac1": agreement.gwet_ac1(table, scale),
        "gwet_ac2": agreement.gwet_ac2(table, scale),
        **_of_identities(table),
    }
    if plan is not None and plan.replicates > 0 and table.n_ratings:
        replicates = _replicates(table, scale, found, clusters, plan)
        groups = table.rated_units if clusters is None else clusters[table.rated_units]
        size = np.unique(groups).size
        for name, values in replicates.items():
            found[name] = attach(found[name], values, plan, size, clusters is not None)
    return {name: found[name] for name in STATISTICS}


def _of_identities(table: RatingTable) -> dict[str, Estimate]:
    """The statistics that need to know who rated."""
    kappas = {COHEN[weight]: value for weight, value in cohen_kappas(table).items()}
    return {**kappas, "kendall_w": agreement.kendall_w(table), **iccs(table)}


def _replicates(
    table: RatingTable,
    levels: FloatArray,
    found: Mapping[str, Estimate],
    clusters: IntArray | None,
    plan: Bootstrap,
) -> dict[str, FloatArray]:
    own = None
    if clusters is not None:
        own = np.unique(clusters[table.rated_units], return_inverse=True)[1].astype(np.int64)
    wanted = {name: f for name, f in OF_COUNTS.items() if found[name].value is not None}
    replicates = count_replicates(Patterns.of(table, levels), wanted, plan, own) if wanted else {}
    if any(found[name].value is not None for name in found if name not in OF_COUNTS):
        replicates |= table_replicates(table, _of_identities, plan, own)
    return replicates


def agreement_report(
    tables: Mapping[str, RatingTable],
    *,
    levels: Mapping[str, FloatArray] | None = None,
    thresholds: Mapping[str, Threshold] | None = None,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Any]:
    """{scales: {S: {n_units, n_annotators, n_ratings, STAT: {...}}}}.

    With thresholds also {passes: {S: ..., ALL: ...}}: agreement on who passes, per scale with a
    threshold and on all of them together (where there are two or more).
    """
    known = levels or {}
    report: dict[str, Any] = {"scales": {}}
    for scale, table in tables.items():
        found = agreement_statistics(table, known.get(scale), clusters=clusters, plan=plan)
        report["scales"][scale] = {
            **_sizes(table),
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
        **{name: found[name].as_json() for name in OF_PASS},
    }


@dataclass(frozen=True, eq=False)
class _Comparison:
    human: FloatArray
    first: FloatArray
    second: FloatArray
    clusters: IntArray | None
    plan: Bootstrap
    permutations: int


def correlation_report(
    human: Mapping[str, FloatArray],
    metrics: Mapping[str, FloatArray],
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    permutations: int = 1000,
) -> dict[str, Any]:
    """{human: {H: {metrics: {M: {...}}, comparisons: [...]}}, n, clusters}.

    Columns are equally long, NaN = missing. Comparisons use the units where the human column and
    both metrics are present, and take larger values of every metric to mean better.
    """
    plan = plan or Bootstrap()
    report: dict[str, Any] = {"human": {}}
    for label, column in human.items():
        report["human"][label] = {
            "metrics": {
                name: {
                    "pearson": pearson(column, metric, clusters, plan).as_json(),
                    "spearman": spearman(column, metric, clusters, plan).as_json(),
                    "kendall": kendall(column, metric, clusters, plan).as_json(),
                    "pairwise_accuracy": pairwise_accuracy(
                        column, metric, clusters, plan
                    ).as_json(),
                }
                for name, metric in metrics.items()
            },
            "comparisons": [
                {
                    "a": a,
                    "b": b,
                    **_compare(
                        _Comparison(column, metrics[a], metrics[b], clusters, plan, permutations)
                    ),
                }
                for a, b in combinations(metrics, 2)
            ],
        }
    columns = [*human.values(), *metrics.values()]
    report["n"] = int(columns[0].size) if columns else 0
    report["clusters"] = None if clusters is None else int(np.unique(clusters).size)
    return report


def _compare(c: _Comparison) -> dict[str, Any]:
    rows = np.isfinite(c.human) & np.isfinite(c.first) & np.isfinite(c.second)
    h, a, b = c.human[rows], c.first[rows], c.second[rows]
    labels = np.arange(rows.size) if c.clusters is None else c.clusters
    codes = np.unique(labels[rows], return_inverse=True)[1].astype(np.int64)
    r12, r13, r23 = pearson(h, a), pearson(h, b), pearson(a, b)
    lacking = next((r.reason for r in (r12, r13) if r.reason), "")
    if r12.value is None or r13.value is None or r23.value is None:
        tests = {
            "williams_p": TestResult(None, "Williams 1959", reason=lacking or r23.reason),
            "permutation_p": TestResult(None, "permutation", reason=lacking or r23.reason),
        }
        difference = None
    else:
        tests = {
            "williams_p": williams(r12.value, r13.value, r23.value, int(h.size)),
            "permutation_p": permutation(
                h, a, b, codes, permutations=c.permutations, seed=c.plan.seed
            ),
        }
        gap = r12.value - r13.value
        difference = Estimate(gap, n=int(h.size), method="difference of Pearson, a - b")
        if c.plan.replicates:
            both = [pearson_replicates(h, column, codes, c.plan) for column in (a, b)]
            groups = np.unique(codes).size
            difference = attach(
                difference, both[0] - both[1], c.plan, groups, c.clusters is not None
            )
    tests["mcnemar_p"] = _mcnemar(h, a, b, c.clusters is not None, codes)
    return {
        **{name: test.p_value for name, test in tests.items()},
        "n": int(h.size),
        "difference": None if difference is None else difference.as_json(),
        "methods": {name: test.method for name, test in tests.items()},
        "reasons": {name: test.reason for name, test in tests.items() if test.reason},
    }


def _mcnemar(
    h: FloatArray, a: FloatArray, b: FloatArray, clustered: bool, codes: IntArray
) -> TestResult:
    """McNemar over the pairs of units that humans tell apart (White 2012)."""
    groups = codes if clustered else np.zeros(h.size, dtype=np.int64)
    method = "McNemar, exact binomial, over pairs that humans tell apart, taken as independent"
    if number_of_pairs(groups) > MOST_PAIRS:
        return TestResult(None, method, reason="undefined: too many pairs; name the clusters")
    pairs = only_first = only_second = 0
    for i, j in cluster_pairs(groups):
        people = direction(h, i, j)
        first, second = direction(a, i, j) == people, direction(b, i, j) == people
        told = people != 0
        pairs += int(told.sum())
        only_first += int((told & first & ~second).sum())
        only_second += int((told & second & ~first).sum())
    if pairs == 0:
        return TestResult(None, method, reason="undefined: humans tell no pair apart")
    found = mcnemar(only_first, only_second)
    return TestResult(found.p_value, method, found.statistic)
