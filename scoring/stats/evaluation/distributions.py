"""Correlation matrix of columns, and the distribution of a metric by human value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

import numpy as np

from scoring.stats.evaluation.correlation import POINTS, coefficients
from scoring.stats.evaluation.json_types import MatrixJson
from scoring.stats.table import FloatArray, IntArray

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
        found = coefficients(columns[a], {"b": columns[b]}, names=[coefficient])["b"][coefficient]
        i, j = names.index(a), names.index(b)
        value[i, j] = value[j, i] = np.nan if found.value is None else found.value
        n[i, j] = n[j, i] = found.n
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
