"""System-level correlation of metrics with human values, and correlation within each system."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import cast

import numpy as np
import scipy

from paraanno.common.progress import steps
from paraanno.common.texts import Sentence, say
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.json_types import OtherFirst, SystemLevelJson
from scoring.stats.intervals import (
    LEAST_CORRECTED,
    LEAST_SYSTEMS,
    Bootstrap,
    attach,
    lacking,
    weights,
    without_interval,
)
from scoring.stats.resampling import ratio
from scoring.stats.significance.paired import dense
from scoring.stats.systems.values import SystemTexts
from scoring.stats.table import Estimate, FloatArray, IntArray, undefined

NAMES = tuple(catalogue.at("per_system"))
MEANS = say("systems' means over the units with both values, as measured on this many originals")
CORPUS = say("systems' corpus-level scores against the mean human value")
SOFT = say(
    "1 - mean over pairs of systems of |p of the humans - p of the metric|, one-sided mid-p of a "
    "paired swap by original"
)
FEW_SYSTEMS = say("undefined: needs two systems")
NO_SHARED = say("undefined: no pair of systems shares an original with values")
NO_PARTS = say("no interval: a corpus-level score has no parts that could be left out")
OF_P = say("no interval: it is made of p-values, whose errors are not those of a mean")
ONE_CLUSTER = say("undefined: needs two originals")
ALL_NOISE = say("undefined: the systems differ by no more than noise")
CORRECTED = say("Pearson, systems' means, corrected for their noise by cluster")
CORRECTED_DRAWS = 1000
NOT_PAIRED = say("undefined: a corpus-level score has no values by original")


@dataclass(frozen=True, eq=False)
class SystemLevel:
    """System-level result of one metric.

    labels, human, metric  values of the systems with both values
    estimates              pearson, pearson_corrected, spearman, kendall, pairwise_accuracy,
                           soft_pairwise_accuracy
    """

    labels: tuple[str, ...]
    human: FloatArray
    metric: FloatArray
    estimates: Mapping[str, Estimate]

    def to_json(self) -> SystemLevelJson:
        fields: SystemLevelJson = {
            "systems": [
                {"system": label, "human": float(h), "metric": float(m)}
                for label, h, m in zip(self.labels, self.human, self.metric, strict=True)
            ],
        }
        named = {name: one.as_json() for name, one in self.estimates.items()}
        return cast(SystemLevelJson, {**fields, **named})


def per_system(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    systems: SystemTexts,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, dict[str, dict[str, Estimate]]]:
    """Return {system: {metric: {pearson, spearman, kendall}}} over the units of each system."""
    unit, system = systems.made
    by_system = {}
    for place, label in steps(list(enumerate(systems.labels))):
        rows = unit[system == place]
        by_system[label] = coefficients(
            human[rows],
            {name: column[rows] for name, column in metrics.items()},
            None if clusters is None else clusters[rows],
            plan,
            NAMES,
        )
    return by_system


def other_first(
    human: FloatArray, metrics: Mapping[str, FloatArray], systems: SystemTexts
) -> dict[str, OtherFirst]:
    """Return, for each metric whose best system is not that of people, both systems and people's
    means of them, over the units with both values. Larger is better in every column."""
    together = np.zeros(human.size, dtype=np.intp)  # Whatever the phrase: means alone are wanted.
    differing = {}
    for name, column in metrics.items():
        cells = _cells(human, column, systems, together)
        there = cells.systems
        if there.size < 2:
            continue
        people, score = cells.means(np.ones((1, 1)))[:, 0, there]
        best, theirs = int(score.argmax()), int(people.argmax())
        if people[best] < people[theirs]:
            differing[name] = OtherFirst(
                metric=systems.labels[there[best]],
                human=systems.labels[there[theirs]],
                means=[float(people[best]), float(people[theirs])],
            )
    return differing


@dataclass(frozen=True, eq=False)
class MeanParts:
    """(2, G, K) sums of human and metric values of K systems in G originals; (G, K) counts n."""

    sums: FloatArray
    n: FloatArray

    @property
    def systems(self) -> IntArray:
        return np.flatnonzero(self.n.sum(axis=0))

    def means(self, drawn: FloatArray) -> FloatArray:
        """Return (2, b, K) means of the systems, with (b, G) weights of originals."""
        people, metric = ratio(drawn @ self.sums, drawn @ self.n)
        return np.array([settled(people), settled(metric)])


def settled(values: FloatArray) -> FloatArray:
    """Return values to 12 digits: the noise of sums would put tied systems in an order."""
    largest = float(np.abs(np.nan_to_num(values)).max(initial=0.0))
    return np.round(values, 12 - math.ceil(math.log10(largest))) if largest else values


def _cells(
    human: FloatArray, metric: FloatArray, systems: SystemTexts, codes: IntArray
) -> MeanParts:
    unit, system = systems.made
    there = np.isfinite(human[unit]) & np.isfinite(metric[unit])
    unit, system = unit[there], system[there]
    groups, k = int(codes.max(initial=-1)) + 1, len(systems.labels)
    key = codes[unit] * k + system
    tables = [
        np.bincount(key, weights, minlength=groups * k).reshape(groups, k).astype(np.float64)
        for weights in (human[unit], metric[unit], np.ones(unit.size))
    ]
    used = tables[2].sum(axis=1) > 0
    return MeanParts(np.array(tables[:2])[:, used], tables[2][used])


def system_level(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    systems: SystemTexts,
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    *,
    permutations: int = 1000,
) -> dict[str, SystemLevel]:
    """Correlate the systems' mean metric values with their mean human values.

    Means are over the units with both values. clusters are the phrases or originals (default: the
    units): intervals are by cluster, of these systems, and soft pairwise accuracy (Thompson et al.
    2024, WMT) swaps the two systems' means within them. Its mid-p counts ties with the observed
    difference half, so that p of A over B and of B over A sum to 1; humans and metric share the
    permutations. Needs two systems with values (correlations three; intervals five).

    Coefficients are of the means as measured on this many clusters. Their noise weakens the
    correlation: `pearson_corrected` estimates that of the true means (see `corrected_pearson`).
    """
    codes = np.arange(human.size) if clusters is None else dense(clusters)
    levels = {}
    for name, metric in steps(list(metrics.items())):
        cells = _cells(human, metric, systems, codes)
        included = cells.systems
        cells = MeanParts(cells.sums[:, :, included], cells.n[:, included])
        labels = tuple(systems.labels[place] for place in included)
        h, m = cells.means(np.ones((1, cells.n.shape[0])))[:, 0]
        values = over_systems(h, m, MEANS)
        corrected = corrected_pearson(cells, plan, clusters is not None)
        if plan is not None:
            values = _with_intervals(values, cells, plan, clusters is not None)
        seed = 0 if plan is None else plan.seed
        soft = soft_pairwise_accuracy(cells.sums, cells.n, permutations, seed)
        if soft.value is not None:
            soft = without_interval(soft, OF_P)
        more = {"pearson_corrected": corrected, "soft_pairwise_accuracy": soft}
        levels[name] = SystemLevel(labels, h, m, {**values, **more})
    return levels


def corrected_pearson(cells: MeanParts, plan: Bootstrap | None, clustered: bool) -> Estimate:
    """Return Pearson's r of the systems' true means.

    Variances and covariance over systems minus what noise adds to them: the noise of the measured
    means is linearised by cluster (correction for attenuation: Spearman 1904). The interval is the
    percentiles of a bootstrap of clusters, in which noise is subtracted twice because it is drawn
    twice; it needs 20 clusters, five systems, and nine in ten draws with variances above 0.
    """
    g, k = cells.n.shape
    method = CORRECTED
    if k < LEAST_SYSTEMS or g < 2:
        return undefined(
            lacking_systems(k) if k < LEAST_SYSTEMS else ONE_CLUSTER, n=k, method=method
        )
    noise = _noise(cells)
    value = float(_corrected(cells.means(np.ones((1, g))), noise)[0])
    if np.isnan(value):
        return undefined(ALL_NOISE, n=k, method=method)
    estimate = Estimate(value, n=k, method=method)
    if plan is None:
        return estimate
    named = plan.named(clustered)
    if why := lacking(g, LEAST_CORRECTED, named):
        return without_interval(estimate, why)
    drawn = replace(plan, replicates=plan.replicates or CORRECTED_DRAWS)
    made = [_corrected(cells.means(block), 2 * noise) for block in weights(drawn, g)]
    return attach(estimate, np.concatenate(made), drawn, g, clustered, least=LEAST_CORRECTED)


def _noise(cells: MeanParts) -> FloatArray:
    """Return (3,) what noise adds to the variance of the people's means over systems, to that of
    the metric's, and to their covariance."""
    g, k = cells.n.shape
    total = cells.n.sum(axis=0)
    mean = cells.sums.sum(axis=1) / total
    share = (cells.sums - mean[:, None, :] * cells.n) / total
    # What all systems have in common moves no difference between them.
    h, m = share - share.mean(axis=2, keepdims=True)
    factor = g / (g - 1) / (k - 1)
    return np.asarray(np.array([(h * h).sum(), (m * m).sum(), (h * m).sum()]) * factor)


