"""REML of many replicates of one sample at once."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, agreement_statistics
from scoring.stats.agreement import families
from scoring.stats.agreement.families import icc_replicates
from scoring.stats.agreement.icc import iccs
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd


@pytest.mark.slow
@pytest.mark.parametrize("way", [0, 1, 2])
def test_reml(way, monkeypatch):
    table = crowd(2)
    draws = all_draws(table)[way]
    if draws.jackknife:
        monkeypatch.setattr(families, "BOOTSTRAP_COST", 0)
        draws = all_draws(table)[1]
    checked = set()
    for made_by, found in icc_replicates(table, draws):
        assert_replicates(found, iccs, table, made_by, atol=2e-5)
        checked |= set(found)
    assert checked == set(iccs(table))


@pytest.mark.slow
def test_the_jackknife_says_so_and_resembles_the_bootstrap(monkeypatch):
    rng = np.random.default_rng(8)
    truth = rng.integers(1, 6, (600, 1))
    matrix = np.clip(truth + rng.integers(-1, 2, (600, 4)), 1, 5).astype(float)
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    table, plan = RatingTable.from_dense(matrix), Bootstrap(400, 2)
    plain = agreement_statistics(table, plan=plan)
    monkeypatch.setattr(families, "BOOTSTRAP_COST", 0)
    grouped = agreement_statistics(table, plan=plan)
    for name in ("icc_3_1", "icc_1_1"):
        a, b = plain[name], grouped[name]
        if name == "icc_1_1":  # Always bootstrapped.
            assert "percentile" in b.options["interval"]
            continue
        assert (
            "percentile" in a.options["interval"]
            and "jackknife, 587 units in 100 groups" in b.options["interval"]
        )
        # A bootstrap of 400 knows a width to about 5 %, a jackknife of 100 groups to 7 %.
        assert b.ci_high - b.ci_low == pytest.approx(a.ci_high - a.ci_low, rel=0.3)
