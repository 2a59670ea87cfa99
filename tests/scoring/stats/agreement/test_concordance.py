"""Kendall's coefficient of concordance over the units that every annotator rated."""

import pytest

from scoring.stats.agreement.coefficients import kendall_replicates, kendall_w
from tests.scoring.stats.agreement.cases import computed
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd


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
