"""Results of systems: shares, means, pairs and significance clusters against independent values."""

import json

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from scoring.stats import Bootstrap, RatingTable, SystemTexts, Threshold, results
from scoring.stats.systems.pairs import clusters_of
from scoring.stats.systems.values import Outcome, entries_of, gold_rows, judged_rows, outcomes_of
from tests.scoring.stats.systems.small import GRAMMAR, MEANING, NA, table
from tests.scoring.stats.systems.swaps import scipys_p


# --- whole results ---------------------------------------------------------------------------
def made(values, systems, **extra):
    """Return results of texts (rows of ratings, NaN missing), each by the listed systems."""
    places = {"item": extra.pop("item"), "phrase": extra.pop("phrase", None)}
    made_by = [(unit, system) for unit, of in enumerate(systems) for system in of]
    unit, system = np.array(made_by).T
    texts = SystemTexts(unit, system, tuple("ABC"[: system.max() + 1]))
    return results({"M": table(values, **places)}, texts, {"M": Threshold(3)}, **extra)


def row_of(found, outcome):
    """The first pair: A and B."""
    return next(row for row in found["pairs"] if row["outcome"] == outcome)


def assert_has(row, **expected):
    assert {name: row[name] for name in expected} == pytest.approx(expected)


def test_a_pair_on_shared_items_by_hand():
    # Items 0 to 3; A and B share the text of item 1; item 2 has only A; item 3's B is not judged.
    found = made(
        [[5, 4], [2, 3], [4, 4], [1, 1], [5, 5], [NA, NA], [5, 3], [1, 1]],
        [[0], [1], [0, 1], [0], [0], [1], [0], [1]],
        item=np.array([0, 0, 1, 2, 3, 3, 4, 4]),
    )
    assert_has(
        row_of(found, "mean"),
        items=4,
        n=3,
        ties=1,
        scale="M",
        a_value=(4.5 + 4 + 4) / 3,
        difference=(2 + 0 + 3) / 3,
        p_value=2 / 4,  # +2 and +3: two of four sign patterns
    )
    passed = row_of(found, "pass_all")
    assert passed["difference"] == pytest.approx((0.5 + 0 + 1) / 3)
    # On one item by one annotator: item 0: annotator 0 only A; item 4: both annotators only A.
    assert_has(
        passed["mcnemar"],
        only_a=3,
        only_b=0,
        n=6,
        p_value=stats.binomtest(0, 3).pvalue,
        better="a",
        concordant=3,
        p_clustered=None,
    )
    assert "needs 5" in passed["mcnemar"]["reason_clustered"]
    assert [one["p_holm"] for one in found["pairs"]] == [one["p_value"] for one in found["pairs"]]


