"""Complete-case samples of a human column and one or more metrics.

Columns have equal length with NaN for missing values. A coefficient uses the rows where its two
columns are present; a comparison of two metrics those where the human column and both are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.stats.table import BoolArray, FloatArray, IntArray

LEAST_UNITS = 3  # Two always lie on a line.
FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows without missing values.

    x          (n,) human values
    y          (n, M) metrics, named by `names`
    codes      (n,) cluster of each row, 0 to groups - 1; without clusters each row is its own
    clustered  whether clusters were given
    rows       bit mask of these rows in the full columns, as bytes
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
        """Return the same rows with some of the metrics."""
        at = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), y=self.y[:, at])

    def by_group(self, cells: FloatArray) -> FloatArray:
        """Return (G, C) sums of (n, C) cells over the rows of each cluster."""
        return by_group(cells, self.codes, self.groups)


def by_group(cells: FloatArray, codes: IntArray, groups: int) -> FloatArray:
    """Return (G, C) sums of (n, C) cells by code."""
    owner = scipy.sparse.csr_array(
        (np.ones(codes.size), (codes, np.arange(codes.size))), shape=(groups, codes.size)
    )
    return np.asarray(owner @ cells)


def dense(codes: IntArray) -> IntArray:
    """Recode as 0, 1, 2, ... without gaps."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def paired(
    human: FloatArray, metric: FloatArray, clusters: IntArray | None
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the rows present in both, and cluster codes from 0; default: one cluster per row."""
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
    """Group metrics with the same rows into one sample, so that they share resamples."""
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
    """Return the rows where the human column and all of these metrics are present."""
    none = np.zeros((human.size, 0))
    y = np.column_stack([none, *metrics.values()]).astype(np.float64, copy=False)
    rows: BoolArray = np.isfinite(human) & np.isfinite(y).all(axis=1)
    codes = np.arange(human.size) if clusters is None else clusters
    return Sample(
        tuple(metrics), human[rows], y[rows], dense(codes[rows]), clusters is not None,
        np.packbits(rows).tobytes(),
    )  # fmt: skip


def is_constant(values: FloatArray) -> bool:
    """Return whether all values are equal up to rounding error."""
    return values.size == 0 or bool(np.ptp(values) <= FLAT * np.abs(values).max())


def why_not(x: FloatArray, y: FloatArray) -> Sentence:
    """Return why the correlation of two columns is undefined, or ""."""
    if x.size < LEAST_UNITS:
        return say("undefined: needs 3 units, has %(n)s", n=x.size)
    if is_constant(x):
        return say("undefined: the human values are all equal")
    if is_constant(y):
        return say("undefined: the metric's values are all equal")
    return NOTHING


def unit_scale(values: FloatArray) -> FloatArray:
    """Centre non-constant (n,) or (n, M) columns and scale them into [-1, 1] to avoid overflow."""
    centred = values / np.abs(values).max(axis=0)
    centred = centred - centred.mean(axis=0)
    return np.asarray(centred / np.abs(centred).max(axis=0))


def standard(values: FloatArray) -> FloatArray:
    """Standardise non-constant (n,) or (n, M) columns to mean 0 and standard deviation 1."""
    centred = unit_scale(values)
    return np.asarray(centred / centred.std(axis=0))


def mid_ranks(values: FloatArray) -> FloatArray:
    """Return (n,) or (n, M) mid-ranks, from 1, of each column."""
    columns = values if values.ndim == 2 else values[:, None]
    ranks = np.empty(columns.shape)
    for place, column in enumerate(columns.T):
        _, of, times = np.unique(column, return_inverse=True, return_counts=True)
        ranks[:, place] = (np.cumsum(times) - (times - 1) / 2)[of]
    return ranks if values.ndim == 2 else ranks[:, 0]
