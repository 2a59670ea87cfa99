"""Every pair of metrics: permutations, clustering, Holm, groups, and the report of all of it."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap, RatingTable, SystemTexts, correlation_report
from scoring.stats.ceiling import ceiling
from scoring.stats.clustering import clustering, correlation_shares, mcnemar_clustering
from scoring.stats.comparison import significance_clusters
from scoring.stats.comparisons import comparisons
from scoring.stats.paired import mid_ranks, sample_of
from scoring.stats.pairwise import accuracies
from scoring.stats.report_correlation import PARTS, Columns, MetaOptions, meta_evaluation
from scoring.stats.swaps import swap_correlations
from scoring.stats.table import FloatArray, IntArray


def data(
    originals: int = 30, each: int = 4, seed: int = 1
) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(originals), each)
    n = codes.size
    human = rng.normal(0, 1, originals)[codes] + rng.normal(0, 1, n)
    metrics = {
        "good": human + rng.normal(0, 0.3, n),
        "fair": human + rng.normal(0, 0.8, originals)[codes] + rng.normal(0, 0.5, n),
        "poor": rng.normal(0, 1, n),
    }
    return human, metrics, codes


def test_spearman_swaps_equal_direct_computation() -> None:
    rng = np.random.default_rng(8)
    human, a, b = rng.integers(0, 5, size=(3, 12)).astype(float)
    codes = np.repeat(np.arange(4), 3)
    ranks = mid_ranks(np.column_stack([human, a, b]))
    z = (ranks - ranks.mean(axis=0)) / ranks.std(axis=0)

    def gap(left: FloatArray, right: FloatArray) -> float:
        return abs(np.corrcoef(human_rank, left)[0, 1] - np.corrcoef(human_rank, right)[0, 1])

    human_rank = ranks[:, 0]
    observed = gap(z[:, 1], z[:, 2])
    extreme = 0
    for swap in itertools.product([False, True], repeat=4):
        moved = np.array(swap)[codes]
        left, right = np.where(moved, z[:, 2], z[:, 1]), np.where(moved, z[:, 1], z[:, 2])
        extreme += gap(left, right) >= observed - 1e-12
    found = swap_correlations(
        sample_of(human, {"a": a, "b": b}, codes), np.array([[0, 1]]), ranked=True,
        permutations=10, seed=0,
    )  # fmt: skip
    assert found.all_of_them and found.swaps == 16
    assert found.p_value[0] == pytest.approx(extreme / 16)
    rho = stats.spearmanr(human, a).statistic - stats.spearmanr(human, b).statistic
    assert found.difference[0] == pytest.approx(rho)


def test_comparisons_find_what_differs() -> None:
    human, metrics, codes = data()
    rows = comparisons(human, metrics, codes, plan=Bootstrap(200, 1), permutations=999)
    by_pair = {(row.a, row.b): row for row in rows}
    assert list(by_pair) == [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    for row in rows:
        for estimate in (row.difference, row.difference_spearman, row.difference_accuracy):
            assert estimate is not None and estimate.value is not None and estimate.value > 0
        assert row.zou is not None and row.difference is not None
        assert row.zou[0] < row.difference.value < row.zou[1]  # type: ignore[operator]
    first = by_pair["good", "poor"]
    assert first.tests["permutation_p"].p_value == pytest.approx(1 / 1000)
    assert first.holm["holm_p"] == pytest.approx(3 / 1000)
    assert first.difference_spearman is not None and first.difference_spearman.value is not None
    expected = [stats.spearmanr(human, metrics[name]).statistic for name in ("good", "poor")]
    assert first.difference_spearman.value == pytest.approx(expected[0] - expected[1])
    share = accuracies(human, metrics, codes)
    assert first.difference_accuracy is not None
    assert first.difference_accuracy.value == pytest.approx(
        share["good"].value - share["poor"].value  # type: ignore[operator]
    )
    values = {name: stats.pearsonr(human, column).statistic for name, column in metrics.items()}
    assert significance_clusters(values, rows, "pearson") == [["good"], ["fair"], ["poor"]]
    values["poor"] = None
    assert significance_clusters(values, rows, "pearson") == [["good"], ["fair"]]


def test_equal_metrics_share_a_group() -> None:
    human, metrics, codes = data()
    twin = {"good": metrics["good"], "twin": metrics["good"] + 1e-3 * metrics["poor"]}
    rows = comparisons(human, twin | {"poor": metrics["poor"]}, codes)
    values = {"good": 0.9, "twin": 0.89, "poor": 0.1}
    assert significance_clusters(values, rows, "spearman") == [["good", "twin"], ["poor"]]
    (same,) = comparisons(human, {"a": metrics["good"], "b": 2 * metrics["good"]}, codes)
    assert same.tests["permutation_p"].p_value == 1
    assert same.tests["mcnemar_p"].p_value == 1
    for name in ("williams_p", "steiger_p", "meng_p"):
        assert same.tests[name].p_value is None and "alike" in same.tests[name].reason


def test_the_design_effect_is_that_of_the_cluster_jackknife() -> None:
    human, metrics, codes = data(originals=150)
    sample = sample_of(human, metrics, codes)
    (found,) = clustering(correlation_shares(sample), codes, np.array([[0, 1]]))

    def gap(rows: FloatArray) -> float:
        return float(
            np.corrcoef(human[rows], metrics["good"][rows])[0, 1]
            - np.corrcoef(human[rows], metrics["fair"][rows])[0, 1]
        )

    def variance(groups: IntArray) -> float:
        left = np.array([gap(groups != one) for one in np.unique(groups)])
        return float((left.size - 1) / left.size * ((left - left.mean()) ** 2).sum())

    assert found.design_effect == pytest.approx(
        variance(codes) / variance(np.arange(codes.size)), rel=0.1
    )
    assert found.design_effect is not None and found.icc is not None
    assert found.icc == pytest.approx((found.design_effect - 1) / 3, abs=0.08)


def test_the_design_effect_of_mcnemar_by_hand() -> None:
    # Of 10 + 4 discordant pairs; by original A alone is right in 6, 4 and 0, B alone in 0, 0 and 4.
    right = np.array([[8.0, 2], [5, 1], [1, 5]])
    only = np.array([[0.0, 10], [4, 0]])
    (found,) = mcnemar_clustering(right, only, np.array([[0, 1]]))
    gaps = np.array([6.0, 4, -4])
    assert found.design_effect == pytest.approx(gaps.var(ddof=1) * 3 / 14)
    assert found.icc is None and found.too_bold
    (calm,) = mcnemar_clustering(right[:1], only, np.array([[0, 1]]))
    assert calm.design_effect is None and calm.level is None and not calm.too_bold


def test_a_warning_where_the_literature_is_too_bold() -> None:
    human, metrics, codes = data(originals=60, each=5)
    (row,) = comparisons(human, {name: metrics[name] for name in ("good", "fair")}, codes)
    assert row.clustering is not None and row.clustering.too_bold
    assert "out of" not in row.warnings["williams_p"]
    share = round(100 * (row.clustering.level or 0))
    assert f"about {share} of 100" in row.warnings["williams_p"]
    assert row.warnings["zou"] == row.warnings["steiger_p"] == row.warnings["meng_p"]
    rng = np.random.default_rng(3)
    free = {name: human + rng.normal(size=300) for name in "ab"}
    (calm,) = comparisons(rng.permutation(human), free, rng.permutation(codes))
    assert calm.clustering is not None and calm.clustering.design_effect is not None
    assert 0.7 < calm.clustering.design_effect < 1.35
    (alone,) = comparisons(human, free)
    assert alone.clustering is None and alone.warnings == {}
    assert alone.tests["permutation_accuracy_p"].p_value is None
    assert "originals" in alone.tests["permutation_accuracy_p"].reason
    assert alone.tests["permutation_p"].p_value is not None


def numbers(found: Any) -> dict[str, Any]:
    return {} if found is None else asdict(found)


def rounded(found: Any) -> dict[str, Any]:
    """To the last digits, which depend on how many columns a product of matrices has."""
    return {
        name: pytest.approx(one, rel=1e-9, abs=1e-12) if isinstance(one, float) else one
        for name, one in numbers(found).items()
    }


def test_pairs_with_their_own_gaps_are_each_as_alone() -> None:
    human, metrics, codes = data()
    metrics["fair"] = np.where(np.arange(120) % 5 == 0, np.nan, metrics["fair"])
    metrics["flat"] = np.ones(120)
    together = comparisons(human, metrics, codes, plan=Bootstrap(50, 3))
    for row in together:
        pair = {name: metrics[name] for name in (row.a, row.b)}
        (alone,) = comparisons(human, pair, codes, plan=Bootstrap(50, 3))
        assert alone.n == row.n
        assert numbers(alone.difference) == rounded(row.difference)
        for name, test in alone.tests.items():
            if name == "permutation_accuracy_p":  # Its swaps skip originals where no pair differs.
                assert test.p_value == pytest.approx(row.tests[name].p_value, abs=0.05)
            else:
                assert numbers(test) == rounded(row.tests[name])
    flat = next(row for row in together if row.b == "flat")
    assert flat.difference is None and "all equal" in flat.tests["steiger_p"].reason
    assert flat.tests["mcnemar_p"].p_value is not None


def everything() -> Columns:
    human, metrics, codes = data()
    dense = human[:, None] + np.random.default_rng(2).normal(0, 1, (120, 4))
    return Columns(
        {"MEANING": dense.mean(axis=1), "GRAMMAR": np.round(human)},
        metrics,
        codes,
        (human > 0).astype(float),
        SystemTexts(np.arange(120), np.arange(120) % 4, tuple("WXYZ")),
        {"bleu": {"W": 30.0, "X": 31.0, "Y": 29.0, "Z": 35.0}},
        {"MEANING": ceiling(RatingTable.from_dense(dense))},
    )


def test_the_whole_report() -> None:
    columns = everything()
    options = MetaOptions(Bootstrap(60, 1), permutations=99)
    report = meta_evaluation(columns, options)
    text = json.dumps(report.to_json(), allow_nan=False)
    assert text == json.dumps(meta_evaluation(columns, options).to_json(), allow_nan=False)
    found = json.loads(text)
    assert (found["n"], found["clusters"]) == (120, 30)
    assert set(found["roc"]) == set(columns.metrics)
    block = found["human"]["MEANING"]
    assert set(block["metrics"]["good"]) == {"pearson", "spearman", "kendall", "pairwise_accuracy"}
    assert {"kendall_c", "acc_eq", "acc_eq_calibrated", "acc_eq_crossfit"} == set(
        block["further"]["good"]
    )
    assert block["further"]["good"]["kendall_c"]["ci_low"] is not None
    comparison = block["comparisons"][0]
    added = {"steiger_p", "meng_p", "holm_p", "zou", "clustering", "permutation_spearman_p"}
    assert {"williams_p", "permutation_p", "mcnemar_p"} | added <= set(comparison)
    assert block["significance_clusters"]["pearson"][0] == ["good"]
    assert set(block["within_originals"]["good"]) == {
        "pearson", "spearman", "kendall", "kendall_pooled",
    }  # fmt: skip
    assert set(block["per_system"]) == set("WXYZ")
    assert block["systems"]["good"]["pearson"]["ci_low"] is not None
    assert block["corpus"]["bleu"]["pearson"]["n"] == 4
    assert set(block["against_ceiling"]) == set(columns.metrics)
    assert "against_ceiling" not in found["human"]["GRAMMAR"]


def test_parts_are_left_out_on_request() -> None:
    columns = everything()
    report = meta_evaluation(columns, MetaOptions(parts=("coefficients",))).to_json()
    assert report["human"]["GRAMMAR"]["comparisons"] == [] and "roc" not in report
    assert "within_originals" not in report["human"]["GRAMMAR"]
    with pytest.raises(ValueError, match="unknown parts: speed"):
        meta_evaluation(columns, MetaOptions(parts=(*PARTS, "speed")))
    plain = correlation_report({"h": columns.human["GRAMMAR"]}, {"m": columns.metrics["good"]})
    assert plain["clusters"] is None and plain["human"]["h"]["comparisons"] == []
    assert correlation_report({}, {})["n"] == 0


def test_against_what_people_reach() -> None:
    """r / sqrt(reliability), Spearman 1904: values free of noise correlate as the truth does."""
    rng = np.random.default_rng(6)
    truth = rng.normal(size=3000)
    dense = truth[:, None] + rng.normal(0, 1.5, (3000, 3))
    metric = truth + rng.normal(0, 1, 3000)
    human = dense.mean(axis=1)
    found = meta_evaluation(
        Columns(
            {"h": human}, {"m": metric}, ceilings={"h": ceiling(RatingTable.from_dense(dense))}
        ),
        MetaOptions(Bootstrap(20), parts=("coefficients",)),
    )
    beside = found.human["h"].ceiling["m"]["pearson"]
    assert beside["disattenuated"]["value"] == pytest.approx(np.sqrt(0.5), abs=0.04)
    assert beside["disattenuated"]["ci_low"] < beside["disattenuated"]["value"]
    one = np.mean(
        [np.corrcoef(dense[:, k], np.delete(dense, k, 1).mean(1))[0, 1] for k in range(3)]
    )
    expected = np.corrcoef(human, metric)[0, 1] / one
    assert beside["share"]["value"] == pytest.approx(expected, rel=1e-6)
    alone = RatingTable.from_dense(dense[:, :1])
    nothing = meta_evaluation(
        Columns({"h": human}, {"m": metric}, ceilings={"h": ceiling(alone)}),
        MetaOptions(parts=("coefficients",)),
    )
    assert nothing.human["h"].ceiling["m"]["spearman"]["share"]["value"] is None