def _corrected(means: FloatArray, noise: FloatArray) -> FloatArray:
    """Return (b,) r of (2, b, K) means without so much noise; NaN if a variance is not above 0."""
    h, m = means - means.mean(axis=2, keepdims=True)
    free = h.shape[1] - 1
    parts = [(a * b).sum(axis=1) / free for a, b in ((h, h), (m, m), (h, m))]
    first, second, both = (part - one for part, one in zip(parts, noise, strict=True))
    defined = (first > 1e-12 * parts[0]) & (second > 1e-12 * parts[1])
    product = np.where(defined, first * second, 1.0)
    return np.where(defined, np.clip(both / np.sqrt(product), -1.0, 1.0), np.nan)


def corpus_level(
    human: FloatArray, scores: Mapping[str, Mapping[str, float]], systems: SystemTexts
) -> dict[str, SystemLevel]:
    """Do the same for corpus-level metrics, {metric: {system: score}}."""
    unit, system = systems.made
    observed = np.isfinite(human[unit])
    n = np.bincount(system[observed], minlength=len(systems.labels))
    total = np.bincount(system[observed], human[unit[observed]], minlength=n.size).astype(
        np.float64
    )
    mean = settled(ratio(total, n.astype(np.float64)))
    levels = {}
    for name, by_label in scores.items():
        column = np.array([by_label.get(label, np.nan) for label in systems.labels])
        included = np.flatnonzero(np.isfinite(column) & np.isfinite(mean))
        labels = tuple(systems.labels[place] for place in included)
        values = {
            name: one if one.value is None else without_interval(one, NO_PARTS)
            for name, one in over_systems(mean[included], column[included], CORPUS).items()
        }
        more = {
            "pearson_corrected": undefined(NOT_PAIRED, n=included.size, method=CORRECTED),
            "soft_pairwise_accuracy": undefined(NOT_PAIRED, n=included.size, method=SOFT),
        }
        levels[name] = SystemLevel(labels, mean[included], column[included], {**values, **more})
    return levels


