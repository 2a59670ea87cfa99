"""The JSON of `correlate`, made from columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

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
from scoring.stats.estimate import Estimate
from scoring.stats.resampling import Bootstrap, attach
from scoring.stats.significance import TestResult, mcnemar, permutation, williams
from scoring.stats.table import FloatArray, IntArray


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
