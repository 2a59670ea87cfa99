"""What has no answer says so with a reason; what looks odd but is defined stays defined."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.icc import iccs
from scoring.stats.agreement.influence import chance, influence
from scoring.stats.agreement.verdict import disputed
from tests.scoring.stats.agreement.small import FIVE, NA, statistics, undefined_names


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
    assert undefined_names(found) == set(coefficients())
    assert all(reason in estimate.reason for estimate in found.values())


def test_no_variation_leaves_percent_agreement_and_gwet() -> None:
    # Pitfall 10: programs answer 1, 0/0 or an exception here.
    found = statistics([[4, 4, 4]] * 10)
    defined = {"percent_agreement", "within_one", "gwet_ac1", "gwet_ac2", "brennan_prediger"}
    assert undefined_names(found) == set(coefficients()) - defined
    assert {found[name].value for name in defined} == {1.0}
    assert "no variation" in found["alpha_nominal"].reason


def test_no_variation_of_fractions_is_not_rounding_noise() -> None:
    found = statistics(np.full((7, 3), 0.1 + 0.2), None)
    assert undefined_names(found) >= {"alpha_interval", "icc_1_1", "icc_2_1", "cohen_kappa"}


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


def test_anonymous_voices_have_no_identity() -> None:
    named = RatingTable.from_dense([[1, 2, 2], [4, 4, 5], [3, 3, 3], [5, 4, 5]])
    found = agreement_statistics(replace(named, anonymous=True), FIVE)
    refused = {name for name, e in found.items() if "annotators are anonymous" in e.reason}
    by_identity = {
        "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi", "kendall_w",
        "cohen_kappa_pooled", "cohen_kappa_pooled_linear", "cohen_kappa_pooled_quadratic",
    }  # fmt: skip
    assert refused == by_identity | {"icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"}
    assert undefined_names(found) == refused
    assert found["icc_1_1"].value == iccs(named)["icc_1_1"].value


@pytest.mark.parametrize("size", [1e155, 1e300, -1.7e308, 1e-200])
def test_values_out_of_range_have_a_reason(size: float) -> None:
    rows = np.array([[1, 2, 3], [2, 2, 1], [3, 1, 3], [1, 1, 2], [3, 3, 3], [2, 3, 1]])
    dense = rows * size if abs(size) < 1 else np.where(rows == 3, size, rows)
    table = RatingTable.from_dense(dense)
    report = agreement_report({"S": table}, plan=Bootstrap(20))
    json.dumps(report, allow_nan=False, default=str)
    for name, one in agreement_statistics(table, plan=Bootstrap(20)).items():
        assert one.value is None and "out of range" in one.reason, name
    assert report["scales"]["S"]["answer"]["verdict"] == "undefined"
    assert disputed(table, "ordinal") == []
    assert "out of range" in influence(table, "ordinal")["reason"]
    assert "out of range" in chance(table, "ordinal")["reason"]
