"""Bootstrap over clusters (or units), seeded."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import Bootstrap, counts
from scoring.stats.counts import Patterns
from scoring.stats.resampling import Draws, count_replicates
from tests.scoring.stats.agreement.small import FIVE, rotating


def test_copies_of_a_cluster_do_not_narrow_the_interval() -> None:
    """Each unit four times: drawing units believes in four times the data, clusters do not."""
    table = rotating(np.random.default_rng(2), 4, 0.5)
    copies = np.repeat(np.arange(60), 4)
    patterns = Patterns.of(table.take_units(copies), FIVE)
    plan = Bootstrap(1000, 1)
    units = Draws(np.arange(240), plan)
    clusters = Draws(copies, plan, clustered=True)
    by_unit = count_replicates(patterns, {"p": counts.percent_agreement}, units)["p"]
    by_cluster = count_replicates(patterns, {"p": counts.percent_agreement}, clusters)["p"]
    assert by_cluster.std() == pytest.approx(2 * by_unit.std(), rel=0.1)
