"""A table of ratings, written out."""

from scoring.stats import RatingTable

NA = float("nan")


def of(matrix):
    return RatingTable.from_dense(matrix)
