"""The meta-evaluation report: the JSON of `correlate`, computed from columns.

`meta_evaluation` is the entry point; `correlation_report` returns its JSON for the columns of a
file. A metric also stands beside the human ceiling: its share of what people reach. Separate
analyses are in `one_metric`, `mixes`, `ranking` and `stability`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypedDict

import numpy as np

from paraanno.common.progress import step, steps
from paraanno.common.texts import Sentence, say
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.ceiling import Clusters, HumanCeiling
from scoring.stats.evaluation.correlation import coefficients, within_originals
from scoring.stats.evaluation.json_types import AgainstCeilingJson, ByMetric, HumanJson, MetaJson
from scoring.stats.evaluation.one_metric import Roc, roc_curves
from scoring.stats.evaluation.pair_tests import (
    Comparison,
    comparisons,
    significance_clusters,
    significance_letters,
)
from scoring.stats.evaluation.pairwise import FOLDS, accuracies, tie_accuracies
from scoring.stats.evaluation.system_level import (
    SystemLevel,
    corpus_level,
    per_system,
    system_level,
)
from scoring.stats.intervals import Bootstrap, attach, clusters_behind, few_clusters
from scoring.stats.significance.paired import (
    Sample,
    Store,
    dense,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from scoring.stats.systems.values import SystemTexts
from scoring.stats.table import BoolArray, Estimate, FloatArray, IntArray, undefined

# A metric's correlation beside the human ceiling: its share of what people reach, and what it
# were without their noise.
#
# Both divide one estimated correlation by another of the same texts, so that both change where a
# phrase is left out: the interval is that of a ratio. With what people reach taken as known,
# intervals of metrics that are better than a person contained the true share in .56 to .79 of
# samples.


DISATTENUATED = say(
    "r / sqrt(reliability of the mean human value), the reliability split-half with Spearman-Brown"
)
SHARE = say(
    "r / r of one more annotator with the mean of all ratings, which is that of one annotator with "
    "the mean of the others, corrected for the number of ratings (Spearman-Brown)"
)
NO_RELIABILITY = say("undefined: the reliability of the human values is unknown or not above 0")
NO_SINGLE = say("undefined: no positive correlation of single annotators with the others")
KERNELS = {"pearson": pearson_kernel, "spearman": spearman_kernel}


class OfMetric(NamedTuple):
    """A metric's coefficient with people's values, for both of its ratios.

    replicates    (B,) of it; None where it has no interval
    contributing  (groups,) which clusters it or people's values rest on
    """

    estimate: Estimate
    replicates: FloatArray | None
    contributing: BoolArray
    clusters: Clusters


def against_ceiling(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    estimates: Mapping[str, Mapping[str, Estimate]],
    people: HumanCeiling,
    store: Store | None = None,
) -> dict[str, dict[str, AgainstCeilingJson]]:
    """Return {metric: {pearson, spearman: {disattenuated, share}}} as JSON.

    human, metrics  (n,) columns over the units of the ratings
    estimates       the metrics' coefficients with the human column
    store           the replicates that these were made with, by the same plan and clusters
    disattenuated   correlation with error-free human values; may exceed 1 if the reliability is
                    underestimated. Source: Spearman 1904 (correction in one variable)
    share           ratio to the correlation that one more annotator would have with the mean of all
                    ratings; at 1 the metric predicts the mean as well as one more annotator would
    """
    return {
        metric: {
            name: _beside(
                name,
                _sample(human, metric, column, people.clusters),
                estimates[metric][name],
                people,
                store or Store(),
            )
            for name in people.one_more
            if name in estimates[metric]
        }
        for metric, column in metrics.items()
    }


def _sample(human: FloatArray, metric: str, column: FloatArray, clusters: Clusters) -> Sample:
    """All clusters have their place, so that replicates are those of the ceiling."""
    both = np.isfinite(human) & np.isfinite(column)
    codes, rows = clusters.codes[both], np.packbits(both).tobytes()
    return Sample((metric,), human[both], column[both][:, None], codes, clusters.given, rows)


def _beside(
    name: str, sample: Sample, estimate: Estimate, people: HumanCeiling, store: Store
) -> AgainstCeilingJson:
    clusters = people.clusters
    there = np.bincount(sample.codes, minlength=clusters.groups) > 0
    replicates = None
    if clusters.plan is not None and estimate.ci_low is not None:
        made = store.find(name, sample) if there.all() else None
        if made is None:
            kernel = KERNELS[name](sample)
            kernels = {name: lambda drawn: kernel(drawn[:, : sample.groups])}
            made = replicate(kernels, clusters.plan, clusters.groups, sample.n)[name]
        replicates = made[:, 0]
    own = OfMetric(estimate, replicates, people.paired | there, clusters)
    reliable = np.sqrt(_positive(people.reliability[name]))
    person = _positive(people.one_more[name])
    return {
        "disattenuated": _divided(own, reliable, DISATTENUATED, NO_RELIABILITY).as_json(),
        "share": _divided(own, person, SHARE, NO_SINGLE).as_json(),
    }


def _positive(values: FloatArray) -> FloatArray:
    return np.asarray(np.where(values > 0, values, np.nan))


def _divided(own: OfMetric, by: FloatArray, method: Sentence, reason: Sentence) -> Estimate:
    """Divide a coefficient by the (1 + B,) values of people."""
    metric, plan = own.estimate, own.clusters.plan
    if metric.value is None or np.isnan(by[0]):
        return undefined(metric.reason or reason, n=metric.n, method=method)
    estimate = Estimate(metric.value / float(by[0]), n=metric.n, method=method)
    if plan is None:
        return estimate
    if own.replicates is None:
        return replace(estimate, options=metric.options)
    return attach(
        estimate,
        np.column_stack([own.replicates, by[1:]]),
        plan,
        own.clusters.groups,
        own.clusters.given,
        form="ratio",
        below=float(by[0]),
        contributing=own.contributing,
    )


# The report.


PARTS = ("coefficients", "comparisons", "ties", "within", "roc", "per_system", "systems")
MAIN = tuple(catalogue.at("main"))
Estimates = Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, eq=False)
class Compared:
    """Input columns over the same units; NaN = missing.

    human, metrics  {name: (n,)}; higher values are assumed better
    clusters        (n,) codes of what intervals and tests go by: the phrases, or the originals
    items           (n,) codes of what pairs of texts stay within; default: the clusters
    passed          (n,) the pass decision: 1, 0 or NaN
    systems         the system that produced each unit
    corpus          {metric: {system: score}} of corpus-level metrics
    ceilings        {human: that of the ratings of that column}
    """

    human: Mapping[str, FloatArray]
    metrics: Mapping[str, FloatArray]
    clusters: IntArray | None = None
    passed: FloatArray | None = None
    systems: SystemTexts | None = None
    corpus: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    ceilings: Mapping[str, HumanCeiling] = field(default_factory=dict)
    items: IntArray | None = None

    @property
    def n(self) -> int:
        columns = [*self.human.values(), *self.metrics.values()]
        return int(columns[0].size) if columns else 0


def permutations_for(metrics: int) -> int:
    """Return a number of permutations that allows p < .05 after Holm's correction.

    With too few, the smallest possible p-value, times the number of pairs, would exceed .05.
    """
    return max(1000, 50 * metrics * (metrics - 1) // 2)


@dataclass(frozen=True)
class MetaOptions:
    """Options: resampling plan, permutations per test, folds of the cross-fitted tie threshold.

    parts  the requested PARTS (a part without its input columns is omitted)
    """

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
    groups        {pearson, spearman, accuracy: clusters of metrics; all between two are told apart}
    letters       {pearson, spearman, accuracy: {metric: its compact letters}}
    per_system    {system: {metric: {pearson, spearman, kendall}}}
    systems       {metric: system level, by means}; corpus  the same by corpus-level scores
    ceiling       {metric: {pearson, spearman: the coefficient relative to the human ceiling}}
    """

    metrics: Estimates
    within: Estimates = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    groups: Mapping[str, list[list[str]]] = field(default_factory=dict)
    letters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    per_system: Mapping[str, Estimates] = field(default_factory=dict)
    systems: Mapping[str, SystemLevel] = field(default_factory=dict)
    corpus: Mapping[str, SystemLevel] = field(default_factory=dict)
    ceiling: Mapping[str, Mapping[str, AgainstCeilingJson]] = field(default_factory=dict)

    def to_json(self) -> HumanJson:
        """Return the JSON: `metrics` has the four main coefficients, `further` the others."""
        fields: HumanJson = {
            "metrics": _json(self.metrics, lambda name: name in MAIN),
            "comparisons": [one.to_json() for one in self.comparisons],
            "further": _json(self.metrics, lambda name: name not in MAIN),
            "significance_clusters": dict(self.groups),
            "significance_letters": dict(self.letters),
        }
        if self.within:
            fields["within_originals"] = _json(self.within)
        if self.per_system:
            fields["per_system"] = {label: _json(one) for label, one in self.per_system.items()}
        if self.systems:
            fields["systems"] = {name: one.to_json() for name, one in self.systems.items()}
        if self.corpus:
            fields["corpus"] = {name: one.to_json() for name, one in self.corpus.items()}
        if self.ceiling:
            fields["against_ceiling"] = self.ceiling
        return fields


