"""Agreement coefficients of one scale: each takes a RatingTable and answers with an Estimate."""

import numpy as np
import pytest

from scoring.stats.agreement.coefficients import alpha
from tests.scoring.stats.agreement.cases import CASES, computed, rated
from tests.scoring.stats.agreement.small import NA, statistics, undefined_names

PAIRS = [name for name, case in CASES.items() if len(case["ratings"][0]) == 2]


@pytest.mark.parametrize("case", PAIRS)
def test_scotts_pi_of_two_annotators_is_fleiss_kappa(case):
    """Fleiss 1971, for any one table."""
    found = computed(case)
    assert found["scott_pi"].value in (None, pytest.approx(found["fleiss_kappa"].value, abs=1e-12))


def test_fleiss_kappa_of_incomplete_ratings_is_gwets():
    found = computed("krippendorff_2011_C")
    assert "Gwet" in found["fleiss_kappa"].method
    assert "classical" in computed("fleiss_1971_diagnoses")["fleiss_kappa"].method
    assert (found["kendall_w"].n, found["alpha_ordinal"].n) == (8, 11)  # Complete, pairable units.


def test_one_pairable_unit_has_no_alpha():
    # Pitfall 11: alpha would be 0 whatever the ratings.
    found = statistics([[2, 3, 3, 4], [NA, NA, NA, 1]])
    assert {"alpha_nominal", "alpha_ordinal", "alpha_interval"} <= undefined_names(found)
    assert found["percent_agreement"].value == pytest.approx(1 / 6)


def test_unused_levels_count_for_gwet():
    # Pitfall 2, with two units that use 1, 2, 4 and 5 (R irrCAC 1.4: .122 seen, .186 full scale).
    matrix = [[1, 2, 1], [4, 5, 5]]
    scale, seen = statistics(matrix), statistics(matrix, np.array([1.0, 2.0, 4.0, 5.0]))
    assert scale["gwet_ac1"].value == pytest.approx(0.186440677966, abs=1e-9)
    assert seen["gwet_ac1"].value == pytest.approx(0.121951219512, abs=1e-9)
    assert scale["gwet_ac2"].value == pytest.approx(0.870967741935, abs=1e-9)
    assert scale["alpha_ordinal"] == statistics(matrix, None)["alpha_ordinal"]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_by_sums_equals_the_package(level, monkeypatch):
    table = rated("krippendorff_2011_C")
    by_package = alpha(table, level).value
    monkeypatch.setattr("scoring.stats.agreement.coefficients.PACKAGE_CELLS", 0)
    assert alpha(table, level).value == pytest.approx(by_package, abs=1e-12)
