"""The units with the largest disagreement of metric and humans, in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

import numpy as np

from paraanno.common.texts import say
from scoring.stats.evaluation.correlation import POINTS, coefficients
from scoring.stats.evaluation.json_types import MatrixJson, RocJson
from scoring.stats.intervals import (
    LEAST_CLUSTERS,
    Bootstrap,
    attach,
    jackknife_interval,
    left_out,
)
from scoring.stats.significance.paired import (
    by_group,
    dense,
    mid_ranks,
    replicate,
    roc_kernel,
    samples,
)
from scoring.stats.table import Estimate, FloatArray, IntArray, undefined

METHOD = say(
    "percentile of the metric's mid-rank minus that of the human value, over the same units"
)


class DisagreeingUnit(TypedDict):
    """A unit that people and the metric place differently."""

    unit: int
    gap: float
    human_percentile: float
    metric_percentile: float


class DisagreementJson(TypedDict):
    """Those that the metric places higher, and those that people do."""

    method: str
    metric_higher: list[DisagreeingUnit]
    people_higher: list[DisagreeingUnit]


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Disagreement of metric and humans per unit.

    gap  (n,) difference of percentile ranks, -1 to 1, NaN if a value is missing
    metric_higher, people_higher  positions of units with a gap in that direction, largest first
    """

    gap: FloatArray
    metric_higher: IntArray
    people_higher: IntArray
    human_percentile: FloatArray
    metric_percentile: FloatArray

    def to_json(self) -> DisagreementJson:
        def rows(units: IntArray) -> list[DisagreeingUnit]:
            return [
                {
                    "unit": int(unit),
                    "gap": float(self.gap[unit]),
                    "human_percentile": float(self.human_percentile[unit]),
                    "metric_percentile": float(self.metric_percentile[unit]),
                }
                for unit in units
            ]

        return {
            "method": METHOD,
            "metric_higher": rows(self.metric_higher),
            "people_higher": rows(self.people_higher),
        }


def disagreement(human: FloatArray, metric: FloatArray, most: int = 20) -> Disagreement:
    """Return the difference of percentile ranks, (mid-rank - 1/2) / n, of metric and humans.

    Ranks make it independent of the metric's units and distribution. Equal gaps keep the order of
    units.
    """
    there = np.flatnonzero(np.isfinite(human) & np.isfinite(metric))
    percentiles = [np.full(human.size, np.nan) for _ in range(2)]
    for whole, column in zip(percentiles, (human, metric), strict=True):
        if there.size:
            whole[there] = (mid_ranks(column[there]) - 0.5) / there.size
    gap = percentiles[1] - percentiles[0]
    order = there[np.argsort(gap[there], kind="stable")]
    down = there[np.argsort(-gap[there], kind="stable")]
    return Disagreement(
        gap,
        down[gap[down] > 1e-12][:most],
        order[gap[order] < -1e-12][:most],
        percentiles[0],
        percentiles[1],
    )


# Correlation matrix of columns, and the distribution of a metric by human value.


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_VALUES = 15


@dataclass(frozen=True, eq=False)
class Matrix:
    """value (C, C): coefficient of each pair of columns, NaN if undefined; n (C, C): units."""

    names: tuple[str, ...]
    coefficient: str
    value: FloatArray
    n: IntArray

    def to_json(self) -> MatrixJson:
        return {
            "names": list(self.names),
            "coefficient": self.coefficient,
            "value": [[None if np.isnan(v) else float(v) for v in row] for row in self.value],
            "n": self.n.tolist(),
        }


def correlation_matrix(columns: Mapping[str, FloatArray], coefficient: str = "spearman") -> Matrix:
    """Correlate every pair of columns over the units where both are present.

    coefficient  pearson, spearman, kendall or kendall_c; raises ValueError for another
    """
    if coefficient not in POINTS:
        raise ValueError(f"the coefficient is one of {', '.join(POINTS)}")
    names = tuple(columns)
    value = np.full((len(names), len(names)), np.nan)
    n = np.zeros(value.shape, dtype=np.int64)
    own = [(name, name) for name in names]
    for a, b in [*combinations(names, 2), *own]:
        estimate = coefficients(columns[a], {"b": columns[b]}, names=[coefficient])["b"][
            coefficient
        ]
        i, j = names.index(a), names.index(b)
        value[i, j] = value[j, i] = np.nan if estimate.value is None else estimate.value
        n[i, j] = n[j, i] = estimate.n
    return Matrix(names, coefficient, value, n)


class BinJson(TypedDict):
    """The metric at neighbouring human values."""

    low: float
    high: float
    n: int
    mean: float
    quantiles: dict[str, float]


@dataclass(frozen=True, eq=False)
class ByHuman:
    """Distribution of a metric by human value.

    low, high  (L,) range of human values of each group, ascending; equal for a single value
    n, mean    (L,) number of units, and mean of the metric
    quantiles  (L, 5) of the metric at QUANTILES
    """

    low: FloatArray
    high: FloatArray
    n: IntArray
    mean: FloatArray
    quantiles: FloatArray

    def to_json(self) -> list[BinJson]:
        return [
            {
                "low": float(self.low[row]),
                "high": float(self.high[row]),
                "n": int(self.n[row]),
                "mean": float(self.mean[row]),
                "quantiles": dict(
                    zip(map(str, QUANTILES), self.quantiles[row].tolist(), strict=True)
                ),
            }
            for row in range(self.n.size)
        ]


