"""Twenty-four tables of ratings, published or degenerate or simulated, against other programs.

`agreement_cases.json` holds the ratings and, for every coefficient, the figure and the program (or
book) that it was read from: R irr 0.84.1, psych 2.2.9, irrCAC 1.4, lme4 1.1.31 and vcd; Python
krippendorff 0.9.0, irrCAC 0.4.4, scikit-learn 1.9.1, statsmodels 0.15.0 and nltk 3.10.4. null
means that the coefficient is undefined there, and that a reason must be given.
"""

import json
from pathlib import Path

import numpy as np

from scoring.stats import RatingTable, agreement_statistics

FILE = Path(__file__).parent / "agreement" / "agreement_cases.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text("utf-8"))}

WEIGHTS = {
    "none": "cohen_kappa",
    "linear": "cohen_kappa_linear",
    "quadratic": "cohen_kappa_quadratic",
}


def rated(name):
    return RatingTable.from_dense(np.array(CASES[name]["ratings"], dtype=float))


def computed(name):
    levels = CASES[name]["levels"]
    return agreement_statistics(rated(name), levels and np.array(levels, dtype=float))


# Small tables, written out or rotating.

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
