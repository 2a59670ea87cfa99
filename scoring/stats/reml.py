"""Variance components by restricted maximum likelihood (REML) for incomplete ratings.

Model: rating = mean + unit + annotator + residual, the last three random and independent. The
unit effect is absorbed: for a given ratio of variances V^-1 is block diagonal over units and
depends on a unit only through its number of ratings, so all sums are made once per number of
ratings and one evaluation costs no more for 50,000 units than for 50. What stays dense is one row
per annotator. Reference: Searle, Casella and McCulloch 1992, chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize, sparse

from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable, expand

LARGEST_LOG = 25.0
NEAR_ZERO = 0.01


@dataclass(frozen=True)
class Components:
    """Estimated variances; annotator is 0 in the one-way model."""

    unit: float
    annotator: float
    residual: float


@dataclass(frozen=True, eq=False)
class Sums:
    """Sufficient sums for the likelihood, one row per distinct number of ratings m.

    m                 (M,) ratings per unit
    units             (..., M) units that have so many
    total, square     (..., M) sum over those units of t and t^2, t the sum of the unit's ratings
    shared            (..., M, A, A) units rated by both annotators
    mixed             (..., M, A) sum over an annotator's units of t
    annotator_total   (..., A) sum of an annotator's ratings
    yy                (...) sum of the squares of all ratings

    The dots are replicates of a sample, or nothing.
    """

    m: FloatArray
    units: FloatArray
    total: FloatArray
    square: FloatArray
    shared: FloatArray
    mixed: FloatArray
    annotator_total: FloatArray
    yy: FloatArray

    @cached_property
    def n(self) -> FloatArray:
        """(...) ratings."""
        return self.units @ self.m

    @cached_property
    def y(self) -> FloatArray:
        """(...) their sum."""
        return np.asarray(self.total.sum(axis=-1))

    @cached_property
    def seen(self) -> FloatArray:
        """(..., M, A) units an annotator rated."""
        return np.diagonal(self.shared, axis1=-2, axis2=-1)

    @cached_property
    def per_annotator(self) -> FloatArray:
        """(..., A) ratings of an annotator."""
        return np.asarray(self.seen.sum(axis=-2))

    def only(self, rows: IntArray | BoolArray) -> Sums:
        """Some of the replicates."""
        return Sums(self.m, *(getattr(self, name)[rows] for name in PARTS))


PARTS = ("units", "total", "square", "shared", "mixed", "annotator_total", "yy")


@dataclass(frozen=True, eq=False)
class Design:
    """What the sums are made from. who (U, A) sparse, 1 for a rating; total (U,) and square (U,)
    sums of a unit's ratings and of their squares; rating (U, A) sparse; size (U,) position of its
    number of ratings among `m`. Values are centred first, which changes no component."""

    who: sparse.csr_array
    rating: sparse.csr_array
    total: FloatArray
    square: FloatArray
    size: IntArray
    m: FloatArray

    @classmethod
    def of(cls, table: RatingTable, with_annotators: bool) -> Design:
        value = table.value - table.value.mean()
        unit, annotator = _dense_codes(table)
        total = np.bincount(unit, value).astype(np.float64)
        square = np.bincount(unit, value**2).astype(np.float64)
        m, size = np.unique(np.bincount(unit), return_inverse=True)
        if not with_annotators:
            unit, annotator, value = unit[:0], annotator[:0], value[:0]
        shape = (total.size, table.used_annotators.size if with_annotators else 0)
        who = sparse.csr_array((np.ones(unit.size), (unit, annotator)), shape=shape)
        rating = sparse.csr_array((value, (unit, annotator)), shape=shape)
        return cls(who, rating, total, square, size.astype(np.int64), m.astype(np.float64))

    @property
    def cost(self) -> float:
        """Products of ratings that the sums over all units take."""
        return float((self.m**2 * np.bincount(self.size)).sum()) if self.who.shape[1] else 0.0

    def sums(self, units: IntArray | None = None) -> Sums:
        """Over all units, or those at these positions."""
        chosen = np.arange(self.total.size) if units is None else units
        size, total, who = self.size[chosen], self.total[chosen], self.who[chosen]
        width = who.shape[1]
        shared, mixed = np.zeros((self.m.size, width, width)), np.zeros((self.m.size, width))
        for row in range(self.m.size if width else 0):
            mine = np.flatnonzero(size == row)
            block = who[mine]
            shared[row] = (block.T @ block).toarray()
            mixed[row] = block.T @ total[mine]

        def by_size(values: FloatArray) -> FloatArray:
            return np.bincount(size, values, minlength=self.m.size).astype(np.float64)

        return Sums(
            self.m,
            by_size(np.ones(chosen.size)),
            by_size(total),
            by_size(total**2),
            shared,
            mixed,
            np.asarray(self.rating[chosen].sum(axis=0)),
            np.asarray(self.square[chosen].sum()),
        )

    def cells(self) -> sparse.csr_array:
        """(U, C) what every unit adds to the sums; `from_cells` reads weighted sums of its rows."""
        rows, width = np.arange(self.total.size), self.who.shape[1]
        shape = (self.total.size, self.m.size)
        own = [
            sparse.csr_array((values, (rows, self.size)), shape=shape)
            for values in (np.ones(rows.size), self.total, self.total**2)
        ]
        ends = self.who.indptr.astype(np.int64)
        unit = np.repeat(rows, np.diff(ends))
        other, this = expand(ends[:-1], ends[1:], unit)
        one, two = self.who.indices[this], self.who.indices[other]
        column = (self.size[unit[this]] * width + one) * width + two
        shared = sparse.csr_array(
            (np.ones(column.size), (unit[this], column)),
            shape=(rows.size, self.m.size * width * width),
        )
        mixed = sparse.csr_array(
            (self.total[unit], (unit, self.size[unit] * width + self.who.indices)),
            shape=(rows.size, self.m.size * width),
        )
        square = sparse.csr_array(self.square[:, None])
        parts = [*own, shared, mixed, self.rating, square]
        return sparse.csr_array(sparse.hstack(parts, format="csr"))

    def from_cells(self, block: FloatArray) -> Sums:
        """The sums of (B, C) replicates."""
        b, m, width = len(block), self.m.size, self.who.shape[1]
        ends = np.cumsum([m, m, m, m * width * width, m * width, width])
        units, total, square, shared, mixed, own, yy = np.split(block, ends, axis=1)
        return Sums(
            self.m, units, total, square, shared.reshape(b, m, width, width),
            mixed.reshape(b, m, width), own, yy[:, 0],
        )  # fmt: skip


def incidence(table: RatingTable) -> sparse.csr_array:
    """(rated units, used annotators) 1 where there is a rating."""
    unit, annotator = _dense_codes(table)
    return sparse.csr_array((np.ones(unit.size), (unit, annotator)))


def _dense_codes(table: RatingTable) -> tuple[IntArray, IntArray]:
    return (
        np.searchsorted(table.rated_units, table.unit).astype(np.int64),
        np.searchsorted(table.used_annotators, table.annotator).astype(np.int64),
    )


def sums(table: RatingTable, with_annotators: bool) -> Sums:
    """The sums of a table."""
    return Design.of(table, with_annotators).sums()


def profile(
    s: Sums, unit_ratio: FloatArray | float, annotator_ratio: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """(-2 log REML likelihood up to a constant, residual variance) at two variance ratios.

    Ratios are variance / residual variance, numbers or one per replicate; the residual variance
    itself is profiled out.
    """
    u, a = np.asarray(unit_ratio)[..., None], np.asarray(annotator_ratio)
    shrink = u / (1 + u * s.m)
    ones = s.n - (shrink * s.m**2 * s.units).sum(axis=-1)
    ones_y = s.y - (shrink * s.m * s.total).sum(axis=-1)
    y_y = s.yy - (shrink * s.square).sum(axis=-1)
    log_det = (s.units * np.log1p(u * s.m)).sum(axis=-1)
    if (a > 0).any():
        inner = -np.einsum("...m,...mij->...ij", shrink, s.shared)
        diagonal = np.arange(inner.shape[-1])
        inner[..., diagonal, diagonal] += s.per_annotator
        row = s.per_annotator - np.einsum("...m,...mi->...i", shrink * s.m, s.seen)
        row_y = s.annotator_total - np.einsum("...m,...mi->...i", shrink, s.mixed)
        system = np.eye(inner.shape[-1]) + a[..., None, None] * inner
        solved = np.linalg.solve(system, np.stack([row, row_y], axis=-1))
        # `row` is `inner` times ones, so ones - ratio row' system^-1 row is the sum below; taken
        # as a difference it drowns in rounding where the ratio is large, and REML runs off there.
        ones, ones_y = solved[..., 0].sum(axis=-1), solved[..., 1].sum(axis=-1)
        y_y = y_y - a * (row_y * solved[..., 1]).sum(axis=-1)
        log_det = log_det + np.linalg.slogdet(system)[1]
    residual = np.maximum((y_y - ones_y**2 / ones) / (s.n - 1), 1e-300)
    return (s.n - 1) * np.log(residual) + log_det + np.log(ones), residual


def one_way(table: RatingTable) -> Components:
    """Components of rating = mean + unit + residual, annotators ignored."""
    s = sums(table, with_annotators=False)
    best = _best_ratio(lambda ratio: float(profile(s, ratio, 0.0)[0]))
    residual = float(profile(s, best, 0.0)[1])
    return Components(best * residual, 0.0, residual)


def two_way(table: RatingTable) -> Components:
    """Components of rating = mean + unit + annotator + residual (crossed).

    The caller has made sure that they can be told apart (`reliability`).
    """
    exact = _without_residual(table)
    if exact is not None:
        return exact
    s = sums(table, with_annotators=True)

    def objective(unit_ratio: float, annotator_ratio: float) -> float:
        return float(profile(s, unit_ratio, annotator_ratio)[0])

    def of_logs(logs: FloatArray) -> float:
        ratios = np.exp(np.clip(logs, -LARGEST_LOG, LARGEST_LOG))
        return objective(float(ratios[0]), float(ratios[1]))

    grid = [np.array([a, b]) for a in np.arange(-6.0, 7, 3) for b in np.arange(-8.0, 5, 3)]
    start = min(grid, key=of_logs)
    # Steps of one in both directions: scipy's own first simplex is nearly a line where a
    # coordinate is 0, and it then walks off along it.
    simplex = start + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    inside = optimize.minimize(
        of_logs,
        start,
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-10, "initial_simplex": simplex, "maxfev": 4000},
    )
    found = np.exp(np.clip(inside.x, -LARGEST_LOG, LARGEST_LOG))
    choices = [(float(found[0]), float(found[1]))]
    # A border first: where it is as good as the inside, the inside is the border plus noise.
    if found[0] < NEAR_ZERO:
        choices.insert(0, (0.0, _best_ratio(lambda ratio: objective(0.0, ratio))))
    if found[1] < NEAR_ZERO:
        choices.insert(0, (_best_ratio(lambda ratio: objective(ratio, 0.0)), 0.0))
    scores = np.array([objective(*choice) for choice in choices])
    unit_ratio, annotator_ratio = choices[int(np.argmax(scores <= scores.min() + 1e-9))]
    residual = float(profile(s, unit_ratio, annotator_ratio)[1])
    return Components(unit_ratio * residual, annotator_ratio * residual, residual)


def _best_ratio(objective: Callable[[float], float]) -> float:
    """The variance ratio in [0, e^25] with the smallest objective: a grid, then Brent."""
    grid = np.linspace(-14.0, LARGEST_LOG, 40)
    values = [objective(float(np.exp(log))) for log in grid]
    centre = int(np.argmin(values))
    found = optimize.minimize_scalar(
        lambda log: objective(float(np.exp(log))),
        bounds=(grid[max(centre - 1, 0)], grid[min(centre + 1, grid.size - 1)]),
        method="bounded",
        options={"xatol": 1e-10},
    )
    ratio = float(np.exp(found.x))
    return 0.0 if objective(0.0) <= objective(ratio) + 1e-9 else ratio


def _without_residual(table: RatingTable) -> Components | None:
    """The limit for ratings that are exactly unit + annotator, where the likelihood is unbounded.

    Then both sets of effects are known up to one shift, and their variances are the components.
    """
    value = table.value - table.value.mean()
    unit, annotator = _dense_codes(table)
    who = incidence(table)
    sizes, per_annotator = np.bincount(unit), np.bincount(annotator)
    mean = np.bincount(unit, value) / sizes
    scaled = sparse.diags_array(1 / sizes) @ who
    inner = np.diag(per_annotator) - (who.T @ scaled).toarray()
    right = np.bincount(annotator, value) - who.T @ mean
    effect = np.linalg.lstsq(inner, right, rcond=None)[0]
    unit_effect = mean - scaled @ effect
    residual = value - unit_effect[unit] - effect[annotator]
    if float(residual @ residual) > 1e-18 * float(value @ value):
        return None
    return Components(float(unit_effect.var(ddof=1)), float(effect.var(ddof=1)), 0.0)