def over_systems(human: FloatArray, metric: FloatArray, what: Sentence) -> dict[str, Estimate]:
    """Return coefficients over systems; no missing values.

    pairwise_accuracy is over pairs of systems not tied by humans, a metric tie counting half, or 0
    in `details.strict`.
    """
    one = coefficients(human, {"m": metric}, names=NAMES)["m"]
    estimates = {
        name: Estimate(
            e.value,
            n=e.n,
            method=say("%(method)s, %(what)s", method=e.method, what=what),
            reason=e.reason,
            details=e.details,
        )
        for name, e in one.items()
    }
    method = say(
        "pairs of systems not tied by humans, half credit for a metric tie, %(what)s", what=what
    )
    right, tied, untied = _pair_counts(human[None, :], metric[None, :])
    if not untied[0]:
        reason = FEW_SYSTEMS if human.size < 2 else say("undefined: humans tie every pair")
        estimates["pairwise_accuracy"] = undefined(reason, method=method, details={"strict": None})
        return estimates
    estimates["pairwise_accuracy"] = Estimate(
        float((right[0] + tied[0] / 2) / untied[0]),
        n=int(untied[0]),
        method=method,
        details={"strict": float(right[0] / untied[0])},
    )
    return estimates


def _pair_counts(h: FloatArray, m: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (b,) counts for (b, K) rows: concordant pairs, metric ties, pairs not tied by humans.

    The first two count only pairs not tied by humans.
    """
    i, j = np.triu_indices(h.shape[1], 1)
    people, machine = (_direction(v[:, i] - v[:, j], v) for v in (h, m))
    untied = people != 0
    return (
        (untied & (people == machine)).sum(axis=1).astype(np.float64),
        (untied & (machine == 0)).sum(axis=1).astype(np.float64),
        untied.sum(axis=1).astype(np.float64),
    )


def _direction(gap: FloatArray, values: FloatArray) -> FloatArray:
    noise = 1e-9 * np.abs(np.nan_to_num(values)).max(initial=0.0)
    return np.asarray(np.sign(gap) * (np.abs(gap) > noise))


def lacking_systems(systems: int) -> Sentence:
    """Return why coefficients over so few systems have no interval."""
    return say("with %(n)s systems no interval means anything", n=systems)


def _with_intervals(
    values: dict[str, Estimate], cells: MeanParts, plan: Bootstrap, clustered: bool
) -> dict[str, Estimate]:
    groups, systems = cells.n.shape
    if systems < LEAST_SYSTEMS:
        return {
            name: one if one.value is None else without_interval(one, lacking_systems(systems))
            for name, one in values.items()
        }
    made: dict[str, list[FloatArray]] = {name: [] for name in values}
    for drawn in weights(plan, groups):
        h, m = cells.means(drawn)
        gone = np.isnan(h).any(axis=1)
        h, m = np.nan_to_num(h), np.nan_to_num(m)
        ranked = scipy.stats.rankdata(h, axis=1), scipy.stats.rankdata(m, axis=1)
        right, tied, untied = _pair_counts(h, m)
        i, j = np.triu_indices(h.shape[1], 1)
        people, machine = (_direction(v[:, i] - v[:, j], v) for v in (h, m))
        for name, block in (
            ("pearson", _rows_pearson(h, m)),
            ("spearman", _rows_pearson(*ranked)),
            ("kendall", _rows_cosine(people, machine)),
            ("pairwise_accuracy", ratio(right + tied / 2, untied)),
        ):
            made[name].append(np.where(gone, np.nan, block))
    return {
        name: attach(
            one,
            np.concatenate(made[name]),
            plan,
            groups,
            clustered,
            form="logit" if name == "pairwise_accuracy" else "z",
        )
        for name, one in values.items()
    }


def _rows_pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    return _rows_cosine(x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True))


def _rows_cosine(x: FloatArray, y: FloatArray) -> FloatArray:
    return ratio((x * y).sum(axis=1), np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1)))


def soft_pairwise_accuracy(
    sums: FloatArray, n: FloatArray, permutations: int, seed: int
) -> Estimate:
    """Compute from (2, G, K) sums and (G, K) counts: see `system_level`. n counts pairs."""
    groups, k = n.shape
    if k < 2:
        return undefined(FEW_SYSTEMS, method=SOFT)
    means = ratio(sums, n[None])
    pairs = np.array(list(combinations(range(k), 2)))
    gap = means[:, :, pairs[:, 0]] - means[:, :, pairs[:, 1]]
    defined = ~np.isnan(gap).any(axis=0)
    pairs_known = defined.any(axis=0)
    if not pairs_known.any():
        return undefined(NO_SHARED, method=SOFT)
    gap = np.where(defined, gap, 0.0)[:, :, pairs_known]
    observed = gap.sum(axis=1)
    slack = 1e-9 * np.maximum(np.abs(gap).sum(axis=1), 1e-300)
    rng = np.random.default_rng(seed)
    beyond = np.zeros(observed.shape)
    step = max(1, 2_000_000 // max(groups, gap.shape[2]))
    for start in range(0, permutations, step):
        size = (min(step, permutations - start), groups)
        signs = rng.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1.0
        distance = signs @ gap - observed[:, None, :]
        more = distance > slack[:, None, :]
        beyond += more.sum(axis=1) + (np.abs(distance) <= slack[:, None, :]).sum(axis=1) / 2
    p = beyond / permutations
    return Estimate(
        float(1 - np.abs(p[0] - p[1]).mean()),
        n=int(pairs_known.sum()),
        method=SOFT,
        seed=seed,
        options={"permutations": permutations},
    )
