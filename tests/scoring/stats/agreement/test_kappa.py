"""Cohen's kappa for every pair of annotators, each on the units both of them rated."""

import pytest

from paraanno.common.texts import NOTHING
from scoring.stats import Estimate, RatingTable
from scoring.stats.agreement.kappa import (
    cohen_kappa_quadratic,
    cohen_kappas,
    kappa_replicates,
    no_interval,
)
from tests.scoring.stats.agreement.cases import WEIGHTS, computed, rated
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd
from tests.scoring.stats.agreement.small import NA, statistics


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
