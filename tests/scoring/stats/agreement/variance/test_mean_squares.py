"""Mean squares of complete ratings: intraclass correlations, their F tests and exact intervals."""

import pytest

from tests.scoring.stats.agreement.cases import CASES, computed

# R irr takes the degrees of freedom of (2,k) from another formula than psych; they part where a
# variance is negative or the units are two.
OTHER_INTERVAL = {("degenerate_two_items", "2"), ("degenerate_kappa_paradox", "2")}


@pytest.mark.parametrize("case", CASES)
def test_f_tests_and_exact_intervals(case):
    """R psych 2.2.9 ICC(lmer=FALSE)."""
    found = computed(case)
    for name, (_, _, *rest) in CASES[case]["expected"].items():
        if not rest or (case, name[4]) in OTHER_INTERVAL or found[name].value is None:
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
