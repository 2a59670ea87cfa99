"""A table of ratings by name of its units and annotators."""

from scoring.stats import RatingTable

NA = float("nan")


def table(matrix, **extra):
    base = RatingTable.from_dense(matrix)
    return RatingTable(
        base.unit, base.annotator, base.value, base.n_units, base.n_annotators, **extra
    )


MEANING = [[5, 4, NA], [2, 3, 3], [NA, NA, NA], [4, NA, NA]]

GRAMMAR = [[4, 3, 5], [1, NA, 5], [NA, NA, NA], [4, NA, NA]]
