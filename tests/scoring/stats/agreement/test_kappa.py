"""Cohen's kappa for every pair of annotators, each on the units both of them rated."""

from itertools import combinations, product

import numpy as np
import pytest

from paraanno.common.texts import NOTHING
from scoring.stats import Estimate, RatingTable, agreement_statistics
from scoring.stats.agreement.coefficients import kendall_replicates, kendall_w
from scoring.stats.agreement.kappa import (
    cohen_kappa_quadratic,
    cohen_kappas,
    kappa_replicates,
    no_interval,
)
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd
from tests.scoring.stats.rated import NA, WEIGHTS, computed, rated, statistics


@pytest.mark.parametrize(
    ("case_id", "errors"),
    [  # R vcd 1.4.11 Kappa: unweighted, Fleiss-Cohen, Equal-Spacing; statsmodels 0.15.0 alike
        ("landis_koch_1977_winnipeg", (0.0504553652409, 0.0600550988318, 0.0516668262183)),
        ("fleiss_cohen_everitt_1969", (0.0537110048692, 0.0556663401582, 0.0507186076077)),
    ],
)
def test_large_sample_errors_of_kappa(case_id, errors):
    found = computed(case_id)
    for weight, error in zip(("none", "quadratic", "linear"), errors, strict=True):
        (pair,) = found[WEIGHTS[weight]].details["pairs"]
        assert (pair["ci_high"] - pair["value"]) / 1.959964 == pytest.approx(error, abs=1e-9)


def test_an_undefined_pair_does_not_lower_the_mean():
    rows = [[3, 3, NA], [3, 3, NA], [1, NA, 1], [2, NA, 2], [NA, 4, 4], [NA, 5, 5]]
    found = statistics(rows)["cohen_kappa"]
    assert (found.value, found.details["undefined_pairs"]) == (1, 1)
    [undefined] = [one for one in found.details["pairs"] if one["value"] is None]
    assert "same single value" in undefined["reason"]


def test_weights_use_scale_values_not_positions():
    # Pitfall 1: annotators 1 and 2 never use 4; by position among the labels seen this is .459.
    pair = RatingTable.from_dense(rated("gwet_raw10x4").dense()[:, :2])
    assert cohen_kappa_quadratic(pair).value == pytest.approx(0.679, abs=5e-4)
    # The same for Shrout and Fleiss' annotators 1 and 4: labels sorted as text would give -.048.
    ten = RatingTable.from_dense(rated("shrout_fleiss_1979").dense()[:, [0, 3]])
    assert cohen_kappa_quadratic(ten).value == pytest.approx(0.605263157895, abs=1e-11)


@pytest.mark.parametrize("way", [0, 1])
def test_replicates_are_the_kappas_of_the_tables_they_stand_for(way):
    table = crowd()
    made_by, found = kappa_replicates(table, all_draws(table)[way])
    assert made_by.jackknife
    assert_replicates(found, cohen_kappas, table, made_by)


@pytest.mark.parametrize(("shared", "has_interval"), [(20, True), (19, False)])
def test_no_interval_where_the_bias_exceeds_half_an_error(shared, has_interval):
    """Of 100 texts the error is about 1/10; the bias is about 1/20 if pairs share 20 of them."""
    found = Estimate(0.5, n=100, details={"pairs": [{"n": shared}] * 3})
    assert (no_interval(found) == NOTHING) is has_interval


# Cohen's kappa pooled over pairs of annotators, and when the mean over pairs is no summary.


POOLED = {
    "cohen_kappa_pooled": lambda x, y: x != y,
    "cohen_kappa_pooled_linear": lambda x, y: abs(x - y),
    "cohen_kappa_pooled_quadratic": lambda x, y: (x - y) ** 2,
}
MEANS = ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi")


