"""Standard errors of the coefficients of counts by linearisation, for independent units."""

import pytest
from scipy import stats

from tests.scoring.stats.rated import CASES, computed


@pytest.mark.parametrize("case", CASES)
def test_linearised_intervals(case):
    """Python irrCAC 0.4.4 (Gwet), also with missing ratings; it shows an interval of no width
    where nothing varies, and may go below -1."""
    found = computed(case)
    for name, (error, interval) in CASES[case]["errors"].items():
        got = found[name]
        if error == 0:
            assert got.ci_low is None
            continue
        assert (got.ci_low, got.ci_high) == pytest.approx(interval, abs=2e-5), name
        assert got.generalises_to == "new units" and "independent" in got.options["interval"]


def test_alpha_intervals_with_missing_ratings():
    """R irrCAC 1.4 krippen.alpha.raw on Krippendorff's canonical data, with 11 pairable units."""
    found = computed("krippendorff_2011_C")
    for name, error in (("alpha_nominal", 0.14548), ("alpha_interval", 0.12905)):
        got = found[name]
        assert (got.value - got.ci_low) / stats.t.ppf(0.975, 10) == pytest.approx(error, abs=5e-6)
        assert got.ci_high == 1
    assert found["alpha_ordinal"].ci_low is None  # There is no formula for it.
