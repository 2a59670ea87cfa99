"""What every pair of annotators said on the units that both rated."""

import numpy as np

from scoring.stats import RatingTable
from scoring.stats.agreement.kappa import Pairs

NA = float("nan")
# The third annotator shares a unit with the second alone.
TABLE = RatingTable.from_dense([[1, 2, NA], [3, 3, NA], [NA, 1, 3], [2, NA, NA]])


def test_pairs_are_those_who_share_a_unit():
    pairs = Pairs.of(TABLE)
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 1), (1, 2)]
    assert pairs.levels.tolist() == [1, 2, 3]


def test_sums_and_tables_by_hand():
    pairs = Pairs.of(TABLE)
    counts = pairs.counts()
    assert counts.n.tolist() == [2, 1]
    assert counts.agree.tolist() == [1, 0]
    assert counts.linear.tolist() == [1, 2]
    assert counts.quadratic.tolist() == [1, 4]
    assert counts.left.tolist() == [[1, 0, 1], [1, 0, 0]]
    assert counts.right.tolist() == [[0, 1, 1], [0, 0, 1]]
    first, second = pairs.tables()
    assert first.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert second.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_taking_units_away_leaves_the_sums_of_the_rest():
    pairs = Pairs.of(TABLE)
    rest = pairs.counts().plus(pairs.counts(np.array([0])), -1)
    assert rest.n.tolist() == [1, 1]
    assert rest.quadratic.tolist() == [0, 4]


def test_nobody_shares_a_unit():
    pairs = Pairs.of(RatingTable.from_dense([[1, NA], [NA, 2]]))
    assert pairs.key.size == 0
    assert pairs.counts().n.size == 0
