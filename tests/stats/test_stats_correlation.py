"""Metric against human, and metric against metric."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import Bootstrap, correlation_report
from scoring.stats.correlation import kendall, pairwise_accuracy, pearson, spearman
from scoring.stats.paired import Sample
from scoring.stats.replicates import kendall_kernel, pearson_kernel, replicate, spearman_kernel
from scoring.stats.resampling import draws, even
from scoring.stats.significance import mcnemar, permutation, williams

# 20 paraphrases: mean human MEANING of 3 annotators, two metrics rounded to 2 decimals. Expected
# values below: scipy 1.17.1 and R 4.2.2 cor.test, R cocor 1.1-4 (Williams), and brute force.
HUMAN = np.array([3.3333, 3.3333, 2, 3.3333, 2.6667, 1.6667, 3, 1, 4.3333, 2.3333, 3, 3.6667, 2, 2,
                  2, 5, 1.6667, 3, 2.6667, 2.3333])  # fmt: skip
A = np.array([0.51, 0.5, 0.42, 0.59, 0.62, 0.25, 0.52, 0.32, 0.69, 0.32, 0.4, 0.71, 0.34, 0.33,
              0.46, 0.77, 0.43, 0.47, 0.38, 0.57])  # fmt: skip
B = np.array([0.5, 0.68, 0.48, 0.71, 1, 0.6, 0.69, 0.41, 0.83, 0.51, 0.62, 0.89, 0.45, 0.65, 0.56,
              0.76, 0.45, 0.6, 0.61, 0.48])  # fmt: skip
# 12 systems without ties.
SYSTEMS = np.array([4.52, 4.31, 4.05, 3.98, 3.77, 3.6, 3.41, 3.12, 2.88, 2.45, 2.1, 1.95])
SYSTEM_A = np.array([0.91, 0.88, 0.89, 0.8, 0.79, 0.81, 0.7, 0.66, 0.69, 0.55, 0.5, 0.52])
SYSTEM_B = np.array([71.2, 66, 70.1, 52.3, 60.8, 49.9, 58.2, 41, 55.5, 47.1, 30.4, 44.4])


def test_coefficients_with_ties() -> None:
    for function, value, p in (
        (pearson, 0.822179170157, 8.68103122875e-06),
        (spearman, 0.784328834251, 4.25049693625e-05),
        (kendall, 0.62683743512, 0.000185454098065),
    ):
        found = function(HUMAN, A)
        assert found.value == pytest.approx(value, abs=1e-11)
        assert found.details["p_value"] == pytest.approx(p, rel=1e-8)
        assert found.n == 20
    assert "normal" in kendall(HUMAN, A).method


def test_coefficients_without_ties_name_their_p() -> None:
    # Pitfall 15: exact and normal p of tau differ 7.5 times; R prints p = 0 for this rho.
    assert spearman(SYSTEMS, SYSTEM_A).value == pytest.approx(0.958041958042, abs=1e-11)
    assert spearman(SYSTEMS, SYSTEM_A).details["p_value"] == pytest.approx(9.54358182684e-07)
    found = kendall(SYSTEMS, SYSTEM_A)
    assert found.value == pytest.approx(0.848484848485, abs=1e-11)
    assert found.details["p_value"] == pytest.approx(1.63423253701e-05)
    assert "exact" in found.method


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 2, 3, 4, 5], [2, 2, 2, 2, 2], "metric's values are all equal"),
        ([2, 2, 2], [1, 2, 3], "human values are all equal"),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], "metric's values are all equal"),
        ([1, 2], [3, 5], "needs 3 units"),
        ([1, 2, 3], [3, 5, np.nan], "has 2"),
        ([], [], "has 0"),
    ],
)
def test_undefined_correlations_are_no_zero(x: list, y: list, reason: str) -> None:
    for function in (pearson, spearman, kendall):
        found = function(np.array(x, dtype=float), np.array(y, dtype=float))
        assert found.value is None and reason in found.reason
        assert found.details["p_value"] is None


def test_perfect_line_and_extreme_sizes() -> None:
    x = np.arange(1.0, 6)
    for y in (2 * x, 1e200 * x, 1e-200 * x, 1e6 + x):
        assert pearson(x, y).value == pytest.approx(1)
    assert kendall(x, 2 * x).details["p_value"] == pytest.approx(1 / 60)


def test_missing_values_are_left_out_by_pair() -> None:
    with_gap = np.append(A, np.nan)
    found = pearson(np.append(HUMAN, 5), with_gap)
    assert (found.n, found.value) == (20, pearson(HUMAN, A).value)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=20))
def test_negating_a_metric_flips_the_sign(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    for function in (pearson, spearman, kendall):
        plus, minus = function(x, y), function(x, -y)
        assert (plus.value is None) == (minus.value is None)
        if plus.value is not None:
            assert minus.value == pytest.approx(-plus.value)


def test_pairwise_accuracy() -> None:
    found = pairwise_accuracy(HUMAN, A)
    assert found.value == pytest.approx(0.825714285714, abs=1e-11)
    assert found.details["strict"] == pytest.approx(0.822857142857, abs=1e-11)
    assert pairwise_accuracy(HUMAN, B).details["strict"] == pytest.approx(0.788571428571)
    assert pairwise_accuracy(SYSTEMS, SYSTEM_B).value == pytest.approx(0.848484848485)
    nothing = pairwise_accuracy(HUMAN, A, np.arange(20))
    assert nothing.value is None and "no pair" in nothing.reason


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=15
    )
)
def test_pairwise_accuracy_by_brute_force(rows: list[tuple[int, int, int]]) -> None:
    right = half = total = 0.0
    for one, other in itertools.combinations(rows, 2):
        if one[2] != other[2] or one[0] == other[0]:
            continue
        total += 1
        same = (one[0] - other[0]) * (one[1] - other[1])
        right += same > 0
        half += 1 if same > 0 else 0.5 if same == 0 else 0
    human, metric, cluster = np.array(rows, dtype=float).T
    found = pairwise_accuracy(human, metric, cluster.astype(np.int64))
    assert found.n == total
    if total:
        assert found.value == pytest.approx(half / total)
        assert found.details["strict"] == pytest.approx(right / total)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "t", "p"),
    [  # R psych 2.2.9 r.test and R cocor 1.1-4; the first is Steiger 1980, case A
        (0.4, 0.5, 0.1, 103, -0.891279904761, 0.374918517491),
        (0.92, 0.919, 0.9, 1000, 0.210749204164, 0.833126042274),
        (0.822179170157, 0.635564516212, 0.679449255374, 20, 1.67902194831, 0.111432162665),
    ],
)
def test_williams(r12: float, r13: float, r23: float, n: int, t: float, p: float) -> None:
    found = williams(r12, r13, r23, n)
    assert found.statistic == pytest.approx(t, rel=1e-8)
    assert found.p_value == pytest.approx(p, rel=1e-8)


def test_williams_undefined() -> None:
    assert williams(0.5, 0.5, 1.0, 50).p_value is None
    assert "4 units" in williams(0.5, 0.4, 0.2, 3).reason


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [  # scipy binomtest and R binom.test; 0, 0: pitfall 14, statsmodels' chi-square says p = 0
        (150, 86, 3.71593613957e-05),
        (2, 9, 0.0654296875),
        (5, 5, 1.0),
        (0, 0, 1.0),
        (60, 35, 0.01337870302600394),
    ],
)
def test_mcnemar_exact(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c).p_value == pytest.approx(p, rel=1e-10)


def test_permutation_swaps_whole_clusters() -> None:
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
    few = permutation(human, good, poor, np.arange(200) // 100).p_value
    assert few is not None and few > 0.3


def test_permutation_equals_direct_computation() -> None:
    rng = np.random.default_rng(8)
    human, a, b = rng.normal(size=(3, 9))
    clusters = np.repeat([0, 1, 2], 3)
    z = [(m - m.mean()) / m.std() for m in (a, b)]
    observed = abs(np.corrcoef(human, a)[0, 1] - np.corrcoef(human, b)[0, 1])
    extreme = 0
    for swap in itertools.product([False, True], repeat=3):
        moved = np.array(swap)[clusters]
        left, right = np.where(moved, z[1], z[0]), np.where(moved, z[0], z[1])
        gap = abs(np.corrcoef(human, left)[0, 1] - np.corrcoef(human, right)[0, 1])
        extreme += gap >= observed - 1e-12
    found = permutation(human, a, b, clusters, permutations=20000, seed=1)
    assert found.p_value == pytest.approx(extreme / 8, abs=0.02)


def test_report_shape_and_comparisons() -> None:
    report = correlation_report(
        {"MEANING": HUMAN}, {"a": A, "b": B, "flat": np.zeros(20)}, clusters=np.arange(20) // 2,
        plan=Bootstrap(200, 3),
    )  # fmt: skip
    assert (report["n"], report["clusters"]) == (20, 10)
    block = report["human"]["MEANING"]
    assert set(block["metrics"]["a"]) == {"pearson", "spearman", "kendall", "pairwise_accuracy"}
    for name in ("pearson", "spearman", "kendall"):
        entry = block["metrics"]["a"][name]
        assert {"value", "ci_low", "ci_high", "p_value", "n", "reason"} <= set(entry)
        assert entry["ci_low"] < entry["value"] < entry["ci_high"]
        assert entry["generalises_to"] == "new clusters"
    assert [(c["a"], c["b"]) for c in block["comparisons"]] == [
        ("a", "b"), ("a", "flat"), ("b", "flat"),
    ]  # fmt: skip
    first, second = block["comparisons"][:2]
    assert first["williams_p"] == pytest.approx(0.111432162665, rel=1e-8)
    assert 0 < first["permutation_p"] <= 1 and 0 < first["mcnemar_p"] <= 1
    assert first["difference"]["ci_low"] < first["difference"]["value"]
    assert second["williams_p"] is None and "all equal" in second["reasons"]["williams_p"]
    assert block["metrics"]["flat"]["pearson"]["value"] is None


def test_bootstrap_replicates_are_the_coefficients_of_the_drawn_rows() -> None:
    """The weighted shortcuts equal scipy on the repeated rows, in clusters and without."""
    for codes in (np.arange(20) // 4, np.arange(20)):
        groups = int(codes.max()) + 1
        plan = Bootstrap(15, 9)
        sample = Sample(("a", "b"), HUMAN, np.column_stack([A, B]), codes, True)
        kernels = {
            "pearson": pearson_kernel(sample),
            "spearman": spearman_kernel(sample),
            "taus": kendall_kernel(sample),
        }
        fast = replicate(kernels, plan, groups, 20)
        drawn = np.concatenate(list(draws(plan, groups, even(groups))))
        for i, weight in enumerate(drawn[:, codes].astype(int)):
            rows = np.repeat(np.arange(20), weight)
            for place, metric in enumerate((A, B)):
                x, y = HUMAN[rows], metric[rows]
                for name, column, slow in (
                    ("pearson", place, stats.pearsonr(x, y)),
                    ("spearman", place, stats.spearmanr(x, y)),
                    ("taus", place, stats.kendalltau(x, y)),
                    ("taus", 2 + place, stats.kendalltau(x, y, variant="c")),
                ):
                    assert fast[name][i, column] == pytest.approx(slow.statistic)
