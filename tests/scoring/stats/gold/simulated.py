"""Decisions of simulated annotators."""

import numpy as np

from scoring.stats import RatingTable

NA = float("nan")


def simulated(seed, units=40, annotators=6):
    """Three to six decisions per unit by annotators who are right in 55 % to 95 %."""
    rng = np.random.default_rng(seed)
    truth = rng.random(units) < 0.6
    right = rng.random((units, annotators)) < np.linspace(0.55, 0.95, annotators)
    matrix = np.where(right, truth[:, None], ~truth[:, None]).astype(float)
    for row in matrix:
        row[rng.permutation(annotators)[: rng.integers(0, annotators - 2)]] = NA
    return RatingTable.from_dense(matrix)