class _More(TypedDict, total=False):
    """The further fields of a `HumanPart`, as far as they were asked for."""

    within: Estimates
    comparisons: Sequence[Comparison]
    groups: Mapping[str, list[list[str]]]
    letters: Mapping[str, Mapping[str, str]]
    per_system: Mapping[str, Estimates]
    systems: Mapping[str, SystemLevel]
    corpus: Mapping[str, SystemLevel]
    ceiling: Mapping[str, Mapping[str, AgainstCeilingJson]]


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """human  {name: HumanPart}; roc  {metric: Roc} of the pass decision; n rows in `clusters`."""

    human: Mapping[str, HumanPart]
    n: int
    clusters: int | None
    roc: Mapping[str, Roc] = field(default_factory=dict)

    def to_json(self) -> MetaJson:
        fields: MetaJson = {
            "human": {name: part.to_json() for name, part in self.human.items()},
            "n": self.n,
            "clusters": self.clusters,
        }
        if self.roc:
            fields["roc"] = {name: one.to_json() for name, one in self.roc.items()}
        fields["warning"] = few_clusters(clusters_behind(fields))
        return fields


def _json(part: Estimates, chosen: Callable[[str], bool] = lambda _: True) -> ByMetric:
    return {
        metric: {name: one.as_json() for name, one in estimates.items() if chosen(name)}
        for metric, estimates in part.items()
    }


