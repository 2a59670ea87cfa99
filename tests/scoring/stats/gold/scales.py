"""A table of ratings of known severity and noise."""

import numpy as np

from scoring.stats import RatingTable, Threshold

NA = float("nan")

LIMITS = {"M": Threshold(3), "G": Threshold(4)}


def simulated(seed=1, units=30, annotators=5):
    """Ratings of two scales with gaps, by annotators of different harshness."""
    rng = np.random.default_rng(seed)
    tables = {}
    for name in ("M", "G"):
        quality = rng.normal(3.4, 1.2, (units, 1))
        ratings = quality + np.linspace(-0.7, 0.7, annotators) + rng.normal(0, 0.7, (units, 5))
        matrix = np.clip(np.rint(ratings), 1, 5)
        matrix[rng.random(matrix.shape) < 0.2] = NA
        tables[name] = RatingTable.from_dense(matrix)
    return tables
