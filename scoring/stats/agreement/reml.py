"""Variance components by restricted maximum likelihood (REML) for incomplete ratings.

Model: rating = mean + unit + annotator + residual, the last three random and independent. The
unit effect is absorbed: for a given variance ratio V^-1 is block diagonal over units and depends on
a unit only through its number of ratings. Sums are therefore computed once per number of ratings,
and one evaluation costs the same for 50,000 units as for 50. Only the annotator block is dense.
Reference: Searle, Casella and McCulloch 1992, chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.table import BoolArray, FloatArray, IntArray, RatingTable, expand

# Sufficient sums for the REML likelihood, for one sample or many replicates of it.


def incidence(table: RatingTable) -> scipy.sparse.csr_array:
    """Return the sparse (rated units, used annotators) matrix with 1 for each rating."""
    unit, annotator = dense_codes(table)
    return scipy.sparse.csr_array((np.ones(unit.size), (unit, annotator)))


def dense_codes(table: RatingTable) -> tuple[IntArray, IntArray]:
    return (
        np.searchsorted(table.rated_units, table.unit).astype(np.int64),
        np.searchsorted(table.used_annotators, table.annotator).astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class Sums:
    """Sufficient sums for the likelihood, one row per distinct number of ratings m.

    m                 (M,) ratings per unit
    units             (..., M) number of units with m ratings
    total, square     (..., M) sum over those units of t and t^2, t the sum of the unit's ratings
    shared            (..., M, A, A) number of units rated by both annotators
    mixed             (..., M, A) sum of t over the annotator's units
    annotator_total   (..., A) sum of an annotator's ratings
    yy                (...) sum of the squares of all ratings

    The dots stand for an optional axis of replicates.
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
        """(...) number of ratings."""
        return self.units @ self.m

    @cached_property
    def y(self) -> FloatArray:
        """(...) sum of the ratings."""
        return np.asarray(self.total.sum(axis=-1))

    @cached_property
    def seen(self) -> FloatArray:
        """(..., M, A) number of units rated by an annotator."""
        return np.diagonal(self.shared, axis1=-2, axis2=-1)

    @cached_property
    def per_annotator(self) -> FloatArray:
        """(..., A) number of ratings of an annotator."""
        return np.asarray(self.seen.sum(axis=-2))

    def only(self, rows: IntArray | BoolArray | None) -> Sums:
        """Select some of the replicates; with None, make one sample a single replicate."""
        return Sums(self.m, *(getattr(self, name)[rows] for name in PARTS))


PARTS = ("units", "total", "square", "shared", "mixed", "annotator_total", "yy")


