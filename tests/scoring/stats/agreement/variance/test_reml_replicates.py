"""REML of many replicates of one sample at once."""

import pytest

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
