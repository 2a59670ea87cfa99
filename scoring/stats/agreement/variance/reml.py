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

import numpy as np
import scipy

from scoring.stats.agreement.variance.reml_sums import Sums, dense_codes, incidence, sums
from scoring.stats.table import FloatArray, RatingTable

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
        solved = np.linalg.solve(system, np.stack([row, row_y], axis=-1))
        # `row` is `inner` times ones, so ones - ratio row' system^-1 row equals the sum below. The
        # difference cancels for a large ratio, and the optimiser would then diverge.
        ones, ones_y = solved[..., 0].sum(axis=-1), solved[..., 1].sum(axis=-1)
        y_y = y_y - a * (row_y * solved[..., 1]).sum(axis=-1)
        log_det = log_det + np.linalg.slogdet(system)[1]
    residual = np.maximum((y_y - ones_y**2 / ones) / (s.n - 1), 1e-300)
    return (s.n - 1) * np.log(residual) + log_det + np.log(ones), residual


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

    def of_logs(logs: FloatArray) -> float:
        ratios = np.exp(np.clip(logs, -LARGEST_LOG, LARGEST_LOG))
        return objective(float(ratios[0]), float(ratios[1]))

    grid = [np.array([a, b]) for a in np.arange(-6.0, 7, 3) for b in np.arange(-8.0, 5, 3)]
    start = min(grid, key=of_logs)
    # Steps of one in both directions: scipy's default simplex is almost degenerate if a coordinate
    # is 0, and Nelder-Mead then fails.
    simplex = start + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    inside = scipy.optimize.minimize(
        of_logs,
        start,
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-10, "initial_simplex": simplex, "maxfev": 4000},
    )
    found = np.exp(np.clip(inside.x, -LARGEST_LOG, LARGEST_LOG))
    choices = [(float(found[0]), float(found[1]))]
    # The boundary is tried first, and preferred if it is as good as the interior optimum.
    if found[0] < NEAR_ZERO:
        choices.insert(0, (0.0, _best_ratio(lambda ratio: objective(0.0, ratio))))
    if found[1] < NEAR_ZERO:
        choices.insert(0, (_best_ratio(lambda ratio: objective(ratio, 0.0)), 0.0))
    scores = np.array([objective(*choice) for choice in choices])
    unit_ratio, annotator_ratio = choices[int(np.argmax(scores <= scores.min() + 1e-9))]
    residual = float(profile(s, unit_ratio, annotator_ratio)[1])
    return Components(unit_ratio * residual, annotator_ratio * residual, residual)


def _best_ratio(objective: Callable[[float], float]) -> float:
    """Return the variance ratio in [0, e^25] that minimises the objective: grid, then Brent."""
    grid = np.linspace(-14.0, LARGEST_LOG, 40)
    values = [objective(float(np.exp(log))) for log in grid]
    centre = int(np.argmin(values))
    found = scipy.optimize.minimize_scalar(
        lambda log: objective(float(np.exp(log))),
        bounds=(grid[max(centre - 1, 0)], grid[min(centre + 1, grid.size - 1)]),
        method="bounded",
        options={"xatol": 1e-10},
    )
    ratio = float(np.exp(found.x))
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
