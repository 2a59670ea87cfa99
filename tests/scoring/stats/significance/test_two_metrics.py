"""Tests between two metrics judged against the same humans, and between two systems."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from scoring.stats.evaluation.correlation import tau_b_interval, unit_concordance
from scoring.stats.evaluation.pair_tests import meng_z, steiger_z, williams_t, zou_interval
from scoring.stats.significance.swaps import (
    holm,
    mcnemar,
    mcnemar_clustered,
    permutation,
    sign_flip,
)
from tests.scoring.stats.evaluation.columns import CASES, ROWS, columns
from tests.scoring.stats.systems.swaps import scipys_p


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        *CASES["mcnemar"],  # 0, 0: pitfall 14, statsmodels' chi-square says p = 0
        (60, 35, 0.01337870302600394),  # scipy binomtest and R binom.test
        (1, 7, 0.0703125),  # Fagerland, Lydersen and Laake 2013, table 1: .0703
        (0, 6, 0.03125),
    ],
)
def test_mcnemar_is_exact(first, second, p):
    assert mcnemar(first, second).p_value == pytest.approx(p, rel=1e-8)
    table = [[12, first], [second, 5]]
    assert p == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue)


def test_permutation_swaps_whole_clusters():
    rng = np.random.default_rng(4)
    human = rng.normal(size=200)
    good, poor = human + rng.normal(size=200) * 0.3, rng.normal(size=200)
    clusters = np.arange(200) // 5
    assert permutation(human, good, poor, clusters).p_value == pytest.approx(1 / 1001)
    assert permutation(human, good, good * 2 + 1, clusters).p_value == 1.0
    again = [permutation(human, good, good + poor, clusters, seed=s).p_value for s in (1, 1)]
    assert again[0] == again[1]
    assert permutation(human, good, poor, np.zeros(200, dtype=np.int64)).p_value is None
    # With two clusters only four swaps exist, so p cannot be small.
    assert permutation(human, good, poor, np.arange(200) // 100).p_value > 0.3


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=7))
def test_all_swaps_equal_scipy(gaps):
    total = np.array([gaps], dtype=float)
    [found] = sign_flip(total, np.ones_like(total, dtype=bool))
    assert found.p_value == pytest.approx(min(1.0, scipys_p(gaps)) if any(gaps) else 1)


def test_fishers_corn():
    """Fisher 1935, section 21: Darwin's 15 pairs of maize; 1,726 of 32,768 swaps reach the sum of
    314 eighths of an inch (835 exceed it on one side, 28 equal it)."""
    gaps = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    total = np.array([gaps], dtype=float)
    [drawn], [again] = (sign_flip(total, total != 0, permutations=20_000, seed=3) for _ in range(2))
    assert drawn.p_value == pytest.approx(1726 / 32768, abs=0.005)
    assert "20000 random swaps" in drawn.method and drawn == again


def test_exact_ties_change_no_swap_and_one_cluster_is_none():
    gaps = np.array([[2.0, 3, -1, 4, 2, 0, 0, 0, 0, 0]])
    [with_ties], [without] = (
        sign_flip(one, np.ones(one.shape, dtype=bool)) for one in (gaps, gaps[:, :5])
    )
    assert with_ties.p_value == without.p_value
    [alone] = sign_flip(np.array([[5.0, 0]]), np.array([[True, False]]))
    assert alone.p_value is None and "two clusters" in alone.reason


def test_holm_in_his_words():
    # Holm 1979: the smallest of m by m, the next by m - 1, never below the one before.
    assert holm([0.04, None, 0.01, 0.03]) == [0.06, None, 0.03, 0.06]
    assert holm([None]) == [None] and holm([]) == []


# Donner and Petryshen 1989: of 29 psychiatrists, how often the patient alone and the psychiatrist
# alone found a concern relevant (the set `psychiatry` of the R package clust.bin.pair 0.1.2).
PATIENT = [0, 1, 1, 1, 0, 3, 3, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0]
DOCTOR = [4, 2, 3, 2, 1, 3, 0, 2, 2, 4, 2, 4, 3, 2, 1, 3, 1, 2, 0, 0, 0, 2, 1, 2, 2, 0, 0, 1, 1]


def test_clustered_mcnemar_of_published_data():
    """Chi-square 7.19 by Obuchowski 1998, as reported by Durkalski et al. 2003."""
    gaps = np.array(PATIENT, dtype=float) - np.array(DOCTOR)
    found = mcnemar_clustered(gaps)
    assert found.statistic == pytest.approx(7.19, abs=0.005)
    assert found.p_value == pytest.approx(0.00735, abs=1e-4)  # R: pchisq(7.1858, 1, lower = FALSE)
    assert mcnemar_clustered(-gaps).p_value == pytest.approx(found.p_value)


def test_clustered_mcnemar_says_why_it_is_undefined():
    assert "needs 5 clusters, has 4" in mcnemar_clustered(np.ones(4)).reason
    none = mcnemar_clustered(np.zeros(9))
    assert none.p_value is None and none.reason


# Kendall's tau of large columns: how each unit agrees with all others, and an interval from it.


@given(ROWS)
def test_concordance_of_each_unit_by_brute_force(rows):
    x, y, _ = columns(rows)
    slow = (np.sign(x[:, None] - x) * np.sign(y[:, None] - y)).sum(axis=1)
    assert (unit_concordance(x, y) == slow).all()
    assert (unit_concordance(y, x) == slow).all()


def test_tau_interval_by_hand():
    """Without ties and clusters the projection is short: the variance is 4 / n times that
    of the units' mean concordance (Hoeffding 1948)."""
    rng = np.random.default_rng(3)
    x = rng.permutation(60).astype(float)
    y = x + rng.permutation(60) * math.sqrt(0.8)
    sign = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    tau, each = sign.sum() / (60 * 59), sign.sum(axis=1) / 59
    error = math.sqrt(4 * ((each - tau) ** 2).sum() / (60 * 59))
    reach = 2.0009954 * error / (1 - tau**2)  # t of 59 degrees of freedom
    expected = math.tanh(math.atanh(tau) - reach), math.tanh(math.atanh(tau) + reach)
    assert tau_b_interval(x, y, np.arange(60), 60) == pytest.approx(expected, rel=1e-6)


