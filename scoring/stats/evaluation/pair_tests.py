"""Significance tests of the difference between metrics, for every pair, against one human column.

The default is a permutation test by cluster. Published tests that assume independent units are
reported as well, with the clustering of the data and a warning if it invalidates them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NotRequired, TypeAlias, TypedDict

import numpy as np

from paraanno.plain.progress import step, steps
from paraanno.plain.sentence import Sentence, say
from scoring.stats.estimate import Estimate
from scoring.stats.evaluation.catalogue import PEARSON, SPEARMAN
from scoring.stats.evaluation.pair import Comparison
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    PairDecisions,
    number_of_pairs,
    one_cluster,
    pair_decisions,
    why_undecided,
)
from scoring.stats.resampling import Bootstrap, attach
from scoring.stats.significance.clustering import (
    Clustering,
    clustering,
    correlation_shares,
    mcnemar_clustering,
)
from scoring.stats.significance.dependent import LEAST_UNITS, TESTS, zou_interval
from scoring.stats.significance.paired import Sample, mid_ranks, sample_of, standard, why_not
from scoring.stats.significance.replicates import Store, pearson_kernel, replicate, spearman_kernel
from scoring.stats.significance.swaps import FEW_CLUSTERS, swap_correlations
from scoring.stats.significance.two_metrics import (
    SAME,
    TestResult,
    holm,
    mcnemar,
    mcnemar_clustered,
    sign_flip,
    swap_method,
)
from scoring.stats.table import FloatArray, IntArray

CLUSTERED = say("McNemar, clustered (Obuchowski 1998), over pairs not tied by humans")
MCNEMAR = say("McNemar, exact binomial, over pairs not tied by humans, assumed independent")
ACCURACY = say("difference of pairwise accuracy, a - b, a metric tie counts half")
NO_CLUSTERS = say("undefined: needs the column of the originals")
# Permutation p-values and the names of their Holm-adjusted forms.
FAMILIES = {
    "permutation_p": "holm_p",
    "permutation_spearman_p": "holm_spearman_p",
    "permutation_accuracy_p": "holm_accuracy_p",
}


def comparisons(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    *,
    plan: Bootstrap | None = None,
    permutations: int = 1000,
    store: Store | None = None,
) -> list[Comparison]:
    """Compare all pairs of metrics, in order; higher values are assumed better for every metric.

    Pairs with the same units share permutations and resamples. Holm's correction (1979) is over all
    pairs of one coefficient. `store` may hold replicates made by `coefficients` for the same
    columns and plan.
    """
    plan = plan or Bootstrap()
    alike: dict[bytes, list[tuple[str, str]]] = {}
    for a, b in combinations(metrics, 2):
        there = np.isfinite(human) & np.isfinite(metrics[a]) & np.isfinite(metrics[b])
        alike.setdefault(np.packbits(there).tobytes(), []).append((a, b))
    found: dict[tuple[str, str], Comparison] = {}
    for pairs in alike.values():
        names = dict.fromkeys(name for pair in pairs for name in pair)
        sample = sample_of(human, {name: metrics[name] for name in names}, clusters)
        found |= _SameUnits(sample, pairs, plan, permutations, store or Store()).compare()
    ordered = [found[pair] for pair in combinations(metrics, 2)]
    return _adjusted(ordered)


def _adjusted(rows: list[Comparison]) -> list[Comparison]:
    holms = {
        name: holm([row.tests[test].p_value for row in rows]) for test, name in FAMILIES.items()
    }
    return [
        replace(row, holm={name: holms[name][place] for name in holms})
        for place, row in enumerate(rows)
    ]


Difference: TypeAlias = Literal["difference", "difference_spearman"]
COEFFICIENTS: tuple[tuple[bool, str, Difference], ...] = (
    (False, "permutation_p", "difference"),
    (True, "permutation_spearman_p", "difference_spearman"),
)


class _PairFound(TypedDict):
    """What is known of a pair so far: the fields of its `Comparison`."""

    tests: dict[str, TestResult]
    difference: NotRequired[Estimate]
    difference_spearman: NotRequired[Estimate]
    difference_accuracy: NotRequired[Estimate]
    zou: NotRequired[tuple[float, float] | None]
    clustering: NotRequired[Clustering]
    mcnemar_clustering: NotRequired[Clustering]
    decisions: NotRequired[tuple[int, int, int]]


@dataclass(frozen=True, eq=False)
class _SameUnits:
    """Pairs of metrics with the same units."""

    sample: Sample
    pairs: list[tuple[str, str]]
    plan: Bootstrap
    permutations: int
    store: Store

    def compare(self) -> dict[tuple[str, str], Comparison]:
        lacking = {
            name: why_not(self.sample.x, self.sample.column(name)) for name in self.sample.names
        }
        defined = [name for name, reason in lacking.items() if not reason]
        inside = [pair for pair in self.pairs if pair[0] in defined and pair[1] in defined]
        by_pair: dict[tuple[str, str], _PairFound] = {pair: {"tests": {}} for pair in self.pairs}
        for pair in self.pairs:
            reason = lacking[pair[0]] or lacking[pair[1]]
            if reason:
                by_pair[pair]["tests"] = _undefined(reason)
        if inside:
            sample = self.sample.only(defined)
            places = np.array([[defined.index(one) for one in pair] for pair in inside])
            with step(0, 0.7):
                self._correlations(sample, places, [by_pair[pair] for pair in inside])
        self._decisions([by_pair[pair] for pair in self.pairs])
        n = self.sample.n
        return {(a, b): Comparison(a, b, n, **found) for (a, b), found in by_pair.items()}

    def _correlations(self, sample: Sample, places: IntArray, rows: list[_PairFound]) -> None:
        """Add the tests and differences of Pearson and Spearman."""
        first, second = places.T
        z, h = standard(sample.y), standard(sample.x)
        own, between = h @ z / sample.n, z.T @ z / sample.n
        r = (own[first], own[second], between[first, second])
        for name, (test, method) in TESTS.items():
            statistic, p_value = test(*r, sample.n)
            reason = SAME if sample.n >= LEAST_UNITS else say("undefined: needs 4 units")
            for row, value, p in zip(rows, statistic, p_value, strict=True):
                row["tests"][name] = (
                    TestResult(None, method, reason=reason)
                    if np.isnan(value)
                    else TestResult(float(p), method, float(value))
                )
        low, high = zou_interval(*r, sample.n)
        for row, *ends in zip(rows, low, high, strict=True):
            row["zou"] = None if np.isnan(ends[0]) else (float(ends[0]), float(ends[1]))
        if sample.clustered:
            found = clustering(correlation_shares(sample), sample.codes, places)
            for row, one in zip(rows, found, strict=True):
                row["clustering"] = one
        for ranked, swap, key in steps(COEFFICIENTS):
            self._swaps(sample, places, rows, ranked, swap)
            self._differences(sample, places, rows, ranked, key)

    def _swaps(
        self, sample: Sample, places: IntArray, rows: list[_PairFound], ranked: bool, test: str
    ) -> None:
        if sample.groups < 2:
            none = TestResult(None, swap_method(ranked), reason=FEW_CLUSTERS)
            for row in rows:
                row["tests"][test] = none
            return
        found = swap_correlations(
            sample, places, ranked=ranked, permutations=self.permutations, seed=self.plan.seed
        )
        for row, p, gap in zip(rows, found.p_value, found.difference, strict=True):
            row["tests"][test] = TestResult(float(p), swap_method(ranked, found), abs(float(gap)))

    def _differences(
        self,
        sample: Sample,
        places: IntArray,
        rows: list[_PairFound],
        ranked: bool,
        key: Difference,
    ) -> None:
        h, z = (mid_ranks(sample.x), mid_ranks(sample.y)) if ranked else (sample.x, sample.y)
        own = standard(h) @ standard(z) / sample.n
        made = None
        if self.plan.replicates:
            made = self._replicates(sample, "spearman" if ranked else "pearson")
        method = say(
            "difference of %(coefficient)s, a - b", coefficient=SPEARMAN if ranked else PEARSON
        )
        for row, (a, b) in zip(rows, places, strict=True):
            estimate = Estimate(float(own[a] - own[b]), n=sample.n, method=method)
            if made is not None:
                gap = made[:, a] - made[:, b]
                estimate = attach(estimate, gap, self.plan, sample.groups, sample.clustered)
            row[key] = estimate

    def _replicates(self, sample: Sample, kind: str) -> FloatArray:
        found = self.store.find(kind, sample)
        if found is None:
            kernel = {"pearson": pearson_kernel, "spearman": spearman_kernel}[kind](sample)
            found = replicate({"r": kernel}, self.plan, sample.groups, sample.n)["r"]
        return found

    def _decisions(self, rows: list[_PairFound]) -> None:
        """Add McNemar's test and the permutation test of pairwise decisions within originals."""
        sample, codes = self.sample, one_cluster(self.sample)
        every = number_of_pairs(codes)
        found = None if every > MOST_PAIRS else pair_decisions(sample.x, sample.y, codes)
        if found is None or not found.pairs.sum():
            reason = why_undecided(every)
            for row in rows:
                row["tests"]["mcnemar_clustered_p"] = TestResult(None, CLUSTERED, reason=reason)
                row["tests"]["mcnemar_p"] = TestResult(None, MCNEMAR, reason=reason)
                row["tests"]["permutation_accuracy_p"] = TestResult(
                    None, say("swap of whole clusters"), reason=reason
                )
            return
        places = np.array([[sample.names.index(one) for one in pair] for pair in self.pairs])
        for row, (a, b) in zip(rows, places, strict=True):
            first, second = int(found.only[a, b]), int(found.only[b, a])
            test = mcnemar(first, second)
            row["tests"]["mcnemar_p"] = TestResult(test.p_value, MCNEMAR, test.statistic)
            row["decisions"] = (first, second, int(found.pairs.sum()) - first - second)
            gaps = (found.right[:, a] - found.right[:, b])[found.pairs > 0]
            none = TestResult(None, CLUSTERED, reason=NO_CLUSTERS)
            robust = mcnemar_clustered(gaps) if sample.clustered else none
            row["tests"]["mcnemar_clustered_p"] = replace(robust, method=CLUSTERED)
        if sample.clustered:
            for row, one in zip(
                rows, mcnemar_clustering(found.right, found.only, places), strict=True
            ):
                row["mcnemar_clustering"] = one
        self._accuracy(found, places, rows)

    def _accuracy(self, found: PairDecisions, places: IntArray, rows: list[_PairFound]) -> None:
        gaps = found.credit[:, places[:, 0]] - found.credit[:, places[:, 1]]
        n = int(found.pairs.sum())
        if self.sample.clustered:
            there = np.broadcast_to(found.pairs > 0, gaps.T.shape)
            tests = sign_flip(gaps.T, there, permutations=self.permutations, seed=self.plan.seed)
        else:
            none = TestResult(None, say("swap of whole clusters"), reason=NO_CLUSTERS)
            tests = [none] * len(rows)
        for place, (row, test) in enumerate(zip(rows, tests, strict=True)):
            row["tests"]["permutation_accuracy_p"] = test
            row["difference_accuracy"] = Estimate(
                float(gaps[:, place].sum()) / n, n=n, method=ACCURACY
            )


def _undefined(reason: Sentence) -> dict[str, TestResult]:
    named = {name: method for name, (_, method) in TESTS.items()}
    named |= {"permutation_p": swap_method(False), "permutation_spearman_p": swap_method(True)}
    return {name: TestResult(None, method, reason=reason) for name, method in named.items()}