def test_the_cluster_is_the_phrase_or_else_the_item():
    ratings = [[5], [1], [5], [1], [5], [1], [1], [5]]
    by_item, by_phrase = (
        row_of(made(ratings, [[0], [1]] * 4, item=np.arange(8) // 2, phrase=phrase), "mean")
        for phrase in (None, np.array([0, 0, 0, 0, 1, 1, 2, 2]))
    )
    assert by_item["p_value"] == pytest.approx(scipys_p([4, 4, 4, -4]))
    assert by_phrase["p_value"] == pytest.approx(scipys_p([8, 4, -4]))
    assert "3 clusters" in by_phrase["method"]


def test_identical_systems_tie_on_every_item():
    found = made([[v] for v in (5, 1, 4, 2, 3, 1)], [[0, 1]] * 6, item=np.arange(6))
    for row in found["pairs"]:
        assert_has(row, difference=0, ties=6, n=6, p_value=1)
    decisions = found["pairs"][0]["mcnemar"]
    assert_has(decisions, p_value=1, better=None, concordant=6, level=None, p_clustered=None)
    assert "no decision differs" in decisions["reason_clustered"]
    assert [one["groups"] for one in found["clusters"]] == [[["A", "B"]]] * 2


def test_systems_without_a_common_item_have_no_difference():
    found = made([[5], [1], [2]], [[0], [1], [0]], item=np.arange(3))
    row = row_of(found, "mean")
    assert_has(row, items=0, n=0, difference=None, p_value=None, p_holm=None)
    assert row["reason"]
    assert row_of(found, "pass_all")["mcnemar"]["reason"]
    alone = made([[5], [1]], [[0], [0]], item=np.arange(2))
    assert alone["pairs"] == [] and "there are 1" in alone["pairs_reason"]


def three_systems(**extra):
    """A far above B and C, which do not differ; 40 items in 20 phrases, 3 annotators."""
    rng = np.random.default_rng(4)
    values = rng.normal([[4.5], [2.6], [2.5]], 0.8, (40, 3, 3)).reshape(120, 3)
    item = np.repeat(np.arange(40), 3)
    return made(
        np.clip(np.rint(values), 1, 5),
        [[0], [1], [2]] * 40,
        item=item,
        phrase=item // 2,
        plan=Bootstrap(500, 1),
        **extra,
    )


@pytest.mark.parametrize("unit", ["judgment", "gold"])
def test_clusters_separate_only_significantly_different_systems(unit):
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


def test_wilsons_interval_uses_the_systems_rows():
    found = three_systems()["systems"]["B"]
    assert found["pass_all_n"] == 120
    low, high = proportion_confint(round(found["pass_all"] * 120), 120, method="wilson")
    assert_has(found["pass_all_interval"], low=low, high=high)


def pair(a, b, difference, p):
    return {"a": a, "b": b, "difference": difference, "p_max_t": p, "p_value": p and p / 10}


def test_a_cluster_boundary_needs_every_system_above_to_beat_every_one_below():
    outcome = Outcome("mean", "M", np.zeros(0))
    rows = [pair("A", "B", 1, 0.2), pair("A", "C", 2, 0.01), pair("B", "C", 1, 0.04)]
    found = clusters_of(outcome, [3, 2, 1], rows, "ABC")
    assert found["groups"] == [["A", "B"], ["C"]]
    assert found["ranks"] == {"A": [1, 2], "B": [1, 2], "C": [3, 3]}
    assert found["groups_unadjusted"] == [["A"], ["B"], ["C"]]
    assert found["letters"] == {"A": "a", "B": "a", "C": "b"}
    rows[2]["p_max_t"] = 0.05  # B no longer beats C: no line, although A beats C
    found = clusters_of(outcome, [3, 2, 1], rows, "ABC")
    assert found["groups"] == [["A", "B", "C"]]
    assert found["letters"] == {"A": "a", "B": "ab", "C": "b"}  # As the ranks say, too.
    assert found["ranks"] == {"A": [1, 2], "B": [1, 3], "C": [2, 3]}
    down = Outcome("mean", "M", np.zeros(0), higher_is_better=False)
    rows = [pair("A", "B", 1, 0.01)]
    found = clusters_of(down, [3, 2, None], rows, "ABC")
    assert (found["groups"], found["without"]) == ([["B"], ["A"]], ["C"])
    assert found["ranks"] == {"B": [1, 1], "A": [2, 2]}


def test_given_decisions_replace_thresholds():
    found = made(
        [[5], [1], [2], [4]],
        [[0], [1], [0], [1]],
        item=np.array([0, 0, 1, 1]),
        unit="gold",
        decisions=np.array([0.0, 1, NA, 1]),
        gold_values={"M": np.array([NA, 1.0, 2, 4])},
    )
    a, b = found["systems"].values()
    assert_has(a, pass_all=0, pass_all_n=1, n=2)
    assert_has(b, pass_all=1, n=2)
    assert a["scales"]["M"]["mean"] == 2


def test_nominal_scales_have_no_mean():
    found = made([[5], [1]], [[0], [1]], item=np.zeros(2, dtype=int), ordered={})
    assert found["systems"]["A"]["scales"]["M"]["mean"] is None
    assert {row["outcome"] for row in found["pairs"]} == {"pass_all"}


# Gold, pass decisions and the table of results per system.


def example(unit="judgment"):
    """Units 0 and 1 are texts of item 0, 2 of item 1, 3 of item 2 (phrase 1), 4 a control.

    Systems: A made 0, 2 and 3; B made 0 (the same text as A) and 1.
    """
    item, phrase = np.array([0, 0, 1, 2, 0]), np.array([0, 0, 2, 1, 0])
    extra = {"item": item, "phrase": phrase}
    return results(
        {"M": table([*MEANING, [1, 1, 1]], **extra), "G": table([*GRAMMAR, [1, 1, 1]], **extra)},
        SystemTexts(np.array([0, 2, 3, 0, 1, 0]), np.array([0, 0, 0, 1, 1, 0]), ("A", "B", "C")),
        {"M": Threshold(3), "G": Threshold(4)},
        unit=unit,
        levels={"M": np.arange(1.0, 6.0)},
    )


def test_results_by_judgment():
    found = example()
    a, b, c = (found["systems"][name] for name in "ABC")
    # A: annotators 0, 1 and (grammar only) 2 on unit 0, annotator 0 on unit 3.
    assert (a["n"], a["coverage"]) == (4, 1.0)
    meaning = a["scales"]["M"]
    assert (meaning["n"], meaning["pass"], meaning["mean"]) == (3, 1.0, pytest.approx(13 / 3))
    shares = dict(zip("12345", [0, 0, 0, 2 / 3, 1 / 3], strict=True))
    assert meaning["distribution"] == pytest.approx(shares)
    assert a["scales"]["G"]["n"] == 4 and a["scales"]["G"]["pass"] == 0.75
    assert a["pass_all"] == pytest.approx(2 / 3)
    # B: the shared text counts for B too, plus three judgments of unit 1.
    assert (b["n"], b["coverage"]) == (6, pytest.approx(1 / 3))
    assert b["scales"]["M"]["pass"] == pytest.approx(4 / 5)
    assert b["pass_all"] == pytest.approx(2 / 4)
    assert (c["n"], c["coverage"], c["pass_all"], c["scales"]["M"]["pass"]) == (0, 0, None, None)
    # The control text is no result; phrase 2 has no judgment.
    assert {k: found[k] for k in ("phrases", "phrases_excluded", "contexts", "judgments")} == {
        "phrases": 2,
        "phrases_excluded": 1,
        "contexts": 2,
        "judgments": 7,
    }
    assert (found["unit"], found["thresholds"]) == ("judgment", {"M": 3, "G": 4})


def test_results_by_gold():
    found = example("gold")
    a, b = found["systems"]["A"], found["systems"]["B"]
    assert (a["n"], b["n"], found["judgments"]) == (2, 2, 3)
    assert a["scales"]["M"]["distribution"]["4.5"] == 0.5
    assert a["pass_all"] == 1.0
    assert b["scales"]["M"]["pass"] == 0.5


def test_results_of_the_guides_sample():
    """Callison-Burch 2008, step 6: 12 judged texts of EUROPEAN COUNTRIES, thresholds 3 and 4."""
    meaning = [2, 5, 3, 3, 3, 5, 5, 5, 3, 1, 5, 5]
    grammar = [2, 4, 5, 5, 4, 5, 5, 5, 5, 1, 5, 5]
    column = np.arange(12)
    found = results(
        {"MEANING": table(np.c_[meaning]), "GRAMMAR": table(np.c_[grammar])},
        SystemTexts(column, np.zeros(12, dtype=int), ("0",)),
        {"MEANING": Threshold(3), "GRAMMAR": Threshold(4)},
    )["systems"]["0"]
    assert found["scales"]["MEANING"]["distribution"] == pytest.approx(
        {"1": 1 / 12, "2": 1 / 12, "3": 4 / 12, "5": 6 / 12}
    )
    assert found["pass_all"] == pytest.approx(10 / 12)
    assert sum(found["scales"]["GRAMMAR"]["distribution"].values()) == pytest.approx(1)


def test_results_refuse_invalid_arguments():
    texts = SystemTexts(np.array([0]), np.array([0]), ("A",))
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        results({"M": table([[1, 2]])}, texts, {"X": Threshold(1)})
    with pytest.raises(ValueError, match="judgment or gold"):
        results({"M": table([[1, 2]])}, texts, unit="item")
    empty = results({"M": table([[NA, NA]])}, texts)
    assert empty["systems"]["A"]["n"] == 0 and empty["judgments"] == 0


def test_values_out_of_range_have_no_mean_and_a_reason():
    rng = np.random.default_rng(1)
    ratings = table(rng.choice([1.0, 3, 1.6e308], (12, 3)), item=np.arange(12) // 2)
    systems = SystemTexts(np.arange(12), np.arange(12) % 2, ("A", "B"))
    found = results({"M": ratings}, systems, {"M": Threshold(3)}, plan=Bootstrap(50))
    json.dumps(found, allow_nan=False, default=str)
    one = found["systems"]["A"]
    assert one["scales"]["M"]["mean"] is None and one["pass_all"] is not None
    assert "out of range" in str(one["scales"]["M"]["mean_bootstrap"]["reason"])
    assert {row["outcome"] for row in found["pairs"]} == {"pass_all"}


# What is judged of systems: rows by judgment or by gold, and their outcomes.


# Nobody made the last unit; the second is of both systems.
SYSTEMS = SystemTexts(np.array([0, 1, 1]), np.array([0, 0, 1]), ("A", "B"))
TABLES = {
    "M": RatingTable.from_dense([[5, 4], [2, NA], [1, 1]]),
    "G": RatingTable.from_dense([[3, NA], [4, 4], [1, 1]]),
}


def test_texts_that_no_system_made_are_no_result():
    rows = judged_rows(TABLES, SYSTEMS)
    assert rows.unit.tolist() == [0, 0, 1, 1]
    assert rows.annotator.tolist() == [0, 1, 0, 1]
    np.testing.assert_array_equal(rows.value, [[5, 3], [4, NA], [2, 4], [NA, 4]])
    assert gold_rows(TABLES, SYSTEMS).value.tolist() == [[4.5, 3], [2, 4]]


def test_outcomes_are_missing_where_a_value_is():
    rows = judged_rows(TABLES, SYSTEMS)
    limits = {"M": Threshold(3), "G": Threshold(3)}
    found = outcomes_of(rows, ("M", "G"), limits, {"M": True})
    assert [(one.name, one.scale) for one in found] == [
        ("pass_all", None),
        ("pass", "M"),
        ("mean", "M"),
        ("pass", "G"),
    ]
    np.testing.assert_array_equal(found[0].value, [1, NA, 0, NA])
    np.testing.assert_array_equal(found[1].value, [1, 1, 0, NA])
    decided = outcomes_of(rows, ("M", "G"), limits, {}, np.array([0.0, 1, 1]))
    np.testing.assert_array_equal(decided[0].value, [0, 0, 1, 1])


def test_a_text_of_two_systems_counts_for_both():
    rows = gold_rows(TABLES, SYSTEMS)
    found = entries_of(rows, SYSTEMS, np.array([7, 8, 9]), None, by_gold=True)
    assert sorted(zip(found.row.tolist(), found.system.tolist(), strict=True)) == [
        (0, 0),
        (1, 0),
        (1, 1),
    ]
    assert found.item.tolist() == found.cluster.tolist() == [7, 8]