def by_human_value(
    human: FloatArray, metric: FloatArray, most_values: int = MOST_VALUES
) -> ByHuman:
    """Summarise the metric at each human value.

    More than `most_values` distinct values (means of several annotators) are binned into groups of
    about equal size; equal values stay together. Quantiles use linear interpolation (numpy's
    default).
    """
    there = np.isfinite(human) & np.isfinite(metric)
    x, y = human[there], metric[there]
    values, of, times = np.unique(x, return_inverse=True, return_counts=True)
    if values.size > most_values:
        middle = np.cumsum(times) - times / 2
        part = np.minimum(middle * most_values // max(x.size, 1), most_values - 1)
        of = np.unique(part, return_inverse=True)[1][of]
    groups = int(of.max(initial=-1)) + 1
    rows = [np.flatnonzero(of == group) for group in range(groups)]
    return ByHuman(
        np.array([x[row].min() for row in rows]),
        np.array([x[row].max() for row in rows]),
        np.array([row.size for row in rows], dtype=np.int64),
        np.array([y[row].mean() for row in rows]),
        np.array([np.quantile(y[row], QUANTILES) for row in rows]).reshape(-1, len(QUANTILES)),
    )


# Human values at low, middle and high scores: the mean in each fifth of the texts.


PARTS = 5


@dataclass(frozen=True, slots=True)
class Fifth:
    """A part of the texts: median score `x`, mean human value `y` with its 95 % interval (None if
    the part has fewer than five clusters), and the number of texts."""

    x: float
    y: float
    low: float | None
    high: float | None
    n: int


def fifths(metric: FloatArray, people: FloatArray, cluster: IntArray) -> list[Fifth]:
    """Split the texts into five parts by score and return the mean human value of each.

    metric, people, cluster  (n,) score, human value and cluster (the original) of each text, no NaN

    Equal scores may fall into two parts. The interval is the jackknife's by cluster, and ends where
    the human values do. Fewer parts where there are fewer than five texts.
    """
    order = np.argsort(metric, kind="stable")
    parts = np.array_split(order, PARTS)
    ends = (float(people.min()), float(people.max())) if people.size else (0.0, 0.0)
    return [_part(metric[part], people[part], cluster[part], ends) for part in parts if part.size]


def _part(
    metric: FloatArray, people: FloatArray, cluster: IntArray, ends: tuple[float, float]
) -> Fifth:
    mean, code = float(people.mean()), dense(cluster)
    low = high = None
    if code.max() + 1 >= LEAST_CLUSTERS:
        cells = by_group(np.column_stack([people, np.ones(people.size)]), code, int(code.max()) + 1)
        rest = left_out(cells)
        interval = jackknife_interval(mean, rest[:, 0] / rest[:, 1])
        if not isinstance(interval, str):
            low, high = max(interval[0], ends[0]), min(interval[1], ends[1])
    return Fifth(float(np.median(metric)), mean, low, high, int(people.size))


# ROC curve and AUC of a metric for the human pass decision.


ROC_METHOD = say(
    "area under the ROC curve: probability that a passing unit has the higher value, ties half"
)
ONE_KIND = say("undefined: needs units that pass and units that do not")
MOST_POINTS = 200


@dataclass(frozen=True)
class Roc:
    """Area under the curve, and points (false positive rate, true positive rate, threshold).

    Units at or above the threshold are predicted to pass; the first point, (0, 0), has none.
    """

    area: Estimate
    curve: tuple[tuple[float, float, float | None], ...] = ()

    def to_json(self) -> RocJson:
        return {"area": self.area.as_json(), "curve": [list(point) for point in self.curve]}


def roc_curves(
    passed: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
) -> dict[str, Roc]:
    """Return the ROC of each metric; passed (n,) is 1, 0 or NaN, else ValueError.

    Curves have at most about 200 points. The area is the Mann-Whitney statistic (Hanley and McNeil
    1982); intervals, if there is a plan, are by cluster.
    """
    if not np.isin(passed[np.isfinite(passed)], (0.0, 1.0)).all():
        raise ValueError("the pass decision must be 1, 0 or missing")
    curves: dict[str, Roc] = {}
    for sample in samples(passed, metrics, clusters):
        yes = int(sample.x.sum())
        no = sample.n - yes
        details = {"passed": yes, "failed": no}
        if not yes or not no:
            none = Roc(undefined(ONE_KIND, n=sample.n, method=ROC_METHOD, details=details))
            curves |= dict.fromkeys(sample.names, none)
            continue
        replicates = None
        if plan is not None:
            kernel = {"roc": roc_kernel(sample)}
            replicates = replicate(kernel, plan, sample.groups, sample.n)["roc"]
        ranks = mid_ranks(sample.y)[sample.x == 1].sum(axis=0)
        for place, name in enumerate(sample.names):
            area = (ranks[place] - yes * (yes + 1) / 2) / (yes * no)
            estimate = Estimate(float(area), n=sample.n, method=ROC_METHOD, details=details)
            if replicates is not None and plan is not None:
                estimate = attach(
                    estimate,
                    replicates[:, place],
                    plan,
                    sample.groups,
                    sample.clustered,
                    form="logit",
                )
            curves[name] = Roc(estimate, _curve(sample.x, sample.y[:, place]))
    return {name: curves[name] for name in metrics}


def _curve(passed: FloatArray, values: FloatArray) -> tuple[tuple[float, float, float | None], ...]:
    order = np.argsort(-values, kind="stable")
    last = np.flatnonzero(np.append(np.diff(values[order]) != 0, True))
    hits = np.cumsum(passed[order])[last] / passed.sum()
    misses = np.cumsum(1 - passed[order])[last] / (1 - passed).sum()
    thin = np.unique(np.linspace(0, last.size - 1, min(last.size, MOST_POINTS)).astype(np.int64))
    points = zip(misses[thin], hits[thin], values[order][last][thin], strict=True)
    return ((0.0, 0.0, None), *((float(f), float(t), float(v)) for f, t, v in points))