def meta_evaluation(columns: Compared, options: MetaOptions | None = None) -> MetaEvaluation:
    """Evaluate metrics against human judgments.

    A coefficient uses the units where both columns are present, a comparison those where the human
    column and both metrics are. Raises ValueError for columns of unequal length, an unknown part,
    or pass decisions other than 1 and 0.
    """
    options = options or MetaOptions()
    if unknown := set(options.parts) - set(PARTS):
        raise ValueError(f"unknown parts: {', '.join(sorted(unknown))}")
    roc: dict[str, Roc] = {}
    if columns.passed is not None and "roc" in options.parts:
        roc = roc_curves(columns.passed, columns.metrics, columns.clusters, options.plan)
    clusters = columns.clusters
    _check_items(columns)
    return MetaEvaluation(
        {name: _human(name, columns, options) for name in steps(list(columns.human))},
        columns.n,
        None if clusters is None else int(np.unique(clusters).size),
        roc,
    )


def _check_items(columns: Compared) -> None:
    if columns.items is None:
        return
    if columns.clusters is None:
        raise ValueError("items need clusters too")
    both = np.unique(np.column_stack([columns.items, columns.clusters]), axis=0)
    if len(both) > np.unique(columns.items).size:
        raise ValueError("an item lies in two clusters: each needs one")


