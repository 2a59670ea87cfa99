"""How coefficients of agreement are computed, and how their replicates are made."""

import numpy as np
import pytest

from scoring.stats import agreement_statistics
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.families import OfCounts
from scoring.stats.resampling import Patterns
from tests.scoring.stats.agreement.small import FIVE, rotating


def test_weights_mean_the_same_as_drawn_units():
    """A statistic at bootstrap weights equals the statistic of the table of the drawn units."""
    table = rotating(np.random.default_rng(5), 5, 0.6)
    patterns = Patterns.of(table, FIVE)
    drawn = np.random.default_rng(6).integers(300, size=300)
    weights = np.bincount(patterns.of_unit[drawn], minlength=patterns.weight.size)
    again = agreement_statistics(table.take_units(drawn), FIVE)
    of_counts = {
        key: one.how for key, one in coefficients().items() if isinstance(one.how, OfCounts)
    }
    assert len(of_counts) == 9
    for name, how in of_counts.items():
        value = how.statistic(patterns, weights[None, :].astype(float))[0]
        assert value == pytest.approx(again[name].value, abs=1e-12), name
