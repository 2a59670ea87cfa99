"""Cohen's kappa for every pair of annotators, each on the units both of them rated."""

from __future__ import annotations

import numpy as np
import pytest

from paraanno.plain.sentence import NOTHING
from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_statistics
from scoring.stats.agreement.kappa import (
    cohen_kappa_quadratic,
    cohen_kappas,
    kappa_replicates,
    no_interval,
)
from tests.scoring.stats.agreement.cases import CASES, WEIGHTS, computed
from tests.scoring.stats.agreement.drawn import all_draws, crowd, drawn_tables, numbers
from tests.scoring.stats.agreement.published import GWET, SHROUT_FLEISS, values
from tests.scoring.stats.agreement.small import NA, statistics


@pytest.mark.parametrize(
    ("case_id", "errors"),
    [  # R vcd 1.4.11 Kappa: unweighted, Fleiss-Cohen, Equal-Spacing; statsmodels 0.15.0 alike
        ("landis_koch_1977_winnipeg", (0.0504553652409, 0.0600550988318, 0.0516668262183)),
        ("fleiss_cohen_everitt_1969", (0.0537110048692, 0.0556663401582, 0.0507186076077)),
    ],
)
def test_large_sample_errors_of_kappa(case_id: str, errors: tuple[float, ...]) -> None:
    (case,) = (case for case in CASES if case["id"] == case_id)
    found = computed(case)
    for weight, error in zip(("none", "quadratic", "linear"), errors, strict=True):
        (pair,) = found[WEIGHTS[weight]].details["pairs"]
        assert (pair["ci_high"] - pair["value"]) / 1.959964 == pytest.approx(error, abs=1e-9)


def test_undefined_pairs_are_left_out_and_counted() -> None:
    found = statistics([[3, 3, 1], [3, 3, 3], [3, 3, 2]])["cohen_kappa"]
    assert found.details["undefined_pairs"] == 1
    pairs = {(p["a"], p["b"]): p for p in found.details["pairs"]}
    assert pairs["0", "1"]["value"] is None and "same single value" in pairs["0", "1"]["reason"]
    assert found.value == pytest.approx((pairs["0", "2"]["value"] + pairs["1", "2"]["value"]) / 2)


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


def test_weights_use_scale_values_not_positions() -> None:
    # Pitfall 1: annotators 1 and 2 never use 4; by position among the labels seen this is .459.
    pair = RatingTable.from_dense([row[:2] for row in GWET])
    assert cohen_kappa_quadratic(pair).value == pytest.approx(0.679, abs=5e-4)
    # The same for Shrout and Fleiss' annotators 1 and 4: labels sorted as text would give -.048.
    ten = RatingTable.from_dense([[row[0], row[3]] for row in SHROUT_FLEISS])
    assert cohen_kappa_quadratic(ten).value == pytest.approx(0.605263157895, abs=1e-11)


@pytest.mark.parametrize("way", [0, 1])
def test_kappas(way: int) -> None:
    table = crowd()
    made_by, found = kappa_replicates(table, all_draws(table)[way])
    again = [cohen_kappas(one) for one in drawn_tables(table, made_by)]
    assert made_by.jackknife and len(again) == made_by.count
    for name, replicates in found.items():
        expected = numbers([one[name] for one in again])
        np.testing.assert_allclose(replicates, expected, atol=1e-12, err_msg=name)


def test_the_interval_of_a_mean_kappa_holds_it_where_pairs_share_little() -> None:
    """360 units, 3 of 8 annotators each: a pair shares about 39. A bootstrap draws units twice,
    its kappas are lower, and its percentiles lie off the value itself."""
    rng = np.random.default_rng(4)
    who = np.array([rng.choice(8, 3, replace=False) for _ in range(360)])
    given = 3 + rng.normal(0, 1, (360, 1)) + np.linspace(-0.6, 0.6, 8)[who]
    given = np.clip(np.round(given + rng.normal(0, 0.8, (360, 3))), 1, 5)
    table = RatingTable(np.repeat(np.arange(360), 3), who.ravel(), given.ravel(), 360, 8)
    found = agreement_statistics(table, plan=Bootstrap(200, 1))
    for name in ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_pooled_quadratic"):
        one = found[name]
        assert one.value is not None and one.ci_low is not None and one.ci_high is not None
        assert (one.ci_low + one.ci_high) / 2 == pytest.approx(one.value)


@pytest.mark.parametrize(("shared", "has_interval"), [(20, True), (19, False)])
def test_no_interval_where_the_bias_exceeds_half_an_error(shared: int, has_interval: bool) -> None:
    """Of 100 texts the error is about 1/10; the bias is about 1/20 if pairs share 20 of them."""
    found = Estimate(0.5, n=100, details={"pairs": [{"n": shared}] * 3})
    assert (no_interval(found) == NOTHING) is has_interval


def test_an_undefined_pair_does_not_lower_the_mean() -> None:
    rows = [[3, 3, NA], [3, 3, NA], [1, NA, 1], [2, NA, 2], [NA, 4, 4], [NA, 5, 5]]
    found = statistics(rows)["cohen_kappa"]
    assert (found.value, found.details["undefined_pairs"]) == (1, 1)