def _human(name: str, columns: Compared, options: MetaOptions) -> HumanPart:
    human, metrics, clusters = columns.human[name], columns.metrics, columns.clusters
    plan, parts, store, items = options.plan, options.parts, Store(), columns.items
    by_metric: dict[str, dict[str, Estimate]] = {metric: {} for metric in metrics}
    if "coefficients" in parts:
        with step(0, 0.35):
            shares = accuracies(human, metrics, clusters, plan, items)
            correlations = coefficients(human, metrics, clusters, plan, store=store)
        for metric, estimates in correlations.items():
            by_metric[metric] |= {**estimates, "pairwise_accuracy": shares[metric]}
    if "ties" in parts:
        for metric, estimates in tie_accuracies(
            human, metrics, clusters, plan, items, folds=options.folds, seed=plan.seed
        ).items():
            by_metric[metric] |= estimates
    more: _More = {}
    if "comparisons" in parts:
        with step(0.4, 0.9):
            rows = comparisons(
                human,
                metrics,
                clusters,
                items=items,
                plan=plan,
                permutations=options.permutations,
                store=store,
            )
        more["comparisons"] = rows
        values = _compared_values(by_metric)
        more["groups"] = {
            name: significance_clusters(of, rows, name) for name, of in values.items()
        }
        more["letters"] = {
            name: significance_letters(of, rows, name) for name, of in values.items()
        }
    if clusters is not None and "within" in parts:
        more["within"] = within_originals(human, metrics, clusters, plan, items)
    if columns.systems is not None:
        more.update(_systems(human, columns, options))
    if name in columns.ceilings and "coefficients" in parts:
        people = columns.ceilings[name]
        same = people.clusters.plan == plan and _same_groups(people.clusters.codes, clusters)
        more["ceiling"] = against_ceiling(
            human, metrics, by_metric, people, store if same else None
        )
    return HumanPart(by_metric, **more)


def _same_groups(codes: IntArray, clusters: IntArray | None) -> bool:
    return clusters is not None and np.array_equal(codes, dense(clusters))


def _compared_values(
    by_metric: Mapping[str, Mapping[str, Estimate]],
) -> dict[str, dict[str, float | None]]:
    """Return what the tests compare: {pearson, spearman, accuracy: {metric: value}}."""
    keys = {"pearson": "pearson", "spearman": "spearman", "accuracy": "pairwise_accuracy"}
    return {
        coefficient: {name: one[key].value for name, one in by_metric.items() if key in one}
        for coefficient, key in keys.items()
    }


def _systems(human: FloatArray, columns: Compared, options: MetaOptions) -> _More:
    more: _More = {}
    systems = columns.systems
    if systems is None:
        return {}
    if "per_system" in options.parts:
        with step(0, 0.6):
            more["per_system"] = per_system(
                human, columns.metrics, systems, columns.clusters, options.plan
            )
    if "systems" in options.parts:
        with step(0.6, 1):
            more["systems"] = system_level(
                human,
                columns.metrics,
                systems,
                columns.clusters,
                options.plan,
                permutations=options.permutations,
            )
        more["corpus"] = corpus_level(human, columns.corpus, systems)
    return more


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
    items: IntArray | None = None,
) -> MetaJson:
    """Return the JSON of `meta_evaluation`: {human: {H: {metrics: {M: {...}}, comparisons: [...]}},
    n, clusters}, and other requested parts."""
    columns = Compared(human, metrics, clusters, passed, systems, items=items)
    options = MetaOptions(plan or Bootstrap(), permutations, folds)
    return meta_evaluation(columns, options).to_json()
