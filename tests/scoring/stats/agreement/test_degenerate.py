"""What has no answer says so with a reason; what looks odd but is defined stays defined."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.icc import iccs, stepped
from scoring.stats.agreement.influence import band, chance, disputed, influence, values_of
from tests.scoring.stats.rated import FIVE, NA, computed, statistics, undefined_names
from tests.simulate import samples, show, slack

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


# The interval of the reliability of gold speaks of those about whom the verdict speaks.


PLAN = Bootstrap(200, 1)


def panel(rng, units, severity, each=None):
    given = rng.normal(3, 1, (units, 1)) + severity + rng.normal(0, 0.8, (units, severity.size))
    dense = np.clip(np.round(given), 1, 5)
    if each is not None:
        order = np.argsort(rng.random(dense.shape), axis=1)
        np.put_along_axis(dense, order[:, each:], NA, axis=1)
    return RatingTable.from_dense(dense)


def block_of(table, clusters=None):
    report = agreement_report({"S": table}, levels={"S": FIVE}, clusters=clusters, plan=PLAN)
    return report["scales"]["S"]


SEVERITY = np.array([-0.6, -0.2, 0.0, 0.3, 0.5])


def test_complete_ratings_of_independent_units_have_the_exact_interval():
    block = block_of(panel(np.random.default_rng(1), 80, SEVERITY))
    gold, icc = block["answer"]["gold"], block["icc_2_k"]
    assert (gold["ci_low"], gold["ci_high"]) == (icc["ci_low"], icc["ci_high"])
    assert gold["new_annotators"] and "new annotators" in gold["generalises_to"]


@pytest.mark.slow
@pytest.mark.parametrize("each", [None, 3])
def test_clusters_or_missing_ratings_have_the_sum_of_two_variances(each):
    """The interval of one rating by new annotators, as on the page of single annotators, stepped up
    to the number of ratings."""
    table = panel(np.random.default_rng(2), 120, SEVERITY, each)
    clusters = np.arange(120) // 3
    answer = block_of(table, clusters)["answer"]
    gold = answer["gold"]
    new = influence(table, "ordinal", FIVE, clusters=clusters, plan=PLAN)["new_annotators"]
    k = each or 5
    expected = [stepped(max(new["icc_2_1"][end], 0), k) for end in ("ci_low", "ci_high")]
    assert [gold["ci_low"], gold["ci_high"]] == pytest.approx(expected)
    assert gold["new_annotators"] and "new clusters" in gold["generalises_to"]
    assert answer["bands"] == [band(one) for one in expected]


def test_what_cannot_speak_of_new_annotators_says_so():
    rng = np.random.default_rng(3)
    two = panel(rng, 120, SEVERITY[:2])
    gold = block_of(two, np.arange(120) // 3)["answer"]["gold"]
    assert not gold["new_annotators"] and gold["generalises_to"] == "new clusters"
    voices = replace(panel(rng, 120, SEVERITY), anonymous=True)
    answer = block_of(voices, np.arange(120) // 3)["answer"]
    assert answer["icc"] == "icc_1_k" and not answer["gold"]["new_annotators"]
    plain = agreement_report({"S": panel(rng, 60, SEVERITY, 3)})["scales"]["S"]
    assert plain["answer"]["gold"] is None and plain["answer"]["bands"] is None
    names = agreement_report({"S": two}, kinds={"S": "nominal"}, plan=PLAN)["scales"]["S"]
    assert names["answer"]["gold"] is None


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("annotators", [5, pytest.param(8, marks=pytest.mark.nightly)])
def test_coverage_for_new_annotators(annotators):
    """Three of `annotators` rate each of 120 texts, two texts a phrase. For comparison, the
    interval of drawn phrases, which was used before."""
    rng = np.random.default_rng(50 + annotators)
    many = samples(1000, 25)
    truth = stepped(
        float(
            np.mean(
                [
                    values_of(panel(rng, 2000, rng.normal(0, 0.5, 60)), FIVE, ("icc_2_1",))[
                        "icc_2_1"
                    ]
                    for _ in range(20)
                ]
            )
        ),
        3,
    )
    held = {"new annotators": 0, "these annotators": 0}
    for _ in range(many):
        table = panel(rng, 120, rng.normal(0, 0.5, annotators), 3)
        block = block_of(table, np.arange(120) // 2)
        gold, drawn = block["answer"]["gold"], block["icc_2_k"]["also"][0]
        held["new annotators"] += gold["ci_low"] <= truth <= gold["ci_high"]
        held["these annotators"] += drawn["ci_low"] <= truth <= drawn["ci_high"]
    show(f"3 of {annotators}, ICC(2,k)", many, **{k: v / many for k, v in held.items()})
    assert held["new annotators"] / many >= 0.95 - slack(0.95, many)
    assert held["these annotators"] < held["new annotators"]