# Tests of two correlations that share the human column, as formulas over arrays.


@pytest.mark.parametrize("case", CASES["dependent"], ids=lambda case: case["name"][:20])
def test_dependent_correlations(case):
    r = np.array(case["r"])[:, None]
    for name, test in (("williams", williams_t), ("steiger", steiger_z), ("meng", meng_z)):
        assert np.ravel(test(*r, case["n"])) == pytest.approx(case[name], rel=1e-7), name
    assert np.ravel(zou_interval(*r, case["n"])) == pytest.approx(case["zou"], abs=1e-9)


def test_zou_example():
    # Zou 2007: r = .396 and .179, .088 between the two, n = 66; printed (-0.0929, 0.5168).
    r = np.array([[0.396], [0.179], [0.088]])
    assert np.ravel(zou_interval(*r, 66)) == pytest.approx([-0.0929, 0.5168], abs=5e-5)
    assert np.isnan(zou_interval(*r, 3)).all()


def test_dependent_tests_say_when_they_are_undefined():
    one, half = np.array([1.0]), np.array([0.5])
    for test in (williams_t, steiger_z, meng_z):
        assert np.isnan(test(half, half, one, 50)[0][0])
        assert np.isnan(test(half, half * 0.9, half, 3)[0][0])
        # Rounded below -1, as of a metric and what it is 1 less.
        assert not np.isnan(test(half, half * 0.9, -one - 1e-15, 50)[0][0])
    for test in (steiger_z, meng_z):
        assert np.isnan(test(one, half, half, 50)[0][0])


def test_meng_for_metrics_that_run_against_each_other():
    """f is at most 1, where h = 1 (Meng, Rosenthal and Rubin 1992, after eq. 2)."""
    r = np.array([0.3]), np.array([0.1]), np.array([-0.95])
    gap = math.atanh(0.3) - math.atanh(0.1)
    assert meng_z(*r, 50)[0][0] == pytest.approx(gap * math.sqrt(47 / (2 * 1.95)))
