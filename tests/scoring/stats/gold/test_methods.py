"""Gold by the methods without a latent model."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from scoring.stats import RatingTable, Threshold
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.compare import straddling
from scoring.stats.gold.methods import (
    majority_gold,
    mean_gold,
    median_gold,
    severity_gold,
    standardised,
    trimmed_gold,
    z_gold,
)
from scoring.stats.gold.values import ADJUDICATED, IMPORTED, NO_RATING, put_over

NA = float("nan")


def of(matrix):
    return RatingTable.from_dense(matrix)


METHODS = (mean_gold, median_gold, majority_gold, trimmed_gold, z_gold, severity_gold)

matrices = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 7), st.integers(1, 5)),
    elements=st.sampled_from([NA, 1.0, 2.0, 3.0, 4.0, 5.0]),
)


def test_mean_with_the_pooled_interval_of_one_way_anova():
    # Shrout and Fleiss 1979, table 2: within-target mean square 6.26 on 18 degrees of freedom.
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = mean_gold(of(ratings))
    half = stats.t.ppf(0.975, 18) * np.sqrt(6.2638889 / 4)
    assert found.value[0] == 6.0
    np.testing.assert_allclose(found.high - found.value, half, rtol=1e-7)
    assert found.rows()[1].spread == pytest.approx(np.std(ratings[1], ddof=1))
    assert "pooled" in found.interval


TEN = [3.0, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7]
# Whose six values are in order, and of which there are too few.
SIX, FIVE = ([*range(1, n + 1), *[NA] * (10 - n)] for n in (6, 5))


@pytest.mark.parametrize(
    ("method", "matrix", "unit", "expected"),
    [
        # Without variance within units the mean has no interval; one rating has no spread.
        (mean_gold, [[2, 2], [4, 4]], 0, {"value": 2, "low": None, "high": None, "spread": 0}),
        (mean_gold, [[2, NA], [NA, 4]], 1, {"value": 4, "low": None, "spread": None, "reason": ""}),
        (mean_gold, [[1, 3], [5, NA]], 1, {"low": -12.969, "high": 22.969, "spread": None}),
        # Sign test, n = 10: the 2nd and 9th value hold the median with 97.9 %; n = 5 gives none.
        (median_gold, [TEN, FIVE, SIX], 0, {"value": 3.75, "low": 1.5, "high": 9}),
        (median_gold, [TEN, FIVE, SIX], 1, {"low": None, "high": None}),
        (median_gold, [TEN, FIVE, SIX], 2, {"low": 1, "high": 6}),
        (majority_gold, [[3, 3, 5]], 0, {"value": 3, "confidence": 2 / 3}),
        (majority_gold, [[1, 2, NA]], 0, {"value": None, "confidence": None, "n": 2}),
        (majority_gold, [[4, NA, NA]], 0, {"value": 4, "confidence": 1, "reason": ""}),
        (majority_gold, [[NA, NA]], 0, {"value": None, "reason": NO_RATING}),
        # What is left is equal.
        (trimmed_gold, [[1, 1, 1, 1, 9]], 0, {"value": 1, "low": None}),
        *((method, [[NA, NA]] * 2, 1, {"value": None, "n": 0}) for method in METHODS),
    ],
)
def test_small_tables_by_hand(method, matrix, unit, expected):
    row = method(of(matrix)).rows()[unit]
    assert {name: getattr(row, name) for name in expected} == pytest.approx(expected, abs=1e-3)
    assert (row.value is None) == bool(row.reason)


@pytest.mark.parametrize(
    ("gold", "reason"),
    [
        (majority_gold(of([[1, 2]])), "equally frequent"),
        (z_gold(of([[NA, 4], [1, NA], [2, NA]])), "varies"),
        (z_gold(replace(of([[1, 3], [2, 4]]), anonymous=True)), ANONYMOUS),
    ],
)
def test_gold_without_a_value_says_why(gold, reason):
    row = gold.rows()[0]
    assert row.value is None and reason in row.reason


@given(matrices)
def test_trimmed_mean_equals_scipy(matrix):
    found = trimmed_gold(of(matrix), 0.2)
    for row, value in zip(matrix, found.value, strict=True):
        present = row[~np.isnan(row)]
        assert np.isnan(value) if not present.size else value == stats.trim_mean(present, 0.2)


def test_trimmed_mean_interval_by_tukey_and_mclaughlin():
    values = np.array([2.0, 3, 3, 4, 5, 5, 6, 7, 9, 30])
    row = trimmed_gold(of([values]), 0.2).rows()[0]
    pulled = np.clip(values, 3, 7)
    error = np.sqrt(((pulled - pulled.mean()) ** 2).sum() / (6 * 5))
    assert row.value == 5.0
    assert row.high == pytest.approx(5 + stats.t.ppf(0.975, 5) * error)
    with pytest.raises(ValueError, match="between 0 and 0.5"):
        trimmed_gold(of([[1]]), 0.5)


def test_z_scores_remove_severity():
    ratings = np.array([[1, 3, 2], [2, 4, 2], [3, 5, 2]])
    found = z_gold(of(ratings))
    np.testing.assert_allclose(found.value, [-1, 0, 1])
    assert found.n.tolist() == [2, 2, 2]  # the third annotator never varies: no z-score
    assert standardised(of(ratings)).value.std(ddof=0) == pytest.approx(np.sqrt(2 / 3))


# One shape for gold by any method: value, n, spread, interval or confidence, source, reason.


def test_adjudicated_first_then_imported_where_nothing_else_is():
    base = mean_gold(of([[1, 3], [5, 4], [NA, NA], [NA, NA]]))
    judged = put_over(base, np.array([NA, 2, NA, NA]), source=ADJUDICATED)
    found = put_over(
        judged,
        np.array([9, 9, 3.5, NA]),
        source=IMPORTED,
        only_missing=True,
        n=np.array([7, 7, 7, 0]),
        spread=np.array([1.0, 1, 0.5, NA]),
    ).rows()
    assert [(r.value, r.n, r.source) for r in found] == [
        (2, 2, "judged"),
        (2, 0, "adjudicated"),
        (3.5, 7, "imported"),
        (None, 0, "judged"),
    ]
    assert found[0].low is not None and found[1].low is None and found[2].spread == 0.5
    assert [r.reason for r in found] == ["", "", "", NO_RATING]
    with pytest.raises(ValueError, match="2 values were given for 4 units"):
        put_over(base, np.zeros(2), source=IMPORTED)


# Which decisions of a gold standard hang on a thread: means close to a threshold.


def test_units_near_the_threshold_and_what_one_annotator_decides():
    #        mean 3: without the 5 it fails; far off; 3.5: fails without the 5; one; none
    table = of([[5, 2, 2], [5, 5, 4], [5, 2, NA], [NA, 4, NA], [NA, NA, NA]])
    found = straddling(table, Threshold(3))
    assert found.passes.tolist() == [True, True, True, True, False]
    assert found.flips.tolist() == [1, 0, 1, 0, 0]
    assert found.flipped_by.tolist() == [2, 0, 0]
    assert found.alone.tolist() == [False, False, False, True, False]
    assert found.lost_by.tolist() == [0, 1, 0]
    assert found.units.tolist()[:2] == [0, 2]  # closest first
    assert found.straddles[0] and not found.straddles[4]
    down = straddling(table, Threshold(3, higher_is_better=False))
    assert down.passes.tolist() == [True, False, False, False, False]
    nobody = straddling(replace(table, anonymous=True), Threshold(3))
    assert nobody.flipped_by.sum() == 0 and nobody.flips.sum() == 2


def test_a_mean_on_the_threshold_is_not_turned_by_rounding():
    ratings = [0.1, 0.4, 0.1]
    # By a rounding error, which the sum() of Python 3.12 does not make.
    assert (ratings[0] + ratings[1] + ratings[2]) / 3 < 0.2
    found = straddling(of([ratings]), Threshold(0.2))
    assert found.passes.tolist() == [True]
    assert found.flips.tolist() == [1]  # only the 0.4 carries it
