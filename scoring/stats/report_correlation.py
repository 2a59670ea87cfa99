"""How far metrics agree with people: the JSON of `correlate`, made from columns.

`meta_evaluation` is the entry point; `correlation_report` is its JSON for the columns of a file.
What takes a question of its own stands beside: `ranking`, `mixes`, `disagreement`,
`distributions`, `stability`, `power`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.stats.acc_eq import FOLDS, tie_accuracies
from scoring.stats.ceiling_of import Ceilings, against_ceiling
from scoring.stats.comparison import Comparison, significance_clusters
from scoring.stats.comparisons import comparisons
from scoring.stats.correlation import coefficients
from scoring.stats.estimate import Estimate
from scoring.stats.pairwise import accuracies
from scoring.stats.replicates import Store
from scoring.stats.resampling import Bootstrap
from scoring.stats.roc import Roc, roc_curves
from scoring.stats.system_level import SystemLevel, corpus_level, per_system, system_level
from scoring.stats.system_values import SystemTexts
from scoring.stats.table import FloatArray, IntArray
from scoring.stats.within import within_originals

PARTS = ("coefficients", "comparisons", "ties", "within", "roc", "per_system", "systems")
MAIN = ("pearson", "spearman", "kendall", "pairwise_accuracy")
Estimates = Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, eq=False)
class Columns:
    """What is compared, on the same units; NaN = missing.

    human, metrics  {name: (n,)}; larger values are taken to mean better
    clusters        (n,) codes of the originals
    passed          (n,) the pass decision: 1, 0 or NaN
    systems         which system made which unit
    corpus          {metric: {system: score}} of metrics that score systems as a whole
    ceilings        {human: what `ceiling` gives for the ratings behind that column}
    """

    human: Mapping[str, FloatArray]
    metrics: Mapping[str, FloatArray]
    clusters: IntArray | None = None
    passed: FloatArray | None = None
    systems: SystemTexts | None = None
    corpus: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    ceilings: Mapping[str, Ceilings] = field(default_factory=dict)

    @property
    def n(self) -> int:
        columns = [*self.human.values(), *self.metrics.values()]
        return int(columns[0].size) if columns else 0


def permutations_for(metrics: int) -> int:
    """So many that the least p-value there can be stays below .05 after Holm over all pairs:
    with too few, no difference between many metrics could ever be found."""
    return max(1000, 50 * metrics * (metrics - 1) // 2)


@dataclass(frozen=True)
class MetaOptions:
    """plan of intervals; permutations of every test; folds of the cross-fitted tie threshold;
    parts  those of PARTS that are wanted (a part whose columns are lacking is left out)."""

    plan: Bootstrap = field(default_factory=Bootstrap)
    permutations: int = 1000
    folds: int = FOLDS
    parts: Sequence[str] = PARTS


@dataclass(frozen=True, eq=False)
class HumanPart:
    """One human column.

    metrics       {metric: {pearson, spearman, kendall, kendall_c, pairwise_accuracy, acc_eq,
                  acc_eq_calibrated, acc_eq_crossfit}} over all units
    within        {metric: {pearson, spearman, kendall, kendall_pooled}} within originals
    comparisons   every pair of metrics
    groups        {pearson, spearman, accuracy: groups of metrics that no test tells apart}
    per_system    {system: {metric: {pearson, spearman, kendall}}}
    systems       {metric: over systems, by means}; corpus  the same by corpus-level scores
    ceiling       {metric: {pearson, spearman: the coefficient as a share of what people reach}}
    """

    metrics: Estimates
    within: Estimates = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    groups: Mapping[str, list[list[str]]] = field(default_factory=dict)
    per_system: Mapping[str, Estimates] = field(default_factory=dict)
    systems: Mapping[str, SystemLevel] = field(default_factory=dict)
    corpus: Mapping[str, SystemLevel] = field(default_factory=dict)
    ceiling: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """`metrics` holds the four coefficients that every report has, `further` the others."""
        found: dict[str, Any] = {
            "metrics": _json(self.metrics, lambda name: name in MAIN),
            "comparisons": [one.to_json() for one in self.comparisons],
            "further": _json(self.metrics, lambda name: name not in MAIN),
            "significance_clusters": dict(self.groups),
        }
        for key, part in (
            ("within_originals", _json(self.within)),
            ("per_system", {label: _json(part) for label, part in self.per_system.items()}),
            ("systems", {name: one.to_json() for name, one in self.systems.items()}),
            ("corpus", {name: one.to_json() for name, one in self.corpus.items()}),
            ("against_ceiling", {name: dict(one) for name, one in self.ceiling.items()}),
        ):
            if part:
                found[key] = part
        return found


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """human  {name: HumanPart}; roc  {metric: Roc} of the pass decision; n rows in `clusters`."""

    human: Mapping[str, HumanPart]
    n: int
    clusters: int | None
    roc: Mapping[str, Roc] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "human": {name: part.to_json() for name, part in self.human.items()},
            "n": self.n,
            "clusters": self.clusters,
        }
        if self.roc:
            found["roc"] = {name: one.to_json() for name, one in self.roc.items()}
        return found


def _json(part: Estimates, chosen: Any = lambda _: True) -> dict[str, dict[str, Any]]:
    return {
        metric: {name: one.as_json() for name, one in estimates.items() if chosen(name)}
        for metric, estimates in part.items()
    }


def meta_evaluation(columns: Columns, options: MetaOptions | None = None) -> MetaEvaluation:
    """Everything that is said of metrics against people.

    A coefficient uses the units where its two columns are present, a comparison those where the
    human column and both metrics are. Raises ValueError for columns of unequal length, an unknown
    part, or pass decisions other than 1 and 0.
    """
    options = options or MetaOptions()
    if unknown := set(options.parts) - set(PARTS):
        raise ValueError(f"unknown parts: {', '.join(sorted(unknown))}")
    roc: dict[str, Roc] = {}
    if columns.passed is not None and "roc" in options.parts:
        roc = roc_curves(columns.passed, columns.metrics, columns.clusters, options.plan)
    clusters = columns.clusters
    return MetaEvaluation(
        {name: _human(name, columns, options) for name in columns.human},
        columns.n,
        None if clusters is None else int(np.unique(clusters).size),
        roc,
    )


def _human(name: str, columns: Columns, options: MetaOptions) -> HumanPart:
    human, metrics, clusters = columns.human[name], columns.metrics, columns.clusters
    plan, parts, store = options.plan, options.parts, Store()
    found: dict[str, dict[str, Estimate]] = {metric: {} for metric in metrics}
    if "coefficients" in parts:
        shares = accuracies(human, metrics, clusters, plan)
        correlations = coefficients(human, metrics, clusters, plan, store=store)
        for metric, estimates in correlations.items():
            found[metric] |= {**estimates, "pairwise_accuracy": shares[metric]}
    if "ties" in parts:
        for metric, estimates in tie_accuracies(
            human, metrics, clusters, folds=options.folds, seed=plan.seed
        ).items():
            found[metric] |= estimates
    more: dict[str, Any] = {}
    if "comparisons" in parts:
        rows = comparisons(
            human, metrics, clusters, plan=plan, permutations=options.permutations, store=store
        )
        more["comparisons"] = rows
        more["groups"] = _groups(found, rows)
    if clusters is not None and "within" in parts:
        more["within"] = within_originals(human, metrics, clusters, plan)
    if columns.systems is not None:
        more |= _systems(human, columns, options)
    if name in columns.ceilings and "coefficients" in parts:
        more["ceiling"] = {
            metric: against_ceiling(found[metric], columns.ceilings[name]) for metric in metrics
        }
    return HumanPart(found, **more)


def _groups(
    found: Mapping[str, Mapping[str, Estimate]], rows: list[Comparison]
) -> dict[str, list[list[str]]]:
    groups = {}
    for coefficient, key in (
        ("pearson", "pearson"), ("spearman", "spearman"), ("accuracy", "pairwise_accuracy"),
    ):  # fmt: skip
        values = {name: one[key].value for name, one in found.items() if key in one}
        groups[coefficient] = significance_clusters(values, rows, coefficient)
    return groups


def _systems(human: FloatArray, columns: Columns, options: MetaOptions) -> dict[str, Any]:
    found: dict[str, Any] = {}
    systems = columns.systems
    if systems is None:
        return {}
    if "per_system" in options.parts:
        found["per_system"] = per_system(
            human, columns.metrics, systems, columns.clusters, options.plan
        )
    if "systems" in options.parts:
        found["systems"] = system_level(
            human, columns.metrics, systems, columns.clusters, options.plan,
            permutations=options.permutations,
        )  # fmt: skip
        found["corpus"] = corpus_level(human, columns.corpus, systems)
    return found


def correlation_report(
    human: Mapping[str, FloatArray],
    metrics: Mapping[str, FloatArray],
    *,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    permutations: int = 1000,
    passed: FloatArray | None = None,
    systems: SystemTexts | None = None,
    folds: int = FOLDS,
) -> dict[str, Any]:
    """The JSON of `meta_evaluation`: {human: {H: {metrics: {M: {...}}, comparisons: [...]}}, n,
    clusters}, and what else was asked for."""
    columns = Columns(human, metrics, clusters, passed, systems)
    options = MetaOptions(plan or Bootstrap(), permutations, folds)
    return meta_evaluation(columns, options).to_json()
