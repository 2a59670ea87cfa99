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

FILE = Path(__file__).parent / "agreement_cases.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))}

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
