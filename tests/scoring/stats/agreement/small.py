"""Small tables of ratings, written out or rotating, and their coefficients."""

import numpy as np

from scoring.stats import RatingTable, agreement_statistics

NA = float("nan")

FIVE = np.arange(1.0, 6.0)


def statistics(matrix, levels=FIVE):
    return agreement_statistics(RatingTable.from_dense(matrix), levels)


def undefined_names(found):
    return {name for name, estimate in found.items() if estimate.value is None}


def rotating(rng, annotators, slip):
    """300 units on 1-5, three of `annotators` each; a share `slip` of the ratings is off by one."""
    truth = rng.integers(1, 6, size=300)
    matrix = np.repeat(truth[:, None], annotators, axis=1).astype(float)
    moved = np.clip(matrix + rng.choice([-1, 1], size=matrix.shape), 1, 5)
    matrix = np.where(rng.random(matrix.shape) < slip, moved, matrix)
    for row in matrix:
        row[rng.permutation(annotators)[3:]] = np.nan
    return RatingTable.from_dense(matrix)
