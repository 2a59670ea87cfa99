"""Significance tests of the difference between metrics, for every pair, against one human column.

The default is a permutation test by cluster. Published tests that assume independent units are
reported as well, with the clustering of the data and a warning if it invalidates them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, NotRequired, TypeAlias, TypedDict, cast

import numpy as np

from paraanno.common.progress import step, steps
from paraanno.common.texts import Sentence, say
from scoring.stats.evaluation.catalogue import PEARSON, SPEARMAN
from scoring.stats.evaluation.json_types import ComparisonJson, DecisionsJson
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    PairDecisions,
    number_of_pairs,
    one_cluster,
    pair_decisions,
    shares_by_cluster,
    why_undecided,
)
from scoring.stats.intervals import Bootstrap, attach
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import (
    Clustering,
    Sample,
    Store,
    clustering,
    correlation_shares,
    mcnemar_clustering,
    mid_ranks,
    pearson_kernel,
    replicate,
    sample_of,
    spearman_kernel,
    standard,
    why_not,
)
from scoring.stats.significance.swaps import (
    FEW_CLUSTERS,
    SAME,
    TestResult,
    compact_letters,
    holm,
    mcnemar,
    mcnemar_clustered,
    ranked_groups,
    sign_flip,
    swap_correlations,
    swap_method,
)
from scoring.stats.table import (
    NORMAL_95,
    BoolArray,
    Estimate,
    EstimateJson,
    FloatArray,
    IntArray,
    normal_above,
    t_above,
)

# The comparison of one pair of metrics, and groups of metrics without significant differences.


ALPHA = 0.05
# xgettext:no-python-format
ZOU = say("95 % interval of the difference of Pearson, Zou 2007, units assumed independent")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Comparison of metrics a and b on the units where the human column and both are present.

    tests          permutation_p (Pearson), permutation_spearman_p, permutation_accuracy_p by
                   cluster; williams_p, steiger_p, meng_p, mcnemar_p as published;
                   mcnemar_clustered_p by cluster
    difference, difference_spearman, difference_accuracy   of the coefficients, a - b
    zou            95 % interval of the difference of Pearson; None where undefined
    holm           adjusted permutation p-values, over all pairs of metrics
    decisions      pairs of texts that only a orders as humans do, only b, and both or neither
    clustering     of the difference of Pearson, and of McNemar's decisions; None without clusters
    """

    a: str
    b: str
    n: int
    tests: Mapping[str, TestResult]
    difference: Estimate | None = None
    difference_spearman: Estimate | None = None
    difference_accuracy: Estimate | None = None
    zou: tuple[float, float] | None = None
    clustering: Clustering | None = None
    mcnemar_clustering: Clustering | None = None
    decisions: tuple[int, int, int] | None = None
    holm: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def warnings(self) -> dict[str, Sentence]:
        """Warnings, by published test, that its p-value is too small."""
        by_test: dict[str, Sentence] = {}
        for names, one in (
            (("williams_p", "steiger_p", "meng_p", "zou"), self.clustering),
            (("mcnemar_p",), self.mcnemar_clustering),
        ):
            if one is not None and one.too_bold:
                text = say(
                    "units of one original are correlated: a test at .05 that assumes "
                    "independent units would find a difference where there is none in about "
                    "%(share)s of 100 data sets like this one",
                    share=f"{100 * (one.level or 0):.0f}",
                )
                by_test |= dict.fromkeys(names, text)
        return by_test

    def to_json(self) -> ComparisonJson:
        def estimate(one: Estimate | None) -> EstimateJson | None:
            return None if one is None else one.as_json()

        fields: ComparisonJson = {
            "a": self.a,
            "b": self.b,
            "n": self.n,
            "difference": estimate(self.difference),
            "difference_spearman": estimate(self.difference_spearman),
            "difference_accuracy": estimate(self.difference_accuracy),
            "zou": None
            if self.zou is None
            else {"low": self.zou[0], "high": self.zou[1], "method": ZOU},
            "clustering": None if self.clustering is None else self.clustering.to_json(),
            "mcnemar_clustering": None
            if self.mcnemar_clustering is None
            else self.mcnemar_clustering.to_json(),
            "decisions": None if self.decisions is None else _decided(*self.decisions),
            "methods": {name: test.method for name, test in self.tests.items()},
            "reasons": {name: test.reason for name, test in self.tests.items() if test.reason},
            "warnings": self.warnings,
        }
        tests = {name: test.p_value for name, test in self.tests.items()}
        return cast(ComparisonJson, {**fields, **tests, **self.holm})


