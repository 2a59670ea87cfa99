"""The human ceiling beside the correlations of metrics."""

from __future__ import annotations

from typing import Any

from scoring.selectors.ratings import Ratings
from scoring.stats import Bootstrap
from scoring.stats.ceiling import ceiling

PLAN = Bootstrap(500)


def ceilings_for(ratings: Ratings) -> dict[str, Any]:
    """{COLUMN: {leave_one_out, split_half: {pearson, spearman: {...}}}}; intervals draw items.

    Columns are the ordered scales and their sum, as in `Ratings.columns`.
    """
    return {
        name: {
            kind: {coefficient: one.as_json() for coefficient, one in found.items()}
            for kind, found in ceiling(table, clusters=ratings.item, plan=PLAN).items()
        }
        for name, table in ratings.columns().items()
    }
