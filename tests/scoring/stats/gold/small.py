"""A table of ratings, written out."""

from __future__ import annotations

from scoring.stats import RatingTable

NA = float("nan")


def of(matrix: object) -> RatingTable:
    return RatingTable.from_dense(matrix)
