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

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from scoring.stats.table import FloatArray, IntArray, RatingTable

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

    m, units          (M,) ratings per unit, units that have so many
    total, square     (M,) sum over those units of t and t^2, t the sum of the unit's ratings
    shared            (M, A, A) units rated by both annotators
    seen, mixed       (M, A) sum over an annotator's units of 1, and of t
    per_annotator, annotator_total   (A,) ratings of an annotator and their sum
    n, y, yy          ratings, their sum and the sum of their squares
    """

    m: FloatArray
    units: FloatArray
    total: FloatArray
    square: FloatArray
    shared: FloatArray
    seen: FloatArray
    mixed: FloatArray
    per_annotator: FloatArray
    annotator_total: FloatArray
    n: int
    y: float
    yy: float


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
    """The sums of a table; values are centred first, which changes no component."""
    value = table.value - table.value.mean()
    unit, annotator = _dense_codes(table)
    total = np.bincount(unit, value)
    sizes = np.bincount(unit)
    m, group = np.unique(sizes, return_inverse=True)
    width = table.used_annotators.size if with_annotators else 0
    shared = np.zeros((m.size, width, width))
    seen, mixed = np.zeros((m.size, width)), np.zeros((m.size, width))
    if with_annotators:
        who = incidence(table)
        for row in range(m.size):
            block = who[np.flatnonzero(group == row)]
            shared[row] = (block.T @ block).toarray()
            seen[row] = block.sum(axis=0)
            mixed[row] = block.T @ total[group == row]
    return Sums(
        m.astype(np.float64),
        np.bincount(group).astype(np.float64),
        _totals(group, total),
        _totals(group, total**2),
        shared,
        seen,
        mixed,
        np.bincount(annotator, minlength=width)[:width].astype(np.float64),
        _totals(annotator, value)[:width],
        value.size,
        float(value.sum()),
        float((value**2).sum()),
    )


def _totals(codes: IntArray, weights: npt.ArrayLike) -> FloatArray:
    return np.bincount(codes, weights).astype(np.float64)


def profile(s: Sums, unit_ratio: float, annotator_ratio: float) -> tuple[float, float]:
    """(-2 log REML likelihood up to a constant, residual variance) at two variance ratios.

    Ratios are variance / residual variance; the residual variance itself is profiled out.
    """
    shrink = unit_ratio / (1 + unit_ratio * s.m)
    ones = s.n - float(shrink @ (s.m**2 * s.units))
    ones_y = s.y - float(shrink @ (s.m * s.total))
    y_y = s.yy - float(shrink @ s.square)
    log_det = float(s.units @ np.log1p(unit_ratio * s.m))
    if annotator_ratio > 0:
        inner = np.diag(s.per_annotator) - np.tensordot(shrink, s.shared, axes=1)
        row = s.per_annotator - (shrink * s.m) @ s.seen
        row_y = s.annotator_total - shrink @ s.mixed
        system = np.eye(inner.shape[0]) + annotator_ratio * inner
        solved = np.linalg.solve(system, np.column_stack([row, row_y]))
        # `row` is `inner` times ones, so ones - ratio row' system^-1 row is the sum below; taken
        # as a difference it drowns in rounding where the ratio is large, and REML runs off there.
        ones, ones_y, y_y = (
            float(solved[:, 0].sum()),
            float(solved[:, 1].sum()),
            y_y - annotator_ratio * float(row_y @ solved[:, 1]),
        )
        log_det += float(np.linalg.slogdet(system)[1])
    residual = max((y_y - ones_y**2 / ones) / (s.n - 1), 1e-300)
    return (s.n - 1) * np.log(residual) + log_det + np.log(ones), residual


def one_way(table: RatingTable) -> Components:
    """Components of rating = mean + unit + residual, annotators ignored."""
    s = sums(table, with_annotators=False)
    best = _best_ratio(lambda ratio: profile(s, ratio, 0.0)[0])
    residual = profile(s, best, 0.0)[1]
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
        return profile(s, unit_ratio, annotator_ratio)[0]

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
    residual = profile(s, unit_ratio, annotator_ratio)[1]
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