def _decided(only_a: int, only_b: int, concordant: int) -> DecisionsJson:
    return {
        "only_a": only_a,
        "only_b": only_b,
        "concordant": concordant,
        "better": None if only_a == only_b else "a" if only_a > only_b else "b",
    }


def significance_clusters(
    values: Mapping[str, float | None], rows: list[Comparison], coefficient: str
) -> list[list[str]]:
    """Return the metrics from best to worst, in clusters as in the WMT shared tasks.

    A boundary separates two neighbours if every metric above it is better than every metric below
    it with p < .05 (permutation by cluster, Holm over all pairs).
    values       of the coefficient; a metric without one is omitted
    coefficient  pearson, spearman or accuracy
    """
    defined = {name: v for name, v in values.items() if v is not None}
    return ranked_groups(defined, _better(rows, coefficient))


def significance_letters(
    values: Mapping[str, float | None], rows: list[Comparison], coefficient: str
) -> dict[str, str]:
    """Return the compact letters of the metrics, from best to worst: two share one exactly if the
    test of `significance_clusters` does not tell them apart."""
    defined = {name: v for name, v in values.items() if v is not None}
    ranked = sorted(defined, key=lambda name: (-defined[name], name))
    return compact_letters(ranked, _better(rows, coefficient))


def _better(rows: list[Comparison], coefficient: str) -> set[tuple[str, str]]:
    """Return the pairs (the better, the worse) with an adjusted p below the level."""
    key, adjusted = {
        "pearson": ("difference", "holm_p"),
        "spearman": ("difference_spearman", "holm_spearman_p"),
        "accuracy": ("difference_accuracy", "holm_accuracy_p"),
    }[coefficient]
    better = set()
    for row in rows:
        p, gap = row.holm[adjusted], getattr(row, key)
        if p is not None and p < ALPHA and gap is not None:
            better.add((row.a, row.b) if gap.value > 0 else (row.b, row.a))
    return better


# Tests of two dependent correlations that share the human column, vectorised.
#
# All take Pearson's r: `r12`, `r13` of metrics A and B with the humans, `r23` of A with B, in
# broadcastable shapes; `n` counts units. All assume independent units, which paraphrases of one
# original are not: compare with the permutation by cluster. NaN if undefined: fewer than four
# units, perfectly correlated metrics, or (except Williams) a perfect r.


LEAST_UNITS = 4
NEARLY = 1e-12