@dataclass(frozen=True, eq=False)
class Design:
    """Per-unit terms of the sums. Values are centred, which does not change the components.

    who, rating     (U, A) sparse: 1 for a rating, and its value
    total, square   (U,) sums of the unit's ratings and of their squares
    size            (U,) position of the unit's number of ratings in `m`
    """

    who: scipy.sparse.csr_array
    rating: scipy.sparse.csr_array
    total: FloatArray
    square: FloatArray
    size: IntArray
    m: FloatArray

    @classmethod
    def of(cls, table: RatingTable, with_annotators: bool) -> Design:
        value = table.value - table.value.mean()
        unit, annotator = dense_codes(table)
        total = np.bincount(unit, value).astype(np.float64)
        square = np.bincount(unit, value**2).astype(np.float64)
        m, size = np.unique(np.bincount(unit), return_inverse=True)
        if not with_annotators:
            unit, annotator, value = unit[:0], annotator[:0], value[:0]
        shape = (total.size, table.used_annotators.size if with_annotators else 0)
        who = scipy.sparse.csr_array((np.ones(unit.size), (unit, annotator)), shape=shape)
        rating = scipy.sparse.csr_array((value, (unit, annotator)), shape=shape)
        return cls(who, rating, total, square, size.astype(np.int64), m.astype(np.float64))

    @property
    def cost(self) -> float:
        """Number of products of ratings in the sums over all units."""
        return float((self.m**2 * np.bincount(self.size)).sum()) if self.who.shape[1] else 0.0

    def sums(self, units: IntArray | None = None) -> Sums:
        """Return the sums over the units at these positions, by default all."""
        chosen = np.arange(self.total.size) if units is None else units
        size, total, who = self.size[chosen], self.total[chosen], self.who[chosen]
        width = who.shape[1]
        shared, mixed = np.zeros((self.m.size, width, width)), np.zeros((self.m.size, width))
        for row in range(self.m.size if width else 0):
            of_size = np.flatnonzero(size == row)
            block = who[of_size]
            shared[row] = (block.T @ block).toarray()
            mixed[row] = block.T @ total[of_size]

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

    def cells(self) -> scipy.sparse.csr_array:
        """Return (U, C) contributions of each unit; `from_cells` reads weighted sums of rows."""
        rows, width = np.arange(self.total.size), self.who.shape[1]
        shape = (self.total.size, self.m.size)
        own = [
            scipy.sparse.csr_array((values, (rows, self.size)), shape=shape)
            for values in (np.ones(rows.size), self.total, self.total**2)
        ]
        ends = self.who.indptr.astype(np.int64)
        unit = np.repeat(rows, np.diff(ends))
        other, this = expand(ends[:-1], ends[1:], unit)
        one, two = self.who.indices[this], self.who.indices[other]
        column = (self.size[unit[this]] * width + one) * width + two
        shared = scipy.sparse.csr_array(
            (np.ones(column.size), (unit[this], column)),
            shape=(rows.size, self.m.size * width * width),
        )
        mixed = scipy.sparse.csr_array(
            (self.total[unit], (unit, self.size[unit] * width + self.who.indices)),
            shape=(rows.size, self.m.size * width),
        )
        square = scipy.sparse.csr_array(self.square[:, None])
        parts = [*own, shared, mixed, self.rating, square]
        return scipy.sparse.csr_array(scipy.sparse.hstack(parts, format="csr"))

    def from_cells(self, block: FloatArray) -> Sums:
        """Return the sums of (B, C) replicates of `cells`."""
        b, m, width = len(block), self.m.size, self.who.shape[1]
        ends = np.cumsum([m, m, m, m * width * width, m * width, width])
        units, total, square, shared, mixed, own, yy = np.split(block, ends, axis=1)
        return Sums(
            self.m,
            units,
            total,
            square,
            shared.reshape(b, m, width, width),
            mixed.reshape(b, m, width),
            own,
            yy[:, 0],
        )


def sums(table: RatingTable, with_annotators: bool) -> Sums:
    """Return the sums of a table."""
    return Design.of(table, with_annotators).sums()


LARGEST_LOG = 25.0
NEAR_ZERO = 0.01


@dataclass(frozen=True)
class Components:
    """Estimated variance components; annotator is 0 in the one-way model."""

    unit: float
    annotator: float
    residual: float


