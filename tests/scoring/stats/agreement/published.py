"""Tables of ratings that books and papers print."""

from __future__ import annotations

import numpy as np

from scoring.stats import RatingTable, agreement_statistics

NA = float("nan")

FIVE = np.arange(1.0, 6.0)

# Shrout and Fleiss 1979, Psychological Bulletin 86(2), table 2.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]

# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", case C.
KRIPPENDORFF = [
    [1, 1, NA, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NA, 5, 5, 5], [NA, NA, 1, 1], [NA, NA, 3, NA],
]  # fmt: skip

# The 10 x 4 example of R irrCAC 1.4 (Gwet), data set raw10x4.
GWET = [
    [5, 5, 5, 5], [3, 1, 3, 1], [5, 5, 5, 5], [3, 1, 3, 1], [5, 5, 4, 5], [1, 2, 3, 3],
    [3, 1, 1, 1], [1, 1, 1, 3], [3, 3, 4, 4], [1, 3, 1, 1],
]  # fmt: skip


def values(matrix: object, levels: np.ndarray = FIVE) -> dict[str, float | None]:
    found = agreement_statistics(RatingTable.from_dense(matrix), levels)
    return {name: estimate.value for name, estimate in found.items()}
