"""Bootstrap over clusters (or units), seeded."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, Estimate, RatingTable, resampling
from scoring.stats.resampling import NO_WIDTH, Draws, Patterns, count_replicates, few_originals
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


@pytest.mark.parametrize(("groups", "warned"), [(None, 0), (0, 0), (5, 1), (14, 1), (15, 0)])
def test_few_originals_are_warned_of(groups, warned):
    found = few_originals(groups)
    assert bool(found) == bool(warned)
    assert not warned or f"Only {groups} originals" in str(found)


@pytest.mark.parametrize("groups", [1, 4])
def test_too_few_originals_have_no_interval_to_warn_of(groups):
    told = str(few_originals(groups))
    assert f"items): {groups}. Intervals that draw originals need 5" in told
    assert "In simulations" not in told


def test_rated_units_are_drawn_by_their_clusters_or_alone():
    table = RatingTable.from_dense([[1, 2], [NA, NA], [3, 3], [4, 5]])
    together = Draws.of(table, Bootstrap(), np.array([9, 1, 3, 9]))
    assert (together.group.tolist(), together.groups, together.clustered) == ([1, 0, 1], 2, True)
    alone = Draws.of(table, Bootstrap(), None)
    assert (alone.group.tolist(), alone.clustered) == ([0, 1, 2], False)