def profile(
    s: Sums, unit_ratio: FloatArray | float, annotator_ratio: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Return (-2 log restricted likelihood up to a constant, residual variance) at variance ratios.

    Ratios are variance / residual variance, scalar or one per replicate; the residual variance is
    profiled out.
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
        solved, log_det_system = _solve(system, np.stack([row, row_y], axis=-1))
        # `row` is `inner` times ones, so ones - ratio row' system^-1 row equals the sum below. The
        # difference cancels for a large ratio, and the optimiser would then diverge.
        ones, ones_y = solved[..., 0].sum(axis=-1), solved[..., 1].sum(axis=-1)
        y_y = y_y - a * (row_y * solved[..., 1]).sum(axis=-1)
        log_det = log_det + log_det_system
    residual = np.maximum((y_y - ones_y**2 / ones) / (s.n - 1), 1e-300)
    return (s.n - 1) * np.log(residual) + log_det + np.log(ones), residual


# From so many annotators on, a Cholesky factor for each replicate is faster than LU of the stack.
MANY = 24


def _solve(systems: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the solutions of (..., A, A) positive definite systems, and their log determinants."""
    if systems.shape[-1] < MANY:
        solved = np.asarray(np.linalg.solve(systems, right))
        return solved, np.asarray(np.linalg.slogdet(systems)[1])
    solved, log_det = np.empty(right.shape), np.empty(systems.shape[:-2])
    for at in np.ndindex(log_det.shape):
        factor = scipy.linalg.cho_factor(systems[at], check_finite=False)
        solved[at] = scipy.linalg.cho_solve(factor, right[at], check_finite=False)
        log_det[at] = 2 * np.log(np.diagonal(factor[0])).sum()
    return solved, log_det


def one_way(table: RatingTable) -> Components:
    """Fit rating = mean + unit + residual, ignoring annotators."""
    s = sums(table, with_annotators=False)
    best = _best_ratio(lambda ratio: float(profile(s, ratio, 0.0)[0]))
    residual = float(profile(s, best, 0.0)[1])
    return Components(best * residual, 0.0, residual)


def two_way(table: RatingTable) -> Components:
    """Fit rating = mean + unit + annotator + residual (crossed).

    The caller must check that the components are identified (`reliability.not_crossed`).
    """
    exact = _without_residual(table)
    if exact is not None:
        return exact
    s = sums(table, with_annotators=True)

    def objective(unit_ratio: float, annotator_ratio: float) -> float:
        return float(profile(s, unit_ratio, annotator_ratio)[0])

    grid = [(unit, annotator) for unit in range(-6, 7, 3) for annotator in range(-8, 5, 3)]
    start = min(grid, key=lambda logs: objective(*np.exp(logs)))
    (optimum,) = _minimise(s.only(None), np.array([start], dtype=np.float64))
    inside = np.exp(optimum)
    choices = [(float(inside[0]), float(inside[1]))]
    # The boundary is tried first, and preferred if it is as good as the interior optimum.
    if inside[0] < NEAR_ZERO:
        choices.insert(0, (0.0, _best_ratio(lambda ratio: objective(0.0, ratio))))
    if inside[1] < NEAR_ZERO:
        choices.insert(0, (_best_ratio(lambda ratio: objective(ratio, 0.0)), 0.0))
    scores = np.array([objective(*choice) for choice in choices])
    unit_ratio, annotator_ratio = choices[int(np.argmax(scores <= scores.min() + 1e-9))]
    residual = float(profile(s, unit_ratio, annotator_ratio)[1])
    return Components(unit_ratio * residual, annotator_ratio * residual, residual)


GOLDEN = (np.sqrt(5) - 1) / 2


def _best_ratio(objective: Callable[[float], float]) -> float:
    """Return the variance ratio in [0, e^25] that minimises the objective.

    A grid of logarithms, then golden section search around its best. scipy.optimize does the same,
    but takes longer to import than a table of 1,000 units to analyse.
    """

    def of_log(log: float) -> float:
        return objective(float(np.exp(log)))

    grid = np.linspace(-14.0, LARGEST_LOG, 40)
    centre = int(np.argmin([of_log(log) for log in grid]))
    low, high = grid[max(centre - 1, 0)], grid[min(centre + 1, grid.size - 1)]
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = of_log(left), of_log(right)
    while high - low > 1e-9:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = of_log(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = of_log(right)
    ratio = float(np.exp((low + high) / 2))
    return 0.0 if objective(0.0) <= objective(ratio) + 1e-9 else ratio


def _without_residual(table: RatingTable) -> Components | None:
    """Return the components if ratings are exactly unit + annotator, else None.

    The likelihood is then unbounded. Both sets of effects are known up to a constant, and their
    variances are the components.
    """
    value = table.value - table.value.mean()
    unit, annotator = dense_codes(table)
    who = incidence(table)
    sizes, per_annotator = np.bincount(unit), np.bincount(annotator)
    mean = np.bincount(unit, value) / sizes
    scaled = scipy.sparse.diags_array(1 / sizes) @ who
    inner = np.diag(per_annotator) - (who.T @ scaled).toarray()
    right = np.bincount(annotator, value) - who.T @ mean
    effect = np.linalg.lstsq(inner, right, rcond=None)[0]
    unit_effect = mean - scaled @ effect
    residual = value - unit_effect[unit] - effect[annotator]
    if float(residual @ residual) > 1e-18 * float(value @ value):
        return None
    return Components(float(unit_effect.var(ddof=1)), float(effect.var(ddof=1)), 0.0)


# Vectorised REML of many replicates of one sample.
#
# A replicate reweights the units, and the likelihood depends on the units only through sums over
# them (`reml_sums.Sums`). All replicates are optimised together by Newton steps, starting from the
# solution of the full sample.


STEP = 1e-3  # Step of the finite differences, in log ratios.
LOWEST, HIGHEST = -14.0, 18.0  # Log ratios treated as 0 and as infinite.
ROUNDS = 60


@dataclass(frozen=True, eq=False)
class ManyComponents:
    """(B,) variance components; annotator is 0 in the one-way model."""

    unit: FloatArray
    annotator: FloatArray
    residual: FloatArray


def components(s: Sums, unit: float, annotator: float | None) -> ManyComponents:
    """Fit each replicate of `s` by REML, starting at the full sample's ratios (None: one-way).

    The caller must exclude replicates without variation or with unidentified components.
    """
    begin = np.array([unit] if annotator is None else [unit, annotator])
    # At zero variance the gradient in log ratios vanishes, so start away from the boundary.
    logs = np.log(np.clip(begin, np.exp(-3), np.exp(8)))
    optimum = _minimise(s, np.tile(logs, (s.units.shape[0], 1)))
    ratios = _ratios(optimum)
    residual = profile(s, *ratios)[1]
    return ManyComponents(ratios[0] * residual, ratios[1] * residual, residual)


def _ratios(logs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return variance ratios; 0 at the lower bound, and for annotators in the one-way model."""
    ratios = np.where(logs <= LOWEST, 0.0, np.exp(logs))
    return ratios[:, 0], ratios[:, 1] if logs.shape[1] > 1 else np.zeros(len(logs))


def _objective(s: Sums, logs: FloatArray) -> FloatArray:
    return profile(s, *_ratios(np.clip(logs, LOWEST, HIGHEST)))[0]


def _minimise(s: Sums, logs: FloatArray) -> FloatArray:
    """Minimise by damped Newton steps per replicate; converged replicates are skipped."""
    value, damping = _objective(s, logs), np.full(len(logs), 1e-3)
    moving = np.arange(len(logs))
    for _ in range(ROUNDS):
        if not moving.size:
            break
        part, at = s.only(moving), logs[moving]
        gradient, curvature = _derivatives(part, at, value[moving])
        step = _newton_step(gradient, curvature, damping[moving])
        trial = np.clip(at + step, LOWEST, HIGHEST)
        new = _objective(part, trial)
        _end_at_zero(part, trial, new)
        better = new <= value[moving] + 1e-10 * np.abs(value[moving])
        damping[moving] = np.where(better, damping[moving] / 10, damping[moving] * 10 + 1e-3)
        taken = moving[better]
        logs[taken], value[taken] = trial[better], new[better]
        small = np.abs(trial - at).max(axis=1) < 1e-4
        moving = moving[~small]
    return logs


def _end_at_zero(s: Sums, trial: FloatArray, value: FloatArray) -> None:
    """Set the annotators' ratio to 0 where it is small and the likelihood falls from 0 on.

    Steps in the logarithm would walk there for ever: what is left of the slope halves with each.
    """
    near = np.flatnonzero((trial[:, -1] > LOWEST) & (trial[:, -1] < np.log(NEAR_ZERO)))
    if trial.shape[1] < 2 or not near.size:
        return
    part, zero = s.only(near), trial[near]
    zero[:, -1] = LOWEST
    at_zero, above = _objective(part, zero), _objective(part, zero + np.eye(2)[1])
    ends = (at_zero <= above) & (at_zero <= value[near])
    trial[near[ends]], value[near[ends]] = zero[ends], at_zero[ends]


def _derivatives(s: Sums, logs: FloatArray, value: FloatArray) -> tuple[FloatArray, FloatArray]:
    size = logs.shape[1]
    moves = np.eye(size) * STEP
    up = [_objective(s, logs + move) for move in moves]
    down = [_objective(s, logs - move) for move in moves]
    gradient = np.stack([(u - d) / (2 * STEP) for u, d in zip(up, down, strict=True)], axis=1)
    curvature = np.zeros((len(logs), size, size))
    for i in range(size):
        curvature[:, i, i] = (up[i] - 2 * value + down[i]) / STEP**2
    if size > 1:
        both = _objective(s, logs + STEP) + _objective(s, logs - STEP)
        cross = (both - up[0] - down[0] - up[1] - down[1] + 2 * value) / (2 * STEP**2)
        curvature[:, 0, 1] = curvature[:, 1, 0] = cross
    return gradient, curvature


def _newton_step(gradient: FloatArray, curvature: FloatArray, damping: FloatArray) -> FloatArray:
    """Return a descent step from absolute eigenvalues of the Hessian, at most 2 per coordinate."""
    bend, axes = np.linalg.eigh(curvature)
    bend = np.abs(bend) * (1 + damping[:, None]) + 1e-8
    along = np.einsum("bij,bi->bj", axes, gradient) / bend
    step = -np.einsum("bij,bj->bi", axes, along)
    longest = np.maximum(np.abs(step).max(axis=1, keepdims=True), 2.0)
    return np.asarray(step * 2 / longest)
