"""Coefficients against figures printed in the literature and by independent programs."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import RatingTable, agreement_statistics
from scoring.stats.agreement import alpha
from scoring.stats.kappa import cohen_kappa_quadratic

NA = float("nan")
FIVE = np.arange(1.0, 6.0)

# Shrout and Fleiss 1979, Psychological Bulletin 86(2), table 2.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]

# Fleiss 1971, Psychological Bulletin 76(5), table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
FLEISS = """444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444
222333 144444 224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445
222224 111155 224444 133333 555555"""

# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", case C.
KRIPPENDORFF = [
    [1, 1, NA, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NA, 5, 5, 5], [NA, NA, 1, 1], [NA, NA, 3, NA],
]  # fmt: skip
KRIPPENDORFF_A = [[0, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
KRIPPENDORFF_B = [
    [1, 2], [1, 1], [2, 2], [2, 2], [4, 2], [3, 3], [3, 3], [3, 3], [5, 5], [4, 4], [4, 4], [1, 4],
]  # fmt: skip

# The 10 x 4 example of R irrCAC 1.4 (Gwet), data set raw10x4.
GWET = [
    [5, 5, 5, 5], [3, 1, 3, 1], [5, 5, 5, 5], [3, 1, 3, 1], [5, 5, 4, 5], [1, 2, 3, 3],
    [3, 1, 1, 1], [1, 1, 1, 3], [3, 3, 4, 4], [1, 3, 1, 1],
]  # fmt: skip

TABLES = {
    # Cohen 1968, Psychological Bulletin 70(4), table 1 (proportions times 200).
    "cohen": [[88, 14, 18], [10, 40, 10], [2, 6, 12]],
    # Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72(5).
    "everitt": [[106, 10, 4], [22, 28, 10], [2, 12, 6]],
    # Landis and Koch 1977, Biometrics 33, table 1 (R vcd MSPatients, Winnipeg).
    "landis": [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]],
    # Agresti 1990 (R vcd SexualFun).
    "agresti": [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]],
}


def ratings_of(contingency: list[list[int]]) -> np.ndarray:
    """One row per unit from a contingency table of two annotators."""
    counts = np.array(contingency)
    first, second = np.indices(counts.shape) + 1
    return np.column_stack([first.ravel(), second.ravel()]).repeat(counts.ravel(), axis=0)


def values(matrix: object, levels: np.ndarray = FIVE) -> dict[str, float | None]:
    found = agreement_statistics(RatingTable.from_dense(matrix), levels)
    return {name: estimate.value for name, estimate in found.items()}


def test_shrout_and_fleiss_six_coefficients() -> None:
    # Shrout and Fleiss 1979, table 4.
    found = values(SHROUT_FLEISS, np.arange(1.0, 11))
    printed = {"1_1": 0.17, "2_1": 0.29, "3_1": 0.71, "1_k": 0.44, "2_k": 0.62, "3_k": 0.91}
    assert {k: round(found[f"icc_{k}"], 2) for k in printed} == printed
    # R psych 2.2.9 ICC(lmer=FALSE).
    assert found["icc_2_1"] == pytest.approx(0.289763779528, abs=1e-11)
    assert found["icc_3_k"] == pytest.approx(0.909315542377, abs=1e-11)
    # R irr 0.84.1 kendall(correct=TRUE), kappam.fleiss.
    assert found["kendall_w"] == pytest.approx(0.887037037037, abs=1e-11)
    assert found["fleiss_kappa"] == pytest.approx(-0.111111111111, abs=1e-11)
    assert found["within_one"] == pytest.approx(0.25)


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


def test_incomplete_icc_equals_lme4() -> None:
    # R lme4 1.1.31, y ~ 1 + (1|item) + (1|rater) and y ~ 1 + (1|item), REML, all 41 ratings.
    found = values(KRIPPENDORFF)
    expected = {
        "icc_1_1": 0.859223060256,
        "icc_2_1": 0.858111066626,
        "icc_3_1": 0.867950060006,
        "icc_2_k": 0.945704009091,
        "icc_3_k": 0.949824210112,
    }
    assert {k: found[k] for k in expected} == pytest.approx(expected, abs=1e-5)


def test_krippendorff_cases_a_and_b() -> None:
    assert values(KRIPPENDORFF_A, FIVE - 1)["alpha_nominal"] == pytest.approx(0.095, abs=5e-4)
    found = values(KRIPPENDORFF_B)
    assert found["alpha_nominal"] == pytest.approx(0.691964285714, abs=1e-11)
    assert found["alpha_ordinal"] == pytest.approx(0.598061660562, abs=1e-11)
    # By ANOVA .611; a program that clamps the negative variance of raters says .631 (pitfall 7).
    assert found["icc_3_1"] == pytest.approx(0.611374407583, abs=1e-11)


@pytest.mark.parametrize(
    ("name", "nominal", "linear", "quadratic"),
    [  # nominal as printed; linear and quadratic by scikit-learn 1.9.1 with all labels
        ("cohen", 0.492, 0.473684210526, 0.454545454545),
        ("everitt", 0.429, 0.492307692308, 0.566666666667),
        ("landis", 0.208, 0.379730547987, 0.524576464332),
        ("agresti", 0.129, 0.237380627558, 0.332045586247),
    ],
)
def test_weighted_kappa(name: str, nominal: float, linear: float, quadratic: float) -> None:
    found = values(ratings_of(TABLES[name]))
    assert found["cohen_kappa"] == pytest.approx(nominal, abs=5e-4)
    assert found["cohen_kappa_linear"] == pytest.approx(linear, abs=1e-11)
    assert found["cohen_kappa_quadratic"] == pytest.approx(quadratic, abs=1e-11)


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


def test_weights_use_scale_values_not_positions() -> None:
    # Pitfall 1: annotators 1 and 2 never use 4; by position among the labels seen this is .459.
    pair = RatingTable.from_dense([row[:2] for row in GWET])
    assert cohen_kappa_quadratic(pair).value == pytest.approx(0.679, abs=5e-4)
    # The same for Shrout and Fleiss' annotators 1 and 4: labels sorted as text would give -.048.
    ten = RatingTable.from_dense([[row[0], row[3]] for row in SHROUT_FLEISS])
    assert cohen_kappa_quadratic(ten).value == pytest.approx(0.605263157895, abs=1e-11)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_by_sums_equals_the_package(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = RatingTable.from_dense(KRIPPENDORFF)
    by_package = alpha(table, level).value  # type: ignore[arg-type]
    monkeypatch.setattr("scoring.stats.agreement.PACKAGE_CELLS", 0)
    assert alpha(table, level).value == pytest.approx(by_package, abs=1e-12)  # type: ignore[arg-type]
