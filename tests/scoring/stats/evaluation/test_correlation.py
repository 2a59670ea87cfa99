"""Correlation of metrics with human values, and comparison of metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import Bootstrap, correlation_report
from scoring.stats.evaluation.acc_eq import tie_accuracies
from scoring.stats.evaluation.correlation import (
    KENDALL_BOOTSTRAP,
    coefficients,
    kendall,
    pearson,
    spearman,
)
from scoring.stats.evaluation.pairwise import accuracies
from scoring.stats.evaluation.roc import roc_curves
from scoring.stats.table import FloatArray, IntArray
from tests.scoring.stats.evaluation.columns import (
    CASES,
    HUMAN,
    ROWS,
    SYSTEMS,
    A,
    B,
    clustered,
    columns,
)

SYSTEM_A = np.array([0.91, 0.88, 0.89, 0.8, 0.79, 0.81, 0.7, 0.66, 0.69, 0.55, 0.5, 0.52])


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


def test_method_names_the_p_value_without_ties() -> None:
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
def test_undefined_correlations_are_none_not_zero(x: list, y: list, reason: str) -> None:
    for function in (pearson, spearman, kendall):
        found = function(np.array(x, dtype=float), np.array(y, dtype=float))
        assert found.value is None and reason in found.reason
        assert found.details["p_value"] is None


def test_perfect_line_and_extreme_sizes() -> None:
    x = np.arange(1.0, 6)
    for y in (2 * x, 1e200 * x, 1e-200 * x, 1e6 + x):
        assert pearson(x, y).value == pytest.approx(1)
    assert kendall(x, 2 * x).details["p_value"] == pytest.approx(1 / 60)


def test_missing_values_are_deleted_pairwise() -> None:
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
    told = first["decisions"]
    more = {True: "a", False: "b"}[told["only_a"] > told["only_b"]]
    assert told["better"] == (None if told["only_a"] == told["only_b"] else more)
    assert first["difference"]["ci_low"] < first["difference"]["value"]
    assert second["williams_p"] is None and "all equal" in second["reasons"]["williams_p"]
    assert block["metrics"]["flat"]["pearson"]["value"] is None


@pytest.mark.parametrize("one", ["pearson", "spearman", "kendall"])
def test_copies_within_an_original_do_not_narrow_the_interval(one: str) -> None:
    """40 texts, four times each: by cluster the interval is correct, by unit too narrow."""
    rng = np.random.default_rng(3)
    human = rng.normal(0, 1, 40)
    metric = human + rng.normal(0, 1, 40)
    plan, codes = Bootstrap(400, 1), np.repeat(np.arange(40), 4)

    def width(copies: int, clusters: np.ndarray | None) -> float:
        columns = np.repeat(human, copies), {"m": np.repeat(metric, copies)}
        found = coefficients(*columns, clusters, plan, [one])["m"][one]
        assert found.ci_low is not None and found.ci_high is not None
        assert found.generalises_to == ("new units" if clusters is None else "new clusters")
        return found.ci_high - found.ci_low

    once = width(1, None)
    assert width(4, codes) == pytest.approx(once, rel=0.1)
    assert width(4, None) < 0.7 * once


def test_tau_of_many_units_has_an_interval_like_the_bootstrap() -> None:
    rng = np.random.default_rng(7)
    units = KENDALL_BOOTSTRAP + 1
    codes = np.arange(units) // 5
    human = np.clip(np.round(rng.normal(3, 1, units) + rng.normal(0, 0.7, units)[codes]), 1, 5)
    metric = human + rng.normal(0, 1, units) + rng.normal(0, 1.5, units)[codes]
    plan = Bootstrap(300, 1)
    large = kendall(human, metric, codes, plan)
    small = kendall(human[:-1], metric[:-1], codes[:-1], plan)
    assert "Hoeffding" in large.options["interval"] and "percentile" in small.options["interval"]
    assert large.generalises_to == "new clusters"
    assert large.ci_low is not None and small.ci_low is not None
    assert large.ci_high is not None and small.ci_high is not None
    assert large.ci_low == pytest.approx(small.ci_low, abs=0.006)
    assert large.ci_high == pytest.approx(small.ci_high, abs=0.006)
    # Taking units for independent would give a shorter one.
    alone = kendall(human, metric, None, plan)
    assert alone.ci_low is not None and alone.ci_high is not None
    assert large.ci_high - large.ci_low > 1.1 * (alone.ci_high - alone.ci_low)


@settings(max_examples=60)
@given(ROWS, st.sampled_from([np.exp, np.cbrt, lambda v: 3 * v + 7]))
def test_rank_statistics_do_not_see_a_rising_transform(rows: list, transform: object) -> None:
    human, metric, codes = columns(rows)
    moved = transform(metric)  # type: ignore[operator]
    names = ["spearman", "kendall", "kendall_c"]
    first, second = (
        coefficients(human, {"m": one}, codes, names=names)["m"] for one in (metric, moved)
    )
    for name in names:
        assert first[name].value == pytest.approx(second[name].value)
    for one in (accuracies, roc):
        a, b = (one(human, {"m": m}, codes)["m"] for m in (metric, moved))
        assert a.value == pytest.approx(b.value)


def roc(human: FloatArray, metrics: dict[str, FloatArray], codes: IntArray) -> dict:
    found = roc_curves((human > 1).astype(float), metrics, codes)
    return {name: one.area for name, one in found.items()}


def test_columns_with_different_gaps_are_each_as_alone() -> None:
    human, metric, codes = clustered()
    other = np.where(np.arange(60) % 7 == 0, np.nan, metric)
    together = coefficients(human, {"m": metric, "o": other}, codes, Bootstrap(30, 2))
    for name, column in (("m", metric), ("o", other)):
        alone = coefficients(human, {name: column}, codes, Bootstrap(30, 2))
        assert together[name] == alone[name]
    assert together["o"]["pearson"].n == 51
    with pytest.raises(ValueError, match="equally long"):
        coefficients(human, {"m": metric[:-1]})
    with pytest.raises(ValueError, match="as long as"):
        coefficients(human, {"m": metric}, codes[:-1])


NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall_tau_b",
    "kendall_c": "kendall_tau_c",
}


@pytest.mark.parametrize("case", CASES["columns"], ids=lambda case: case["name"][:20])
def test_coefficients_of_two_tables(case: dict[str, Any]) -> None:
    human = np.array(case["human"])
    metrics = {name: np.array(case[name]) for name in "ab"}
    found = coefficients(human, metrics)
    ties = tie_accuracies(human, metrics)
    shares = accuracies(human, metrics)
    for metric, expected in case["expected"].items():
        for ours, theirs in NAMES.items():
            assert found[metric][ours].value == pytest.approx(expected[theirs], abs=1e-9)
        assert shares[metric].value == pytest.approx(expected["acc_half_credit"], abs=1e-9)
        strict = shares[metric].details["strict"]
        assert strict == pytest.approx(expected["acc_without_human_ties"], abs=1e-9)
        assert ties[metric]["acc_eq"].value == pytest.approx(expected["acc_eq"], abs=1e-9)
        calibrated = ties[metric]["acc_eq_calibrated"]
        assert calibrated.value == pytest.approx(expected["acc_eq_tie_calibrated"], abs=1e-9)
        assert calibrated.details["epsilon"] == pytest.approx(expected["epsilon"], abs=1e-9)
