"""Small tables of ratings, written out or rotating, and their coefficients."""

from __future__ import annotations

import numpy as np

from scoring.stats import Estimate, RatingTable, agreement_statistics

NA = float("nan")

FIVE = np.arange(1.0, 6.0)


def statistics(matrix: object, levels: np.ndarray | None = FIVE) -> dict[str, Estimate]:
    return agreement_statistics(RatingTable.from_dense(matrix), levels)


def undefined_names(found: dict[str, Estimate]) -> set[str]:
    return {name for name, estimate in found.items() if estimate.value is None}


def rotating(rng: np.random.Generator, annotators: int, slip: float) -> RatingTable:
    """300 units on 1-5, three of `annotators` each; a share `slip` of the ratings is off by one."""
    truth = rng.integers(1, 6, size=300)
    matrix = np.repeat(truth[:, None], annotators, axis=1).astype(float)
    moved = np.clip(matrix + rng.choice([-1, 1], size=matrix.shape), 1, 5)
    matrix = np.where(rng.random(matrix.shape) < slip, moved, matrix)
    for row in matrix:
        row[rng.permutation(annotators)[3:]] = np.nan
    return RatingTable.from_dense(matrix)