def williams_t(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Williams's t with n - 3 degrees of freedom, and its two-sided p.

    Sources: Williams 1959; Steiger 1980, eq. 7; Graham and Baldwin 2014.
    """
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    least = max(n - 3, 1)
    variance = 2 * np.maximum(determinant, 0) * (n - 1) / least + mean**2 * (1 - r23) ** 3
    defined = (n >= LEAST_UNITS) & (variance > 1e-14) & (1 - r23 > NEARLY)
    top = (r12 - r13) * np.sqrt(np.maximum(n - 1, 0) * np.maximum(1 + r23, 0))
    t = ratio(top, np.where(defined, np.sqrt(np.maximum(variance, 0)), 0.0))
    return t, np.asarray(2 * t_above(np.abs(t), least))


def steiger_z(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Steiger's z with the pooled covariance, and its two-sided p. Steiger 1980, eq. 14."""
    mean2 = ((r12 + r13) / 2) ** 2
    top = r23 * (1 - 2 * mean2) - mean2 * (1 - 2 * mean2 - r23**2) / 2
    shared = ratio(top, (1 - mean2) ** 2)
    z = ratio(_gap(r12, r13, r23, n), np.sqrt(np.maximum(2 - 2 * shared, 0)))
    return z, _two_sided(z)


def meng_z(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return Meng's z and its two-sided p. Source: Meng, Rosenthal and Rubin 1992, eq. 1-3."""
    mean = (r12**2 + r13**2) / 2
    f = np.minimum(ratio(1 - r23, 2 * (1 - mean)), 1)
    h = ratio(1 - f * mean, 1 - mean)
    z = ratio(_gap(r12, r13, r23, n), np.sqrt(np.maximum(2 * (1 - r23) * h, 0)))
    return z, _two_sided(z)


def zou_interval(
    r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return the 95 % interval of r12 - r13 from both Fisher intervals, without bias adjustment.

    Source: Zou 2007, section "overlapping dependent correlations".
    """
    (l1, u1), (l2, u2) = _fisher(r12, n), _fisher(r13, n)
    rest = 1 - r12**2 - r13**2 - r23**2
    both = ratio((r23 - r12 * r13 / 2) * rest + r23**3, (1 - r12**2) * (1 - r13**2))
    gap = r12 - r13

    def reach(own: FloatArray, other: FloatArray) -> FloatArray:
        return np.sqrt(np.maximum(own**2 + other**2 - 2 * both * own * other, 0))

    return gap - reach(r12 - l1, u2 - r13), gap + reach(u1 - r12, r13 - l2)


def _gap(r12: FloatArray, r13: FloatArray, r23: FloatArray, n: int) -> FloatArray:
    defined = _is_testable(r12, n) & _is_testable(r13, n) & (1 - r23 > NEARLY)
    gap = np.arctanh(np.where(defined, r12, 0)) - np.arctanh(np.where(defined, r13, 0))
    return np.where(defined, gap * np.sqrt(max(n - 3, 0)), np.nan)


def _fisher(r: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    defined = _is_testable(r, n)
    z = np.where(defined, np.arctanh(np.where(defined, r, 0)), np.nan)
    reach = NORMAL_95 / np.sqrt(max(n - 3, 1))
    return np.tanh(z - reach), np.tanh(z + reach)


def _is_testable(r: FloatArray, n: int) -> BoolArray:
    return np.asarray((np.abs(r) < 1 - NEARLY) & (n >= LEAST_UNITS))


def _two_sided(z: FloatArray) -> FloatArray:
    return np.asarray(2 * normal_above(np.abs(z)))


Test = Callable[[FloatArray, FloatArray, FloatArray, int], tuple[FloatArray, FloatArray]]
TESTS: dict[str, tuple[Test, Sentence]] = {
    "williams_p": (williams_t, say("Williams 1959, Pearson, units assumed independent")),
    "steiger_p": (steiger_z, say("Steiger 1980, pooled, Pearson, units assumed independent")),
    "meng_p": (meng_z, say("Meng, Rosenthal and Rubin 1992, Pearson, units assumed independent")),
}


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
    items: IntArray | None = None,
    plan: Bootstrap | None = None,
    permutations: int = 1000,
    store: Store | None = None,
) -> list[Comparison]:
    """Compare all pairs of metrics, in order; higher values are assumed better for every metric.

    Clusters are swapped; pairs of texts stay within `items`, by default within the clusters.

    Pairs with the same units share permutations and resamples. Holm's correction (1979) is over all
    pairs of one coefficient. `store` may hold replicates made by `coefficients` for the same
    columns and plan.
    """
    alike: dict[bytes, list[tuple[str, str]]] = {}
    for a, b in combinations(metrics, 2):
        there = np.isfinite(human) & np.isfinite(metrics[a]) & np.isfinite(metrics[b])
        alike.setdefault(np.packbits(there).tobytes(), []).append((a, b))
    by_pair: dict[tuple[str, str], Comparison] = {}
    every = len(metrics) * (len(metrics) - 1) // 2
    for pairs in alike.values():
        names = dict.fromkeys(name for pair in pairs for name in pair)
        sample = sample_of(human, {name: metrics[name] for name in names}, clusters, items)
        units = _SameUnits(sample, pairs, plan or Bootstrap(), permutations, store or Store())
        with step(len(by_pair) / every, (len(by_pair) + len(pairs)) / every):
            by_pair |= units.compare()
    ordered = [by_pair[pair] for pair in combinations(metrics, 2)]
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
        with step(0.7, 1):
            self._decisions([by_pair[pair] for pair in self.pairs])
        return {one: Comparison(*one, self.sample.n, **fields) for one, fields in by_pair.items()}

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
            clusterings = clustering(correlation_shares(sample), sample.codes, places)
            for row, one in zip(rows, clusterings, strict=True):
                row["clustering"] = one
        for ranked, swap, key in steps(COEFFICIENTS):
            with step(0, 0.8):
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
        swapped = swap_correlations(
            sample, places, ranked=ranked, permutations=self.permutations, seed=self.plan.seed
        )
        for row, p, gap in zip(rows, swapped.p_value, swapped.difference, strict=True):
            row["tests"][test] = TestResult(float(p), swap_method(ranked, swapped), abs(float(gap)))

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
        kind, kernel = ("spearman", spearman_kernel) if ranked else ("pearson", pearson_kernel)
        made = self.store.find(kind, sample)
        if made is None:
            made = replicate({kind: kernel(sample)}, self.plan, sample.groups, sample.n)[kind]
        method = say(
            "difference of %(coefficient)s, a - b", coefficient=SPEARMAN if ranked else PEARSON
        )
        for row, (a, b) in zip(rows, places, strict=True):
            estimate = Estimate(float(own[a] - own[b]), n=sample.n, method=method)
            gap = made[:, a] - made[:, b]
            row[key] = attach(
                estimate, gap, self.plan, sample.groups, sample.clustered, ends=(-2.0, 2.0)
            )

    def _decisions(self, rows: list[_PairFound]) -> None:
        """Add McNemar's test and the permutation test of pairwise decisions within originals."""
        sample, codes = self.sample, one_cluster(self.sample)
        every = number_of_pairs(codes)
        decisions = None if every > MOST_PAIRS else pair_decisions(sample.x, sample.y, codes)
        if decisions is not None:
            decisions = decisions.by_cluster(sample)
        if decisions is None or not decisions.pairs.sum():
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
            first, second = int(decisions.only[a, b]), int(decisions.only[b, a])
            test = mcnemar(first, second)
            row["tests"]["mcnemar_p"] = TestResult(test.p_value, MCNEMAR, test.statistic)
            row["decisions"] = (first, second, int(decisions.pairs.sum()) - first - second)
            gaps = (decisions.right[:, a] - decisions.right[:, b])[decisions.pairs > 0]
            none = TestResult(None, CLUSTERED, reason=NO_CLUSTERS)
            robust = mcnemar_clustered(gaps) if sample.clustered else none
            row["tests"]["mcnemar_clustered_p"] = replace(robust, method=CLUSTERED)
        if sample.clustered:
            for row, one in zip(
                rows, mcnemar_clustering(decisions.right, decisions.only, places), strict=True
            ):
                row["mcnemar_clustering"] = one
        self._accuracy(decisions, places, rows)

    def _accuracy(self, decisions: PairDecisions, places: IntArray, rows: list[_PairFound]) -> None:
        gaps = decisions.credit[:, places[:, 0]] - decisions.credit[:, places[:, 1]]
        n = int(decisions.pairs.sum())
        if self.sample.clustered:
            there = np.broadcast_to(decisions.pairs > 0, gaps.T.shape)
            tests = sign_flip(gaps.T, there, permutations=self.permutations, seed=self.plan.seed)
        else:
            none = TestResult(None, say("swap of whole clusters"), reason=NO_CLUSTERS)
            tests = [none] * len(rows)
        differences = shares_by_cluster(
            [Estimate(float(gap) / n, n=n, method=ACCURACY) for gap in gaps.sum(axis=0)],
            gaps,
            decisions.pairs,
            self.plan,
            clustered=self.sample.clustered,
            form="plain",
        )
        for row, test, difference in zip(rows, tests, differences, strict=True):
            row["tests"]["permutation_accuracy_p"] = test
            row["difference_accuracy"] = difference


def _undefined(reason: Sentence) -> dict[str, TestResult]:
    named = {name: method for name, (_, method) in TESTS.items()}
    named |= {"permutation_p": swap_method(False), "permutation_spearman_p": swap_method(True)}
    return {name: TestResult(None, method, reason=reason) for name, method in named.items()}
