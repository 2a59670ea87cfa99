"""Gold by the methods without a latent model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.methods import (
    majority_gold,
    mean_gold,
    median_gold,
    standardised,
    trimmed_gold,
    z_gold,
)
from scoring.stats.gold.severity import severity_gold
from scoring.stats.gold.values import NO_RATING, GoldValues
from tests.scoring.stats.gold.small import NA, of

METHODS = (mean_gold, median_gold, majority_gold, trimmed_gold, z_gold, severity_gold)

matrices = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 7), st.integers(1, 5)),
    elements=st.sampled_from([NA, 1.0, 2.0, 3.0, 4.0, 5.0]),
)  # fmt: skip


def test_mean_with_the_pooled_interval_of_one_way_anova() -> None:
    # Shrout and Fleiss 1979, table 2: within-target mean square 6.26 on 18 degrees of freedom.
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = mean_gold(of(ratings))
    half = stats.t.ppf(0.975, 18) * np.sqrt(6.2638889 / 4)
    assert found.value[0] == 6.0
    np.testing.assert_allclose(found.high - found.value, half, rtol=1e-7)
    assert found.rows()[1].spread == pytest.approx(np.std(ratings[1], ddof=1))
    assert "pooled" in found.interval


def test_the_mean_has_no_interval_without_within_unit_variance() -> None:
    same = mean_gold(of([[2, 2], [4, 4]])).rows()[0]
    assert (same.value, same.low, same.high, same.spread) == (2, None, None, 0)
    once = mean_gold(of([[2, NA], [NA, 4]])).rows()[1]
    assert (once.value, once.low, once.spread, once.reason) == (4, None, None, "")
    with_one = mean_gold(of([[1, 3], [5, NA]])).rows()[1]
    assert with_one.low is not None and with_one.spread is None


def test_median_interval_by_order_statistics() -> None:
    # Sign test, n = 10: the 2nd and the 9th value hold the median with 97.9 %; n = 5 gives none.
    ten = [3.0, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7]
    found = median_gold(of([ten, [1, 2, 3, 4, 5, *[NA] * 5], [1, 2, 3, 4, 5, 6, *[NA] * 4]])).rows()
    assert (found[0].value, found[0].low, found[0].high) == (3.75, 1.5, 9)
    assert (found[1].low, found[1].high) == (None, None)
    assert (found[2].low, found[2].high) == (1, 6)


def test_majority_and_its_ties() -> None:
    found = majority_gold(of([[3, 3, 5], [1, 2, NA], [4, NA, NA], [NA, NA, NA]])).rows()
    assert (found[0].value, found[0].confidence) == (3, pytest.approx(2 / 3))
    assert (found[1].value, found[1].confidence) == (None, None)
    assert "equally frequent" in found[1].reason and found[1].n == 2
    assert (found[2].value, found[2].confidence, found[2].reason) == (4, 1, "")
    assert (found[3].value, found[3].reason) == (None, NO_RATING)


@given(matrices)
def test_trimmed_mean_equals_scipy(matrix: np.ndarray) -> None:
    found = trimmed_gold(of(matrix), 0.2)
    for row, value in zip(matrix, found.value, strict=True):
        present = row[~np.isnan(row)]
        assert np.isnan(value) if not present.size else value == stats.trim_mean(present, 0.2)


def test_trimmed_mean_interval_by_tukey_and_mclaughlin() -> None:
    values = np.array([2.0, 3, 3, 4, 5, 5, 6, 7, 9, 30])
    row = trimmed_gold(of([values]), 0.2).rows()[0]
    pulled = np.clip(values, 3, 7)
    error = np.sqrt(((pulled - pulled.mean()) ** 2).sum() / (6 * 5))
    assert row.value == 5.0
    assert row.high == pytest.approx(5 + stats.t.ppf(0.975, 5) * error)
    assert trimmed_gold(of([[1, 1, 1, 1, 9]]), 0.2).rows()[0].low is None  # what is left is equal
    with pytest.raises(ValueError, match="between 0 and 0.5"):
        trimmed_gold(of([[1]]), 0.5)


def test_z_scores_remove_severity() -> None:
    ratings = np.array([[1, 3, 2], [2, 4, 2], [3, 5, 2]])
    found = z_gold(of(ratings))
    np.testing.assert_allclose(found.value, [-1, 0, 1])
    assert found.n.tolist() == [2, 2, 2]  # the third annotator never varies: no z-score
    lonely = z_gold(of([[1, NA], [2, NA], [NA, 4]])).rows()[2]
    assert (lonely.value, lonely.n) == (None, 0) and "varies" in lonely.reason
    assert standardised(of(ratings)).value.std(ddof=0) == pytest.approx(np.sqrt(2 / 3))


def test_anonymous_annotators_have_no_z_score() -> None:
    found = z_gold(replace(of([[1, 3], [2, 4]]), anonymous=True))
    assert {row.reason for row in found.rows()} == {ANONYMOUS}


@pytest.mark.parametrize("method", METHODS)
@given(matrix=matrices, seed=st.integers(0, 99))
def test_order_and_names_of_units_and_annotators_do_not_matter(
    method: object, matrix: np.ndarray, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    unit, annotator = rng.permutation(matrix.shape[0]), rng.permutation(matrix.shape[1])
    plain: GoldValues = method(of(matrix))  # type: ignore[operator]
    mixed: GoldValues = method(of(matrix[unit][:, annotator]))  # type: ignore[operator]
    for name in ("value", "n", "spread", "low", "high", "confidence", "reason"):
        np.testing.assert_allclose(
            getattr(mixed, name), getattr(plain, name)[unit], atol=1e-7, err_msg=name
        )


@pytest.mark.parametrize("method", METHODS)
def test_no_rating_at_all(method: object) -> None:
    found = method(of(np.full((2, 3), NA)))  # type: ignore[operator]
    assert [(row.value, row.n, bool(row.reason)) for row in found.rows()] == [(None, 0, True)] * 2
