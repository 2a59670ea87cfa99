"""A metric's correlation beside the human ceiling: its share of what people reach, and what it
were without their noise.

Both divide one estimated correlation by another of the same texts, so that both change where a
phrase is left out: the interval is that of a ratio. With what people reach taken as known,
intervals of metrics that are better than a person contained the true share in .56 to .79 of
samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from paraanno.common.texts import Sentence, say
from scoring.stats.evaluation.ceiling import Clusters, HumanCeiling
from scoring.stats.evaluation.json_types import AgainstCeilingJson
from scoring.stats.intervals import attach
from scoring.stats.significance.paired import (
    Sample,
    Store,
    pearson_kernel,
    replicate,
    spearman_kernel,
)
from scoring.stats.table import BoolArray, Estimate, FloatArray, undefined

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
