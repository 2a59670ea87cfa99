"""Comparison of every pair of systems on shared items, and significance clusters of systems.

An item's value for a system is the mean over the judged rows of the system's texts for the item. A
text produced by both systems has the same rows for both: such items are exact ties and are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, cast

import numpy as np

from paraanno.common.progress import steps
from paraanno.common.texts import say
from scoring.stats.intervals import Bootstrap
from scoring.stats.significance.paired import decision_clustering
from scoring.stats.significance.swaps import (
    TestResult,
    compact_letters,
    holm,
    max_t,
    mcnemar,
    mcnemar_clustered,
    rank_intervals,
    ranked_groups,
    sign_flip,
)
from scoring.stats.systems.values import (
    PASS_ALL,
    Cluster,
    Entries,
    Interval,
    McNemar,
    Outcome,
    PairCountsJson,
    PairDifference,
    PairTest,
    SystemPair,
    SystemPairRow,
    SystemTexts,
    ratio_intervals,
)
from scoring.stats.table import ITEMS, BoolArray, FloatArray, IntArray

ALPHA = 0.05
MOST_SYSTEMS = 40
SLACK = 1e-9
NO_DECISION = say("undefined: no decision on both systems")
NONE_DIFFERS = say("no decision differs between the two")
SWAPS_PER_PAIR = 40  # So that p by Holm can fall to half the level, however many pairs.
RULE = (
    "Systems in order of their value; a line is drawn between two neighbours where every system "
    "above is better than every system below with p < 0.05 (permutation by cluster, adjusted over "
    "all pairs by step-down max-T). Systems between two lines form one cluster, in which some may "
    "still be told apart: two systems share a letter exactly if that test does not tell them "
    "apart. Rank intervals contain the ranks of all systems together with 95 %. Without "
    "adjustment, as in the WMT shared tasks, more lines are drawn, some of them by chance."
)


@dataclass(frozen=True, eq=False)
class Pairing:
    """Pairs of systems and their texts, the same for all outcomes.

    texts    (K, I) number of texts of each system for each item
    shared   (P, I) number of texts produced by both systems of a pair
    cluster  (I,) cluster code of each item, from 0 without gaps
    """

    pairs: list[tuple[int, int]]
    texts: IntArray
    shared: IntArray
    cluster: IntArray

    @property
    def n_clusters(self) -> int:
        return int(self.cluster.max(initial=-1)) + 1


def pairing(systems: SystemTexts, item: IntArray, phrase: IntArray | None) -> Pairing:
    """Build the pairs of systems. item, phrase: (U,) codes of the units."""
    unit, system = systems.made
    items, at = np.unique(item, return_inverse=True)
    cluster = np.zeros(items.size, dtype=np.int64)
    cluster[at] = item if phrase is None else phrase
    made = np.zeros((len(systems.labels), item.size), dtype=bool)
    made[system, unit] = True
    pairs = list(combinations(range(len(systems.labels)), 2))
    shape = (len(systems.labels), items.size)
    texts = np.bincount(system * items.size + at[unit], minlength=shape[0] * shape[1])
    shared = [np.bincount(at[made[a] & made[b]], minlength=items.size) for a, b in pairs]
    return Pairing(
        pairs,
        texts.reshape(shape),
        np.array(shared, dtype=np.int64).reshape(len(pairs), -1),
        np.unique(cluster, return_inverse=True)[1],
    )


def system_pairs(
    entries: Entries,
    outcomes: Sequence[Outcome],
    pairs: Pairing,
    items: IntArray,
    *,
    plan: Bootstrap,
    permutations: int,
) -> list[SystemPair]:
    """Return one dict per outcome and pair, with p-values adjusted within an outcome.

    items  (I,) the item codes of `pairs`, ascending
    """
    comparisons = []
    for outcome in steps(outcomes):
        value = _by_key(entries, outcome, np.searchsorted(items, entries.item), items.size)
        rows = _one_outcome(entries, outcome, pairs, value, plan, permutations)
        if outcome.name == PASS_ALL:
            decisions, item = _decisions(entries, outcome)
            cluster = pairs.cluster[np.searchsorted(items, item)]
            for row, (a, b) in steps(list(zip(rows, pairs.pairs, strict=True))):
                row["mcnemar"] = _mcnemar(decisions[a] - decisions[b], cluster, entries)
        comparisons += rows
    return comparisons


def _by_key(entries: Entries, outcome: Outcome, key: IntArray, n_keys: int) -> FloatArray:
    """Return the (K, n_keys) mean value of each system by key of its rows; NaN without rows."""
    value = outcome.value[entries.row]
    there = ~np.isnan(value)
    cell = entries.system[there] * n_keys + key[entries.row[there]]
    size = len(entries.labels) * n_keys
    n = np.bincount(cell, minlength=size)
    mean = np.full(size, np.nan)
    np.divide(np.bincount(cell, value[there], minlength=size), n, out=mean, where=n > 0)
    return mean.reshape(len(entries.labels), n_keys)


def _decisions(entries: Entries, outcome: Outcome) -> tuple[FloatArray, IntArray]:
    """Return (K, N) decisions on one item by one annotator (by gold: on one item), and the (N,)
    items."""
    width = int(entries.annotator.max(initial=0)) + 1
    keys, key = np.unique(entries.item * width + entries.annotator, return_inverse=True)
    return _by_key(entries, outcome, key, keys.size), keys // width


def _one_outcome(
    entries: Entries,
    outcome: Outcome,
    pairs: Pairing,
    value: FloatArray,
    plan: Bootstrap,
    permutations: int,
) -> list[SystemPair]:
    shape = (len(pairs.pairs), pairs.n_clusters)
    total, number = np.zeros(shape), np.zeros(shape)
    both: list[BoolArray] = []
    for row, (a, b) in enumerate(pairs.pairs):
        gap = value[a] - value[b]
        there = ~np.isnan(gap)
        total[row] = np.bincount(pairs.cluster[there], gap[there], minlength=shape[1])
        number[row] = np.bincount(pairs.cluster[there], minlength=shape[1])
        both.append(there)
    swaps = max(permutations, SWAPS_PER_PAIR * len(pairs.pairs))
    tests = sign_flip(total, number > 0, permutations=swaps, seed=plan.seed)
    adjusted = holm([test.p_value for test in tests])
    together = max_t(total, number > 0, permutations=permutations, seed=plan.seed)
    span = outcome.ends[1] - outcome.ends[0]
    intervals = ratio_intervals(total.T, number.T, plan, entries.clusters_are, ends=(-span, span))
    rows: list[SystemPairRow] = [
        {
            "outcome": outcome.name,
            "scale": outcome.scale,
            "a": entries.labels[a],
            "b": entries.labels[b],
            **_counts(pairs, row, both[row]),
            **_difference(value[a][both[row]], value[b][both[row]], intervals[row]),
            **_p_value(tests[row], adjusted[row], together[row]),
        }
        for row, (a, b) in enumerate(pairs.pairs)
    ]
    return cast(list[SystemPair], rows)


def _counts(pairs: Pairing, row: int, there: BoolArray) -> PairCountsJson:
    """Count items with texts of both systems, with values of both, and with exact ties."""
    a, b = pairs.pairs[row]
    first, second, shared = pairs.texts[a], pairs.texts[b], pairs.shared[row]
    same = (shared == first) & (shared == second)
    return {
        "items": int(((first > 0) & (second > 0)).sum()),
        "n": int(there.sum()),
        "ties": int((same & there).sum()),
    }


def _difference(a: FloatArray, b: FloatArray, interval: Interval) -> PairDifference:
    has_values = a.size > 0
    return {
        "a_value": float(a.mean()) if has_values else None,
        "b_value": float(b.mean()) if has_values else None,
        "difference": float((a - b).mean()) if has_values else None,
        "interval": interval.as_json(),
    }


def _p_value(test: TestResult, adjusted: float | None, together: float | None) -> PairTest:
    return {
        "p_value": test.p_value,
        "p_holm": adjusted,
        "p_max_t": together,
        "method": test.method,
        "reason": test.reason or None,
    }


def _mcnemar(gap: FloatArray, cluster: IntArray, entries: Entries) -> McNemar:
    """Test the pass decisions by McNemar; several texts of one item count by their pass rate.

    gap  (N,) decision on the first minus that on the second; NaN where one is missing
    """
    there = ~np.isnan(gap)
    sign = np.where(np.abs(gap[there]) > SLACK, np.sign(gap[there]), 0.0)
    only_a, only_b, n = int((sign > 0).sum()), int((sign < 0).sum()), int(sign.size)
    codes = np.unique(cluster[there], return_inverse=True)[1]
    by_cluster = np.bincount(codes, sign).astype(np.float64)
    test, robust = mcnemar(only_a, only_b), mcnemar_clustered(by_cluster)
    none = NO_DECISION if n == 0 else NONE_DIFFERS if only_a + only_b == 0 else None
    pairs_are = ITEMS if entries.by_gold else say("decisions of one annotator on one item")
    return {
        "p_value": test.p_value if n else None,
        "p_clustered": robust.p_value,
        "level": decision_clustering(by_cluster, only_a + only_b).level,
        "better": None if only_a == only_b else "a" if only_a > only_b else "b",
        "only_a": only_a,
        "only_b": only_b,
        "concordant": n - only_a - only_b,
        "n": n,
        "method": say(
            "%(method)s, %(clusters)s assumed independent", method=test.method, clusters=pairs_are
        ),
        "method_clustered": robust.method,
        "reason": none,
        "reason_clustered": none or robust.reason or None,
    }


def clusters_of(
    outcome: Outcome,
    values: Sequence[float | None],
    rows: Sequence[SystemPair],
    labels: Sequence[str],
) -> Cluster:
    """Return systems in order, with their compact letters and rank intervals, grouped by RULE, and
    grouped without adjustment (`groups_unadjusted`); `without` lists those without a value.

    Letters, ranks and groups come from one test: max-T with p below ALPHA.
    values  (K,) of the systems; rows  the pairs of this outcome
    """
    sign = 1 if outcome.higher_is_better else -1
    defined = {label: sign * v for v, label in zip(values, labels, strict=True) if v is not None}
    better = _better(rows, sign, "p_max_t")
    groups = ranked_groups(defined, better)
    return {
        "outcome": outcome.name,
        "scale": outcome.scale,
        "groups": groups,
        "letters": compact_letters([name for group in groups for name in group], better),
        "groups_unadjusted": ranked_groups(defined, _better(rows, sign, "p_value")),
        "ranks": {label: list(ends) for label, ends in rank_intervals(defined, better).items()},
        "without": [label for label in labels if label not in defined],
    }


def _better(
    rows: Sequence[SystemPair], sign: int, name: Literal["p_max_t", "p_value"]
) -> set[tuple[str, str]]:
    """Return the pairs (the better, the worse) with p below the level."""
    better = set()
    for row in rows:
        p, gap = row[name], row["difference"]
        if p is not None and p < ALPHA and gap is not None:
            better.add((row["a"], row["b"]) if sign * gap > 0 else (row["b"], row["a"]))
    return better
