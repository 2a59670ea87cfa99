"""Tables of drawn units, against which replicates that are made of weights are held."""

import numpy as np

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.resampling import Draws

PLAN = Bootstrap(12, 7)


def crowd(seed=0, annotators=6, missing=0.4):
    """90 units of a five-point scale in 30 clusters, annotators of unequal severity."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(rng.integers(1, 6, 30), 3)[:, None]
    numbers = truth + rng.normal(0, 0.5, annotators) + rng.normal(0, 0.9, (90, annotators))
    numbers = np.clip(np.round(numbers), 1, 5)
    numbers[rng.random(numbers.shape) < missing] = np.nan
    numbers[0] = np.nan  # A unit without a rating is no unit.
    return RatingTable.from_dense(numbers)


def drawn_tables(table, draws):
    """The tables that the replicates of `draws` stand for."""
    if draws.jackknife:
        kept = [np.flatnonzero(draws.group != group) for group in range(draws.groups)]
    else:
        weights = [row[draws.group] for block in draws.weights() for row in block]
        kept = [np.repeat(np.arange(w.size), w.astype(int)) for w in weights]
    return [table.take_units(table.rated_units[units]) for units in kept]


def assert_replicates(
    found,
    statistics,
    table,
    draws,
    atol=1e-12,
):
    """Each replicate is what `statistics` finds in the table that it stands for."""
    again = [statistics(one) for one in drawn_tables(table, draws)]
    for name, replicates in found.items():
        expected = np.array([one[name].value for one in again], dtype=float)
        np.testing.assert_allclose(replicates, expected, atol=atol, err_msg=name)


def all_draws(table):
    by_unit = Draws.of(table, PLAN, None)
    by_cluster = Draws.of(table, PLAN, np.arange(table.n_units) // 3)
    return [by_unit, by_cluster, by_cluster.without_groups()]