def test_on_complete_data_it_is_congers_kappa():
    """Rows 2 to 9 of irrCAC's cac.raw4raters, quadratic weights: conger.kappa.raw gives .67192, the
    R package quadagree .6719243 (both in the documentation of its function conger)."""
    rows = [
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
    ]
    found = agreement_statistics(RatingTable.from_dense(rows))
    assert found["cohen_kappa_pooled_quadratic"].value == pytest.approx(0.6719243, abs=5e-8)


@pytest.mark.parametrize("name", POOLED)
def test_missing_ratings_by_hand(name):
    """Disagreements of all pairs that met, divided by those of every rating of the one with every
    rating of the other; a unit with one rating takes no part."""
    table = crowd(3)
    dense = table.dense()
    dense[(~np.isnan(dense)).sum(axis=1) < 2] = NA
    seen, expected = 0.0, 0.0
    for a, b in combinations(range(dense.shape[1]), 2):
        met = dense[~np.isnan(dense[:, [a, b]]).any(axis=1)][:, [a, b]]
        seen += sum(POOLED[name](x, y) for x, y in met)
        every = product(*(dense[~np.isnan(dense[:, who]), who] for who in (a, b)))
        expected += len(met) * np.mean([POOLED[name](x, y) for x, y in every])
    found = agreement_statistics(table)[name]
    assert found.value == pytest.approx(1 - seen / expected, abs=1e-12)
    assert found.n == (~np.isnan(dense).all(axis=1)).sum()


@pytest.mark.parametrize(
    ("annotators", "shared", "given"), [(9, 4, True), (10, 4, False), (10, 5, True)]
)
def test_the_mean_over_pairs_needs_five_shared_texts_or_under_ten_annotators(
    annotators, shared, given
):
    rng = np.random.default_rng(2)
    pairs = np.array(list(combinations(range(annotators), 2))).repeat(shared, axis=0)
    unit = np.repeat(np.arange(len(pairs)), 2)
    value = rng.integers(1, 6, unit.size) * 1.0
    table = RatingTable(unit, pairs.ravel(), value, len(pairs), annotators)
    found = agreement_statistics(table)
    for name in MEANS:
        assert (found[name].value is not None) == given, name
    for name in POOLED:
        assert found[name].value is not None


def test_pairs_without_a_shared_text_count_for_the_median():
    """Five pairs of two annotators each: nine of ten pairs share nothing."""
    value = np.random.default_rng(3).integers(1, 6, 200) * 1.0
    who = np.repeat(np.arange(10).reshape(5, 2), 20, axis=0).ravel()
    table = RatingTable(np.repeat(np.arange(100), 2), who, value, 100, 10)
    found = agreement_statistics(table)["cohen_kappa"]
    assert "shares 0 texts" in found.reason
    assert len(found.details["pairs"]) == 5


def test_no_variation_and_no_identity_have_reasons():
    same = agreement_statistics(RatingTable.from_dense([[2, 2], [2, 2]]))
    assert "no variation" in same["cohen_kappa_pooled"].reason
    alone = agreement_statistics(RatingTable.from_dense([[2, NA], [NA, 2]]))
    assert "no unit has two ratings" in alone["cohen_kappa_pooled"].reason
    # Where two annotators agree on all they share, a pair has no kappa; the pooled one has.
    assert computed("shrout_fleiss_1979")["cohen_kappa_pooled"].value is not None


# Kendall's coefficient of concordance over the units that every annotator rated.


def test_friedman_test_of_kendalls_w():
    """R irr 0.84.1 kendall(correct=TRUE) on Shrout and Fleiss' data."""
    found = computed("shrout_fleiss_1979")["kendall_w"].details
    expected = {"chi2": 17.7407407407, "df": 5, "p_value": 0.00328950924368}
    assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("way", [0, 1])
def test_kendall(way):
    table = crowd(1, annotators=3, missing=0.2)
    draws, found = kendall_replicates(table, all_draws(table)[way])
    assert_replicates({"w": found}, lambda one: {"w": kendall_w(one)}, table, draws)
