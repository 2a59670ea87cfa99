"""What has no answer says so with a reason; what looks odd but is defined stays defined."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.icc import iccs
from scoring.stats.agreement.influence import chance, disputed, influence
from tests.scoring.stats.agreement.cases import computed
from tests.scoring.stats.agreement.small import FIVE, NA, statistics, undefined_names

EVERY = set(coefficients())
# Pitfall 10: where nothing varies programs answer 1, 0/0 or an exception.
VARYING = EVERY - {"percent_agreement", "within_one"}
SEEN_ALONE = VARYING - {"gwet_ac1", "gwet_ac2", "brennan_prediger"}


@pytest.mark.parametrize(
    ("matrix", "levels", "undefined", "named", "reason"),
    [
        (np.full((3, 2), NA), FIVE, EVERY, EVERY, "no ratings"),
        (np.full((0, 0), NA), FIVE, EVERY, EVERY, "no ratings"),
        ([[1], [2], [3]], FIVE, EVERY, EVERY, "two annotators"),
        ([[1, NA, NA], [NA, 2, NA], [NA, NA, 3]], FIVE, EVERY, EVERY, "no unit has two ratings"),
        ([[4, 4, 4]] * 10, FIVE, SEEN_ALONE, ["alpha_nominal"], "no variation"),
        (np.full((7, 3), 0.1 + 0.2), None, VARYING, ["alpha_interval"], "no variation"),
        ([[3, 3], [3, 3]], np.array([3.0]), VARYING, ["gwet_ac1"], "single level"),
    ],
)
def test_undefined_coefficients_say_why(matrix, levels, undefined, named, reason):
    found = statistics(matrix, levels)
    assert undefined_names(found) == undefined
    assert all(reason in found[name].reason for name in named)


def test_one_value_of_each_annotator_is_no_order():
    found = computed("degenerate_both_constant_different")["kendall_w"]
    assert "one value only" in found.reason


def test_anonymous_voices_have_no_identity():
    named = RatingTable.from_dense([[1, 2, 2], [4, 4, 5], [3, 3, 3], [5, 4, 5]])
    found = agreement_statistics(replace(named, anonymous=True), FIVE)
    refused = {name for name, e in found.items() if "annotators are anonymous" in e.reason}
    by_identity = {
        "cohen_kappa",
        "cohen_kappa_linear",
        "cohen_kappa_quadratic",
        "scott_pi",
        "kendall_w",
        "cohen_kappa_pooled",
        "cohen_kappa_pooled_linear",
        "cohen_kappa_pooled_quadratic",
    }
    assert refused == by_identity | {"icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"}
    assert undefined_names(found) == refused
    assert found["icc_1_1"].value == iccs(named)["icc_1_1"].value


@pytest.mark.parametrize("size", [1e155, 1e300, -1.7e308, 1e-200])
def test_values_out_of_range_have_a_reason(size):
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
