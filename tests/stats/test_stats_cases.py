"""Twenty-four tables of ratings, published or degenerate or simulated, against other programs.

`agreement_cases.json` holds the ratings and, for every coefficient, the figure and the program (or
book) that it was read from: R irr 0.84.1, psych 2.2.9, irrCAC 1.4, lme4 1.1.31 and vcd; Python
krippendorff 0.9.0, irrCAC 0.4.4, scikit-learn 1.9.1, statsmodels 0.15.0 and nltk 3.10.4. null
means that the coefficient is undefined there, and that a reason must be given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap, RatingTable, agreement_statistics
from scoring.stats.estimate import Estimate

CASES = json.loads((Path(__file__).parent / "agreement_cases.json").read_text(encoding="utf-8"))
WEIGHTS = {
    "none": "cohen_kappa",
    "linear": "cohen_kappa_linear",
    "quadratic": "cohen_kappa_quadratic",
}
# Programs answer here, we do not: alpha of one unit is 0 whatever the ratings, and the mean of two
# upside-down annotators would have an ICC(2,k) of 10.
REFUSED = {
    ("degenerate_one_item", "alpha_nominal"),
    ("degenerate_one_item", "alpha_ordinal"),
    ("degenerate_one_item", "alpha_interval"),
    ("degenerate_reversed", "icc_2_k"),
}
# R irr takes the degrees of freedom of (2,k) from another formula than psych; they part where a
# variance is negative or the units are two.
OTHER_INTERVAL = {("degenerate_two_items", "2"), ("degenerate_kappa_paradox", "2")}


def computed(case: dict[str, Any]) -> dict[str, Estimate]:
    dense = np.array(
        [[np.nan if cell is None else cell for cell in row] for row in case["ratings"]], dtype=float
    )
    levels = np.array(case["levels"], dtype=float) if case["levels"] else None
    return agreement_statistics(RatingTable.from_dense(dense), levels)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_coefficient(case: dict[str, Any]) -> None:
    found = computed(case)
    for name, (value, program, *_) in case["expected"].items():
        tolerance = 1e-5 if "lme4" in program or "R irrCAC" in program else 1e-9
        if value is None or (case["id"], name) in REFUSED:
            assert found[name].value is None and found[name].reason, name
        else:
            assert found[name].value == pytest.approx(value, abs=tolerance), (name, program)
    pairs = {
        name: {f"{int(p['a']) + 1},{int(p['b']) + 1}": p["value"] for p in e.details["pairs"]}
        for name, e in found.items()
        if name in WEIGHTS.values()
    }
    for pair, kappas in case["pairs"].items():
        for weight, value in kappas.items():
            assert pairs[WEIGHTS[weight]].get(pair) == pytest.approx(value, abs=1e-9), pair


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_f_tests_and_exact_intervals(case: dict[str, Any]) -> None:
    """R psych 2.2.9 ICC(lmer=FALSE)."""
    found = computed(case)
    for name, (_, _, *rest) in case["expected"].items():
        if not rest or (case["id"], name[4]) in OTHER_INTERVAL or found[name].value is None:
            continue
        (test,) = rest
        if None in test["ci"] or test["F"] <= 0:
            continue
        got = found[name]
        for key in ("F", "df1", "df2"):
            assert got.details[key] == pytest.approx(test[key], rel=1e-8), name
        assert got.details["p_value"] == pytest.approx(test["p_value"], abs=1e-9), name
        assert (got.ci_low, got.ci_high) == pytest.approx(test["ci"], abs=1e-8), name
        annotators = "these" if name.startswith("icc_3") else "new"
        assert got.generalises_to == f"new units, {annotators} annotators"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_linearised_intervals(case: dict[str, Any]) -> None:
    """Python irrCAC 0.4.4 (Gwet), also with missing ratings; it shows an interval of no width
    where nothing varies, and may go below -1."""
    found = computed(case)
    for name, (error, interval) in case["errors"].items():
        got = found[name]
        if error == 0:
            assert got.ci_low is None
            continue
        assert got.value is not None and got.ci_low is not None
        assert got.value - got.ci_low == pytest.approx(got.value - interval[0], abs=2e-5), name
        assert got.ci_high == pytest.approx(interval[1], abs=2e-5), name
        assert got.generalises_to == "new units" and "independent" in got.options["interval"]


def test_alpha_intervals_with_missing_ratings() -> None:
    """R irrCAC 1.4 krippen.alpha.raw on Krippendorff's canonical data, with 11 pairable units."""
    (case,) = (case for case in CASES if case["id"] == "krippendorff_2011_C")
    found = computed(case)
    for name, error in (("alpha_nominal", 0.14548), ("alpha_interval", 0.12905)):
        got = found[name]
        assert got.value is not None and got.ci_low is not None
        assert (got.value - got.ci_low) / stats.t.ppf(0.975, 10) == pytest.approx(error, abs=5e-6)
        assert got.ci_high == 1
    assert found["alpha_ordinal"].ci_low is None  # There is no formula for it.


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


def test_scotts_pi_of_two_annotators() -> None:
    """For two annotators it is Fleiss' kappa (Fleiss 1971), for any one table."""
    for case in CASES:
        found = computed(case)
        if len(case["ratings"][0]) == 2 and found["scott_pi"].value is not None:
            assert found["scott_pi"].value == pytest.approx(found["fleiss_kappa"].value, abs=1e-12)


def test_friedman_test_of_kendalls_w() -> None:
    """R irr 0.84.1 kendall(correct=TRUE) on Shrout and Fleiss' data."""
    (case,) = (case for case in CASES if case["id"] == "shrout_fleiss_1979")
    details = computed(case)["kendall_w"].details
    assert details["chi2"] == pytest.approx(17.7407407407, abs=1e-9)
    assert details["df"] == 5
    assert details["p_value"] == pytest.approx(0.00328950924368, abs=1e-12)


def test_a_bootstrap_of_alpha_resembles_an_independent_one() -> None:
    """20,000 replicates by an independent program; both have Monte Carlo error."""
    (case,) = (case for case in CASES if case["id"] == "sim_complete_200x3")
    table = RatingTable.from_dense(np.array(case["ratings"], dtype=float))
    found = agreement_statistics(table, np.arange(1.0, 6), plan=Bootstrap(8_000, 3))
    expected = {
        "alpha_nominal": (0.0995123993542, 0.218496535802),
        "alpha_ordinal": (0.439240954282, 0.598810966076),
        "alpha_interval": (0.451468156848, 0.613889690348),
    }
    for name, ends in expected.items():
        assert (found[name].ci_low, found[name].ci_high) == pytest.approx(ends, abs=0.004)
    # The formula for independent units stands beside it, and agrees with it.
    (second,) = found["alpha_interval"].details["also"]
    assert second["ci_low"] == pytest.approx(found["alpha_interval"].ci_low, abs=0.02)
    # New annotators go first where there is a formula for them; the bootstrap stands beside it.
    assert found["icc_2_1"].generalises_to == "new units, new annotators"
    assert found["icc_2_1"].details["also"][0]["generalises_to"] == "new units"
