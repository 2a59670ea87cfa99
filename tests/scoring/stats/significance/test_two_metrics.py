"""Tests between two metrics judged against the same humans, and between two systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from scoring.stats.significance.swaps import (
    holm,
    mcnemar,
    mcnemar_clustered,
    permutation,
    sign_flip,
)
from tests.scoring.stats.evaluation.columns import CASES
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
