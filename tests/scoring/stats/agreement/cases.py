"""Twenty-four tables of ratings, published or degenerate or simulated, against other programs.

`agreement_cases.json` holds the ratings and, for every coefficient, the figure and the program (or
book) that it was read from: R irr 0.84.1, psych 2.2.9, irrCAC 1.4, lme4 1.1.31 and vcd; Python
krippendorff 0.9.0, irrCAC 0.4.4, scikit-learn 1.9.1, statsmodels 0.15.0 and nltk 3.10.4. null
means that the coefficient is undefined there, and that a reason must be given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scoring.stats import RatingTable, agreement_statistics
from scoring.stats.estimate import Estimate

CASES = json.loads((Path(__file__).parent / "agreement_cases.json").read_text(encoding="utf-8"))

WEIGHTS = {
    "none": "cohen_kappa",
    "linear": "cohen_kappa_linear",
    "quadratic": "cohen_kappa_quadratic",
}


def computed(case: dict[str, Any]) -> dict[str, Estimate]:
    dense = np.array(
        [[np.nan if cell is None else cell for cell in row] for row in case["ratings"]], dtype=float
    )
    levels = np.array(case["levels"], dtype=float) if case["levels"] else None
    return agreement_statistics(RatingTable.from_dense(dense), levels)
