"""Agreement coefficients of one scale: each takes a RatingTable and answers with an Estimate."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import RatingTable, agreement_statistics
from scoring.stats.agreement.coefficients import alpha
from tests.scoring.stats.agreement.cases import CASES, computed
from tests.scoring.stats.agreement.published import FIVE, GWET, KRIPPENDORFF, values
from tests.scoring.stats.agreement.small import NA, statistics, undefined_names


def test_scotts_pi_of_two_annotators() -> None:
    """For two annotators it is Fleiss' kappa (Fleiss 1971), for any one table."""
    for case in CASES:
        found = computed(case)
        if len(case["ratings"][0]) == 2 and found["scott_pi"].value is not None:
            assert found["scott_pi"].value == pytest.approx(found["fleiss_kappa"].value, abs=1e-12)


def test_one_pairable_unit_has_no_alpha() -> None:
    # Pitfall 11: alpha would be 0 whatever the ratings.
    found = statistics([[2, 3, 3, 4], [NA, NA, NA, 1]])
    assert {"alpha_nominal", "alpha_ordinal", "alpha_interval"} <= undefined_names(found)
    assert found["percent_agreement"].value == pytest.approx(1 / 6)


def test_unused_levels_count_for_gwet() -> None:
    # Pitfall 2, with two units that use 1, 2, 4 and 5 (R irrCAC 1.4: .122 seen, .186 full scale).
    matrix = [[1, 2, 1], [4, 5, 5]]
    assert statistics(matrix)["gwet_ac1"].value == pytest.approx(0.186440677966, abs=1e-9)
    seen = statistics(matrix, np.array([1.0, 2.0, 4.0, 5.0]))
    assert seen["gwet_ac1"].value == pytest.approx(0.121951219512, abs=1e-9)
    assert statistics(matrix)["gwet_ac2"].value == pytest.approx(0.870967741935, abs=1e-9)
    assert statistics(matrix)["alpha_ordinal"] == statistics(matrix, None)["alpha_ordinal"]


def test_scale_with_one_level_has_no_gwet() -> None:
    found = statistics([[3, 3], [3, 3]], np.array([3.0]))
    assert "single level" in found["gwet_ac1"].reason


# Fleiss 1971, Psychological Bulletin 76(5), table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
FLEISS = """444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444
222333 144444 224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445
222224 111155 224444 133333 555555"""

KRIPPENDORFF_A = [[0, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]

KRIPPENDORFF_B = [
    [1, 2], [1, 1], [2, 2], [2, 2], [4, 2], [3, 3], [3, 3], [3, 3], [5, 5], [4, 4], [4, 4], [1, 4],
]  # fmt: skip


def test_fleiss_1971_diagnoses() -> None:
    matrix = [[int(digit) for digit in row] for row in FLEISS.split()]
    found = agreement_statistics(RatingTable.from_dense(matrix), FIVE)
    assert found["percent_agreement"].value == pytest.approx(0.5556, abs=5e-5)
    assert found["fleiss_kappa"].value == pytest.approx(0.430, abs=5e-4)
    assert "classical" in found["fleiss_kappa"].method
    # R irr 0.84.1 kappam.light and R irrCAC 1.4 on the rows as distributed in irr::diagnoses.
    assert found["cohen_kappa"].value == pytest.approx(0.459412144435, abs=1e-11)
    assert found["gwet_ac1"].value == pytest.approx(0.447884515845, abs=1e-11)
    assert found["kendall_w"].value == pytest.approx(0.558806464981, abs=1e-11)


def test_krippendorff_canonical_data() -> None:
    table = RatingTable.from_dense(KRIPPENDORFF)
    found = agreement_statistics(table, FIVE)
    printed = {"alpha_nominal": 0.743, "alpha_ordinal": 0.815, "alpha_interval": 0.849}
    assert {name: round(found[name].value or 0, 3) for name in printed} == printed
    # README of R irrCAC: gwet.ac1.raw, fleiss.kappa.raw with missing ratings.
    assert found["gwet_ac1"].value == pytest.approx(0.77544, abs=5e-6)
    assert found["fleiss_kappa"].value == pytest.approx(0.76117, abs=5e-6)
    assert "Gwet" in found["fleiss_kappa"].method
    assert found["percent_agreement"].value == pytest.approx(0.8181818, abs=5e-8)
    assert found["within_one"].value == pytest.approx(0.945454545455, abs=1e-11)
    # R irrCAC 1.4 gwet.ac2.raw(weights = "quadratic"); mean of scikit-learn 1.9.1 pairwise kappas.
    assert found["gwet_ac2"].value == pytest.approx(0.914000723552, abs=1e-9)
    assert found["cohen_kappa"].value == pytest.approx(0.700162637107, abs=1e-11)
    assert found["cohen_kappa_linear"].value == pytest.approx(0.742249388487, abs=1e-11)
    assert found["cohen_kappa_quadratic"].value == pytest.approx(0.775123661959, abs=1e-11)
    # R irr 0.84.1 kendall on the 8 complete units.
    assert found["kendall_w"].value == pytest.approx(0.794314381271, abs=1e-11)
    assert found["kendall_w"].n == 8
    assert found["alpha_ordinal"].n == 11


def test_krippendorff_cases_a_and_b() -> None:
    assert values(KRIPPENDORFF_A, FIVE - 1)["alpha_nominal"] == pytest.approx(0.095, abs=5e-4)
    found = values(KRIPPENDORFF_B)
    assert found["alpha_nominal"] == pytest.approx(0.691964285714, abs=1e-11)
    assert found["alpha_ordinal"] == pytest.approx(0.598061660562, abs=1e-11)
    # By ANOVA .611; a program that clamps the negative variance of raters says .631 (pitfall 7).
    assert found["icc_3_1"] == pytest.approx(0.611374407583, abs=1e-11)


def test_gwet_ten_by_four() -> None:
    # R irrCAC 1.4, R irr 0.84.1, krippendorff 0.9.0, R psych 2.2.9.
    expected = {
        "percent_agreement": 0.516666666667,
        "fleiss_kappa": 0.328703703704,
        "gwet_ac1": 0.410569105691,
        "gwet_ac2": 0.724358974359,
        "alpha_ordinal": 0.738028890483,
        "kendall_w": 0.808139534884,
        "icc_1_k": 0.92143727162,
        "icc_3_1": 0.729449838188,
    }
    found = values(GWET)
    assert {k: found[k] for k in expected} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_by_sums_equals_the_package(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = RatingTable.from_dense(KRIPPENDORFF)
    by_package = alpha(table, level).value  # type: ignore[arg-type]
    monkeypatch.setattr("scoring.stats.agreement.coefficients.PACKAGE_CELLS", 0)
    assert alpha(table, level).value == pytest.approx(by_package, abs=1e-12)  # type: ignore[arg-type]
