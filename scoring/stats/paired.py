"""The rows of two columns, or of one human column and many metrics, that a statistic uses.

Columns are equally long with NaN for a missing value. A coefficient uses the rows where its two
columns are present; a comparison of two metrics those where the human column and both are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from scoring.stats.table import BoolArray, FloatArray, IntArray

LEAST_UNITS = 3  # Two always lie on a line.
FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows without a gap.

    x          (n,) human values
    y          (n, M) metrics, named by `names`
    codes      (n,) cluster of each row, from 0 without gaps; each row its own without clusters
    clustered  whether clusters were given
    rows       which rows of the whole columns these are, as bytes
    """

    names: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    codes: IntArray
    clustered: bool
    rows: bytes = b""

    @property
    def n(self) -> int:
        return int(self.x.size)

    @property
    def groups(self) -> int:
        return int(self.codes.max(initial=-1)) + 1

    def column(self, name: str) -> FloatArray:
        return self.y[:, self.names.index(name)]

    def only(self, names: Sequence[str]) -> Sample:
        """The same rows with some of the metrics."""
        at = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), y=self.y[:, at])

    def by_group(self, cells: FloatArray) -> FloatArray:
        """(G, C) sums of (n, C) cells over the rows of each cluster."""
        return by_group(cells, self.codes, self.groups)


def by_group(cells: FloatArray, codes: IntArray, groups: int) -> FloatArray:
    """(G, C) sums of (n, C) cells by code."""
    owner = sparse.csr_array(
        (np.ones(codes.size), (codes, np.arange(codes.size))), shape=(groups, codes.size)
    )
    return np.asarray(owner @ cells)


def dense(codes: IntArray) -> IntArray:
    """The same codes from 0 on without gaps."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def paired(
    human: FloatArray, metric: FloatArray, clusters: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """The rows present in both, and cluster codes from 0 (each row its own without clusters)."""
    if human.shape != metric.shape or human.ndim != 1:
        raise ValueError("the columns must be one-dimensional and equally long")
    both = np.isfinite(human) & np.isfinite(metric)
    codes = np.arange(human.size) if clusters is None else clusters
    if codes.shape != human.shape:
        raise ValueError("the clusters must be as long as the columns")
    return human[both], metric[both], dense(codes[both])


def samples(
    human: FloatArray, metrics: Mapping[str, FloatArray], clusters: IntArray | None
) -> list[Sample]:
    """Metrics with the same rows stand in one sample, so that they share what is drawn."""
    groups: dict[bytes, list[str]] = {}
    for name, metric in metrics.items():
        paired(human, metric, clusters)  # refuses unequal shapes
        there = np.isfinite(human) & np.isfinite(metric)
        groups.setdefault(np.packbits(there).tobytes(), []).append(name)
    return [
        sample_of(human, {name: metrics[name] for name in names}, clusters)
        for names in groups.values()
    ]


def sample_of(
    human: FloatArray, metrics: Mapping[str, FloatArray], clusters: IntArray | None
) -> Sample:
    """The rows where the human column and all of these metrics are present."""
    y = np.column_stack([np.asarray(column, dtype=np.float64) for column in metrics.values()])
    rows: BoolArray = np.isfinite(human) & np.isfinite(y).all(axis=1)
    codes = np.arange(human.size) if clusters is None else clusters
    return Sample(
        tuple(metrics), human[rows], y[rows], dense(codes[rows]), clusters is not None,
        np.packbits(rows).tobytes(),
    )  # fmt: skip


def is_constant(values: FloatArray) -> bool:
    """Equal up to rounding: what is left of a mean of equal numbers is no variation."""
    return values.size == 0 or bool(np.ptp(values) <= FLAT * np.abs(values).max())


def why_not(x: FloatArray, y: FloatArray) -> str:
    """Why two columns have no correlation; empty where they have one."""
    if x.size < LEAST_UNITS:
        return f"undefined: needs 3 units, has {x.size}"
    if is_constant(x):
        return "undefined: the human values are all equal"
    if is_constant(y):
        return "undefined: the metric's values are all equal"
    return ""


def unit_scale(values: FloatArray) -> FloatArray:
    """(n,) or (n, M) columns that vary, centred and scaled into [-1, 1]: no square overflows."""
    centred = values / np.abs(values).max(axis=0)
    centred = centred - centred.mean(axis=0)
    return np.asarray(centred / np.abs(centred).max(axis=0))


def standard(values: FloatArray) -> FloatArray:
    """(n,) or (n, M) columns that vary, with mean 0 and standard deviation 1."""
    centred = unit_scale(values)
    return np.asarray(centred / centred.std(axis=0))


def mid_ranks(values: FloatArray) -> FloatArray:
    """(n,) or (n, M) mid-ranks from 1 on of each column."""
    columns = values if values.ndim == 2 else values[:, None]
    ranks = np.empty(columns.shape)
    for place, column in enumerate(columns.T):
        _, of, times = np.unique(column, return_inverse=True, return_counts=True)
        ranks[:, place] = (np.cumsum(times) - (times - 1) / 2)[of]
    return ranks if values.ndim == 2 else ranks[:, 0]
