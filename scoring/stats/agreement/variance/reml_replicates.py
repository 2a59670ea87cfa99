"""Vectorised REML of many replicates of one sample.

A replicate reweights the units, and the likelihood depends on the units only through sums over them
(`reml_sums.Sums`). All replicates are optimised together by Newton steps, starting from the
solution of the full sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement.variance.reml import profile
from scoring.stats.agreement.variance.reml_sums import Sums
from scoring.stats.table import FloatArray

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
    found = _minimise(s, np.tile(logs, (s.units.shape[0], 1)))
    ratios = _ratios(found)
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
        better = new <= value[moving] + 1e-10 * np.abs(value[moving])
        damping[moving] = np.where(better, damping[moving] / 10, damping[moving] * 10 + 1e-3)
        taken = moving[better]
        logs[taken], value[taken] = trial[better], new[better]
        small = np.abs(trial - at).max(axis=1) < 1e-4
        moving = moving[~small]
    return logs


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
