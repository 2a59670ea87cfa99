"""Pairs of systems and significance clusters against independent values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from scoring.stats import Bootstrap, RatingTable, SystemTexts, Threshold, results
from scoring.stats.systems.pairs import clusters_of
from scoring.stats.systems.values import Outcome
from tests.scoring.stats.systems.swaps import scipys_p
from tests.simulate import samples, show, slack

NA = float("nan")


# --- whole results ---------------------------------------------------------------------------
def made(values: Sequence[Sequence[float]], systems: Sequence[Sequence[int]], **extra: Any) -> Any:
    """Return results of texts (rows of ratings, NaN missing), each by the listed systems."""
    base = RatingTable.from_dense(values)
    table = RatingTable(
        base.unit, base.annotator, base.value, base.n_units, base.n_annotators,
        item=extra.pop("item"), phrase=extra.pop("phrase", None),
    )  # fmt: skip
    unit = [u for u, of in enumerate(systems) for _ in of]
    system = [s for of in systems for s in of]
    labels = tuple("ABCDEFGH"[: max(system) + 1])
    texts = SystemTexts(np.array(unit), np.array(system), labels)
    return results({"M": table}, texts, {"M": Threshold(3)}, **extra)


def row_of(found: dict[str, Any], outcome: str, a: str = "A", b: str = "B") -> dict[str, Any]:
    [row] = [
        one for one in found["pairs"] if (one["outcome"], one["a"], one["b"]) == (outcome, a, b)
    ]
    return row


def test_a_pair_on_shared_items_by_hand() -> None:
    # Items 0 to 3; A and B share the text of item 1; item 2 has only A; item 3's B is not judged.
    found = made(
        [[5, 4], [2, 3], [4, 4], [1, 1], [5, 5], [NA, NA], [5, 3], [1, 1]],
        [[0], [1], [0, 1], [0], [0], [1], [0], [1]],
        item=np.array([0, 0, 1, 2, 3, 3, 4, 4]),
    )
    mean = row_of(found, "mean")
    assert (mean["items"], mean["n"], mean["ties"], mean["scale"]) == (4, 3, 1, "M")
    assert mean["a_value"] == pytest.approx((4.5 + 4 + 4) / 3)
    assert mean["difference"] == pytest.approx((2 + 0 + 3) / 3)
    assert mean["p_value"] == pytest.approx(2 / 4)  # +2 and +3: two of four sign patterns
    passed = row_of(found, "pass_all")
    assert passed["difference"] == pytest.approx((0.5 + 0 + 1) / 3)
    # On one item by one annotator: item 0: annotator 0 only A; item 4: both annotators only A.
    mcnemar_row = passed["mcnemar"]
    assert (mcnemar_row["only_a"], mcnemar_row["only_b"], mcnemar_row["n"]) == (3, 0, 6)
    assert mcnemar_row["p_value"] == pytest.approx(stats.binomtest(0, 3).pvalue)
    assert (mcnemar_row["better"], mcnemar_row["concordant"]) == ("a", 3)
    assert mcnemar_row["p_clustered"] is None and "needs 5" in mcnemar_row["reason_clustered"]
    assert [one["p_holm"] for one in found["pairs"]] == [one["p_value"] for one in found["pairs"]]


def test_the_cluster_is_the_phrase_or_else_the_item() -> None:
    ratings = [[5], [1], [5], [1], [5], [1], [1], [5]]
    places = {"item": np.repeat(np.arange(4), 2)}
    by_item = row_of(made(ratings, [[0], [1]] * 4, **places), "mean")
    assert by_item["p_value"] == pytest.approx(scipys_p([4, 4, 4, -4]))
    by_phrase = row_of(
        made(ratings, [[0], [1]] * 4, **places, phrase=np.array([0, 0, 0, 0, 1, 1, 2, 2])), "mean"
    )
    assert by_phrase["p_value"] == pytest.approx(scipys_p([8, 4, -4]))
    assert "3 clusters" in by_phrase["method"]


def test_identical_systems_tie_on_every_item() -> None:
    found = made([[v] for v in (5, 1, 4, 2, 3, 1)], [[0, 1]] * 6, item=np.arange(6))
    for row in found["pairs"]:
        assert (row["difference"], row["ties"], row["n"], row["p_value"]) == (0, 6, 6, 1)
    told = found["pairs"][0]["mcnemar"]
    assert (told["p_value"], told["better"], told["concordant"], told["level"]) == (
        1,
        None,
        6,
        None,
    )
    assert told["p_clustered"] is None and "no decision differs" in told["reason_clustered"]
    assert [one["groups"] for one in found["clusters"]] == [[["A", "B"]]] * 2


def test_systems_without_a_common_item_have_no_difference() -> None:
    found = made([[5], [1], [2]], [[0], [1], [0]], item=np.arange(3))
    row = row_of(found, "mean")
    assert (row["items"], row["n"], row["difference"], row["p_value"]) == (0, 0, None, None)
    assert row["reason"] and row["p_holm"] is None
    assert row_of(found, "pass_all")["mcnemar"]["reason"]
    alone = made([[5], [1]], [[0], [0]], item=np.arange(2))
    assert alone["pairs"] == [] and "there are 1" in alone["pairs_reason"]


def three_systems(**extra: Any) -> Any:
    """A far above B and C, which do not differ; 40 items in 20 phrases, 3 annotators."""
    rng = np.random.default_rng(4)
    values, systems = [], []
    for _ in range(40):
        for system, centre in enumerate((4.5, 2.6, 2.5)):
            values.append(np.clip(np.rint(rng.normal(centre, 0.8, 3)), 1, 5))
            systems.append([system])
    item = np.repeat(np.arange(40), 3)
    return made(values, systems, item=item, phrase=item // 2, plan=Bootstrap(500, 1), **extra)


@pytest.mark.parametrize("unit", ["judgment", "gold"])
def test_clusters_separate_only_significantly_different_systems(unit: str) -> None:
    found = three_systems(unit=unit)
    for one in found["clusters"]:
        assert [sorted(group) for group in one["groups"]] == [["A"], ["B", "C"]]
    for name in ("p_holm", "p_max_t"):
        p = {(row["a"], row["b"]): row[name] for row in found["pairs"] if row["outcome"] == "mean"}
        assert p["A", "B"] < 0.01 and p["B", "C"] > 0.05
    for one in found["systems"].values():
        scale = one["scales"]["M"]
        assert scale["mean_bootstrap"]["low"] < scale["mean"] < scale["mean_bootstrap"]["high"]
        assert scale["pass_interval"]["low"] <= scale["pass"] <= scale["pass_interval"]["high"]
        assert "phrases" in scale["mean_bootstrap"]["method"]
    row = row_of(found, "mean")
    assert row["interval"]["low"] < row["difference"] < row["interval"]["high"]


def test_wilsons_interval_uses_the_systems_rows() -> None:
    found = three_systems()["systems"]["B"]
    n = found["pass_all_n"]
    low, high = proportion_confint(round(found["pass_all"] * n), n, method="wilson")
    assert found["pass_all_interval"]["low"] == pytest.approx(low)
    assert found["pass_all_interval"]["high"] == pytest.approx(high)
    assert n == 120


def pair(a: str, b: str, difference: float, p: float | None) -> dict[str, Any]:
    return {"a": a, "b": b, "difference": difference, "p_max_t": p, "p_value": p and p / 10}


def test_a_cluster_boundary_needs_every_system_above_to_beat_every_one_below() -> None:
    outcome = Outcome("mean", "M", np.zeros(0))
    rows = [pair("A", "B", 1, 0.2), pair("A", "C", 2, 0.01), pair("B", "C", 1, 0.04)]
    found = clusters_of(outcome, [3, 2, 1], rows, "ABC")
    assert found["groups"] == [["A", "B"], ["C"]]
    assert found["ranks"] == {"A": [1, 2], "B": [1, 2], "C": [3, 3]}
    assert found["groups_unadjusted"] == [["A"], ["B"], ["C"]]
    rows[2]["p_max_t"] = 0.05  # B no longer beats C: no line, although A beats C
    assert clusters_of(outcome, [3, 2, 1], rows, "ABC")["groups"] == [["A", "B", "C"]]
    down = Outcome("mean", "M", np.zeros(0), higher_is_better=False)
    rows = [pair("A", "B", 1, 0.01)]
    found = clusters_of(down, [3, 2, None], rows, "ABC")
    assert (found["groups"], found["without"]) == ([["B"], ["A"]], ["C"])
    assert found["ranks"] == {"B": [1, 1], "A": [2, 2]}


def test_many_systems_far_apart_are_told_apart() -> None:
    """33 systems on 20 items, each pair of neighbours ten standard deviations apart. Holm with
    10,000 swaps over 528 pairs could not fall below .053."""
    rng = np.random.default_rng(6)
    values = 100 * np.arange(33) + rng.normal(0, 7, (20, 33))
    unit, system = np.arange(660), np.tile(np.arange(33), 20)
    table = RatingTable(
        unit, np.zeros(660, dtype=int), values.ravel(), 660, 1, item=np.repeat(np.arange(20), 33)
    )
    texts = SystemTexts(unit, system, tuple(f"S{k:02}" for k in range(33)))
    found = results({"M": table}, texts)
    (one,) = found["clusters"]
    assert one["groups"] == [[f"S{k:02}"] for k in reversed(range(33))]
    assert one["ranks"] == {f"S{k:02}": [33 - k, 33 - k] for k in range(33)}
    assert max(row["p_holm"] or 0 for row in found["pairs"]) < 0.05


def test_given_decisions_replace_thresholds() -> None:
    found = made(
        [[5], [1], [2], [4]], [[0], [1], [0], [1]], item=np.array([0, 0, 1, 1]), unit="gold",
        decisions=np.array([0.0, 1, NA, 1]), gold_values={"M": np.array([NA, 1.0, 2, 4])},
    )  # fmt: skip
    a, b = found["systems"]["A"], found["systems"]["B"]
    assert (a["pass_all"], a["pass_all_n"], b["pass_all"], b["n"]) == (0, 1, 1, 2)
    assert (a["n"], a["scales"]["M"]["mean"]) == (2, 2)


def test_nominal_scales_have_no_mean() -> None:
    found = made([[5], [1]], [[0], [1]], item=np.zeros(2, dtype=int), ordered={})
    assert found["systems"]["A"]["scales"]["M"]["mean"] is None
    assert {row["outcome"] for row in found["pairs"]} == {"pass_all"}


# --- simulations -----------------------------------------------------------------------------
def clustered(rng: np.random.Generator, effect: float = 0.0) -> Any:
    """Decisions on two systems: 40 phrases of 4 items with 3 annotators; difficulty is shared
    within a phrase and system; `effect` is the advantage of A."""
    hard = rng.normal(0, 1, (40, 2)) + np.array([effect, 0])
    chance = 1 / (1 + np.exp(-hard))
    values = rng.random((40, 4, 2, 3)) < chance[:, None, :, None]
    item = np.repeat(np.arange(160), 2)
    return made(
        values.reshape(320, 3) * 4.0 + 1, [[0], [1]] * 160, item=item, phrase=item // 4,
        plan=Bootstrap(300), permutations=400,
    )  # fmt: skip


@pytest.mark.simulation
@pytest.mark.slow
def test_the_cluster_permutation_keeps_its_level_and_mcnemar_does_not() -> None:
    rng = np.random.default_rng(11)
    wrong, many = {"permutation": 0, "mcnemar": 0, "clustered": 0}, samples(300)
    foretold = 0.0
    for _ in range(many):
        row = row_of(clustered(rng), "pass_all")
        wrong["permutation"] += row["p_value"] < 0.05
        wrong["mcnemar"] += row["mcnemar"]["p_value"] < 0.05
        wrong["clustered"] += row["mcnemar"]["p_clustered"] < 0.05
        foretold += row["mcnemar"]["level"] / many
    assert wrong["clustered"] / many < 0.05 + slack(0.05, many)
    # What stands beside the number is what happens.
    assert foretold == pytest.approx(wrong["mcnemar"] / many, abs=0.06 + slack(0.28, many))
    show("level", many, **{name: count / many for name, count in wrong.items()})
    assert wrong["permutation"] / many < 0.05 + slack(0.05, many)
    assert wrong["mcnemar"] / many > 0.28 - slack(0.28, many)
    found = [row_of(clustered(rng, 1.0), "pass_all")["p_value"] < 0.05 for _ in range(50)]
    assert np.mean(found) > 0.6


@pytest.mark.simulation
@pytest.mark.slow
def test_the_cluster_bootstrap_has_coverage_and_wilson_does_not() -> None:
    rng = np.random.default_rng(12)
    covered, many = {"pass_all_bootstrap": 0, "pass_all_interval": 0}, samples(300)
    for _ in range(many):
        one = clustered(rng)["systems"]["B"]
        for name in covered:
            covered[name] += one[name]["low"] <= 0.5 <= one[name]["high"]
    show("coverage", many, **{name: count / many for name, count in covered.items()})
    # A little under .95: forty clusters are few.
    assert covered["pass_all_bootstrap"] / many == pytest.approx(0.94, abs=slack(0.94, many))
    assert covered["pass_all_interval"] / many < 0.85
