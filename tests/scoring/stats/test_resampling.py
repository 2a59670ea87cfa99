"""Bootstrap over clusters (or units), seeded."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, Estimate, RatingTable, resampling
from scoring.stats.intervals import NO_WIDTH
from scoring.stats.resampling import Draws, Patterns, count_replicates
from tests.scoring.stats.agreement.small import FIVE, NA, rotating


def test_copies_of_a_cluster_do_not_narrow_the_interval():
    """Each unit four times: drawing units believes in four times the data, clusters do not."""
    copies = np.repeat(np.arange(60), 4)
    table = rotating(np.random.default_rng(2), 4, 0.5).take_units(copies)
    patterns, plan = Patterns.of(table, FIVE), Bootstrap(1000, 1)
    by_unit, by_cluster = (
        count_replicates(
            patterns, {"p": resampling.percent_agreement}, Draws.of(table, plan, clusters)
        )["p"]
        for clusters in (None, copies)
    )
    assert by_cluster.std() == pytest.approx(2 * by_unit.std(), rel=0.1)


@pytest.mark.parametrize("jackknife", [False, True])
def test_replicates_that_are_all_alike_are_no_interval(jackknife):
    draws = Draws(np.arange(8), Bootstrap(8, 1), jackknife=jackknife)
    one = draws.attach(Estimate(1.0, n=8), np.ones(8))
    assert one.ci_low is None and one.options["no_interval"] == NO_WIDTH
    other = draws.attach(Estimate(1.0, n=8), np.array([1, 1, 1, 1, 1, 1, 0.9, 0.8]))
    assert other.ci_low is not None and other.ci_low < 1


def test_rated_units_are_drawn_by_their_clusters_or_alone():
    table = RatingTable.from_dense([[1, 2], [NA, NA], [3, 3], [4, 5]])
    together = Draws.of(table, Bootstrap(9), np.array([9, 1, 3, 9]))
    assert (together.group.tolist(), together.groups, together.clustered) == ([1, 0, 1], 2, True)
    alone = Draws.of(table, Bootstrap(9), None)
    assert (alone.group.tolist(), alone.clustered) == ([0, 1, 2], False)
