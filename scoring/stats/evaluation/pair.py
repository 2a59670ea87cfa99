"""The comparison of one pair of metrics, and groups of metrics without significant differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from paraanno.plain.sentence import Sentence, say
from scoring.stats.estimate import Estimate, EstimateJson
from scoring.stats.evaluation.json_types import ComparisonJson, DecisionsJson
from scoring.stats.significance.clustering import Clustering
from scoring.stats.significance.two_metrics import TestResult, ranked_groups

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
        found: dict[str, Sentence] = {}
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
                found |= dict.fromkeys(names, text)
        return found

    def to_json(self) -> ComparisonJson:
        def estimate(one: Estimate | None) -> EstimateJson | None:
            return None if one is None else one.as_json()

        found: ComparisonJson = {
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
        return cast(ComparisonJson, {**found, **tests, **self.holm})


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
    return ranked_groups({name: v for name, v in values.items() if v is not None}, better)
