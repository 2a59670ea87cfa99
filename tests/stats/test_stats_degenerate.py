"""What has no answer says so with a reason; what looks odd but is defined stays defined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import Estimate, RatingTable, agreement_statistics
from scoring.stats.reliability import iccs
from scoring.stats.report import STATISTICS
from scoring.stats.table import default_levels

NA = float("nan")
FIVE = np.arange(1.0, 6.0)


def statistics(matrix: object, levels: np.ndarray | None = FIVE) -> dict[str, Estimate]:
    return agreement_statistics(RatingTable.from_dense(matrix), levels)


def undefined_names(found: dict[str, Estimate]) -> set[str]:
    return {name for name, estimate in found.items() if estimate.value is None}


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.full((3, 2), NA), "no ratings"),
        (np.full((0, 0), NA), "no ratings"),
        ([[1], [2], [3]], "two annotators"),
        ([[1, NA, NA], [4, NA, NA], [NA, 2, NA], [NA, NA, 3]], "no unit has two ratings"),
    ],
)
def test_nothing_to_compare(matrix: object, reason: str) -> None:
    found = statistics(matrix)
    assert undefined_names(found) == set(STATISTICS)
    assert all(reason in estimate.reason for estimate in found.values())


def test_no_variation_leaves_percent_agreement_and_gwet() -> None:
    # Pitfall 10: programs answer 1, 0/0 or an exception here.
    found = statistics([[4, 4, 4]] * 10)
    defined = {"percent_agreement", "within_one", "gwet_ac1", "gwet_ac2", "brennan_prediger"}
    assert undefined_names(found) == set(STATISTICS) - defined
    assert {found[name].value for name in defined} == {1.0}
    assert "no variation" in found["alpha_nominal"].reason


def test_no_variation_of_fractions_is_not_rounding_noise() -> None:
    found = statistics(np.full((7, 3), 0.1 + 0.2), None)
    assert undefined_names(found) >= {"alpha_interval", "icc_1_1", "icc_2_1", "cohen_kappa"}


def test_one_pairable_unit_has_no_alpha() -> None:
    # Pitfall 11: alpha would be 0 whatever the ratings.
    found = statistics([[2, 3, 3, 4], [NA, NA, NA, 1]])
    assert {"alpha_nominal", "alpha_ordinal", "alpha_interval"} <= undefined_names(found)
    assert found["percent_agreement"].value == pytest.approx(1 / 6)


def test_kappa_paradox() -> None:
    # 94 of 100 units agree, yet nearly all ratings are 5 (values: irr, krippendorff, irrCAC).
    found = statistics([[5, 5]] * 94 + [[5, 4]] * 3 + [[4, 5]] * 2 + [[5, 3]])
    expected = {
        "percent_agreement": 0.94,
        "cohen_kappa": -0.0238907849829,
        "fleiss_kappa": -0.0265183917879,
        "alpha_nominal": -0.0213857998289,
        "gwet_ac1": 0.939110248506,
        "gwet_ac2": 0.99404889822,
        "icc_2_1": -0.0229621125144,
        "kendall_w": 0.486209749707,
    }
    assert {k: found[k].value for k in expected} == pytest.approx(expected, abs=1e-9)


def test_unused_levels_count_for_gwet() -> None:
    # Pitfall 2, with two units that use 1, 2, 4 and 5 (R irrCAC 1.4: .122 seen, .186 full scale).
    matrix = [[1, 2, 1], [4, 5, 5]]
    assert statistics(matrix)["gwet_ac1"].value == pytest.approx(0.186440677966, abs=1e-9)
    seen = statistics(matrix, np.array([1.0, 2.0, 4.0, 5.0]))
    assert seen["gwet_ac1"].value == pytest.approx(0.121951219512, abs=1e-9)
    assert statistics(matrix)["gwet_ac2"].value == pytest.approx(0.870967741935, abs=1e-9)
    assert statistics(matrix)["alpha_ordinal"] == statistics(matrix, None)["alpha_ordinal"]


def test_constant_annotator_and_reversed_scale() -> None:
    constant = statistics(
        [[1, 3, 2], [2, 3, 2], [3, 3, 3], [4, 3, 5], [5, 3, 4], [3, 3, 3], [2, 3, 1], [4, 3, 4]]
    )
    assert constant["cohen_kappa"].value == pytest.approx(0.12)
    assert constant["icc_2_k"].value == pytest.approx(0.710059171598)
    turned = statistics([[1, 5], [2, 4], [3, 3], [4, 2], [5, 1]] * 2)
    assert turned["cohen_kappa_quadratic"].value == pytest.approx(-1)
    assert turned["alpha_ordinal"].value == pytest.approx(-0.9)
    assert turned["icc_2_1"].value == pytest.approx(-1.25)
    # The formula gives 10 for a coefficient that cannot exceed 1: its denominator is negative.
    assert turned["icc_2_k"].value is None


def test_both_constant_but_different() -> None:
    found = statistics([[2, 4]] * 6)
    assert found["cohen_kappa"].value == 0
    assert found["alpha_nominal"].value == pytest.approx(-0.833333333333)
    assert found["gwet_ac2"].value == pytest.approx(0.529411764706)
    assert "one value only" in found["kendall_w"].reason
    assert found["icc_3_1"].value is None


def test_undefined_pairs_are_left_out_and_counted() -> None:
    found = statistics([[3, 3, 1], [3, 3, 3], [3, 3, 2]])["cohen_kappa"]
    assert found.details["undefined_pairs"] == 1
    pairs = {(p["a"], p["b"]): p for p in found.details["pairs"]}
    assert pairs["0", "1"]["value"] is None and "same single value" in pairs["0", "1"]["reason"]
    assert found.value == pytest.approx((pairs["0", "2"]["value"] + pairs["1", "2"]["value"]) / 2)


def test_mixed_model_refuses_what_it_cannot_tell_apart() -> None:
    # Pitfall 8: two annotators who share one unit got .82 and 1.0 from a mixed model.
    sharing_one = [[1, NA], [2, NA], [3, 4], [NA, 5], [NA, 2]]
    found = statistics(sharing_one)
    assert {f"icc_{t}_{k}" for t in "123" for k in "1k"} <= undefined_names(found)
    # Two unit per pair leave nothing over for noise once annotators are estimated in a ring.
    chain = [[1, 2, NA], [NA, 3, 5]]
    assert "too few shared ratings" in statistics(chain)["icc_2_1"].reason
    groups = [[1, 2, NA, NA], [4, 4, NA, NA], [NA, NA, 2, 3], [NA, NA, 5, 5]]
    found = statistics(groups)
    assert "2 groups that share no unit" in found["icc_2_1"].reason
    assert found["icc_1_1"].value is not None


def test_anonymous_voices_have_no_identity() -> None:
    named = RatingTable.from_dense([[1, 2, 2], [4, 4, 5], [3, 3, 3], [5, 4, 5]])
    found = agreement_statistics(replace(named, anonymous=True), FIVE)
    refused = {name for name, e in found.items() if "annotators are anonymous" in e.reason}
    by_identity = {
        "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi", "kendall_w",
    }  # fmt: skip
    assert refused == by_identity | {"icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"}
    assert undefined_names(found) == refused
    assert found["icc_1_1"].value == iccs(named)["icc_1_1"].value


def test_scale_with_one_level_has_no_gwet() -> None:
    found = statistics([[3, 3], [3, 3]], np.array([3.0]))
    assert "single level" in found["gwet_ac1"].reason


def test_default_levels() -> None:
    assert default_levels(np.array([4.0, 1.0])).tolist() == [1, 2, 3, 4]
    assert default_levels(np.array([-2.0, 0.0])).tolist() == [-2, -1, 0]
    assert default_levels(np.array([0.5, 2.0, 0.5])).tolist() == [0.5, 2]
    assert default_levels(np.array([0.0, 1e9])).tolist() == [0, 1e9]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], [0, 0], [1, 2], 1, 1), "rated unit 0 twice"),
        (([0], [0], [float("nan")], 1, 1), "finite"),
        (([0], [1], [1], 1, 1), "annotator codes"),
        (([0, 1], [0], [1], 2, 1), "equally long"),
    ],
)
def test_tables_check_themselves(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RatingTable(*arguments)


def test_values_off_the_scale_are_an_error() -> None:
    with pytest.raises(ValueError, match="6 is not among"):
        statistics([[6, 1], [2, 2]])


def test_table_views() -> None:
    table = RatingTable.from_dense([[1, NA], [2, 3]])
    assert table.counts(np.array([1.0, 2.0, 3.0])).tolist() == [[1, 0, 0], [0, 1, 1]]
    np.testing.assert_array_equal(table.dense(), [[1, NA], [2, 3]])
    np.testing.assert_array_equal(
        table.take_units(np.array([1, 1, 0])).dense(), [[2, 3], [2, 3], [1, NA]]
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"value": None},
        {"value": 1.0, "reason": "both"},
        {"value": float("nan")},
        {"value": 1.0, "ci_low": 0.5},
        {"value": 1.0, "ci_low": 0.5, "ci_high": 1.0},
    ],
)
def test_estimates_check_themselves(arguments: dict) -> None:
    with pytest.raises(ValueError):
        Estimate(**arguments)
