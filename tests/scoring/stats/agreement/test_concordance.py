"""Kendall's coefficient of concordance over the units that every annotator rated."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.agreement.concordance import kendall_replicates, kendall_w
from tests.scoring.stats.agreement.cases import CASES, computed
from tests.scoring.stats.agreement.drawn import all_draws, crowd, drawn_tables, numbers


def test_friedman_test_of_kendalls_w() -> None:
    """R irr 0.84.1 kendall(correct=TRUE) on Shrout and Fleiss' data."""
    (case,) = (case for case in CASES if case["id"] == "shrout_fleiss_1979")
    details = computed(case)["kendall_w"].details
    assert details["chi2"] == pytest.approx(17.7407407407, abs=1e-9)
    assert details["df"] == 5
    assert details["p_value"] == pytest.approx(0.00328950924368, abs=1e-12)


@pytest.mark.parametrize("way", [0, 1])
def test_kendall(way: int) -> None:
    table = crowd(1, annotators=3, missing=0.2)
    made_by, found = kendall_replicates(table, all_draws(table)[way])
    expected = numbers([kendall_w(one) for one in drawn_tables(table, made_by)])
    np.testing.assert_allclose(found, expected, atol=1e-12)
