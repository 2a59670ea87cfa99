"""Replicates of the intraclass correlations: closed formulas on complete data, else REML."""

from dataclasses import replace

import numpy as np

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.agreement.families import icc_replicates
from scoring.stats.agreement.icc import iccs
from scoring.stats.resampling import Draws
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd


def test_anova():
    """Of complete ratings, with and without identities, far from 0 as grades of 100,000 are."""
    named = crowd(3, missing=0)
    named = replace(named, value=named.value + 1e5)
    for table in (named, replace(named, anonymous=True)):
        forms = "1" if table.anonymous else "123"
        ((draws, found),) = icc_replicates(table, all_draws(table)[1], forms)
        assert set(found) == {f"icc_{form}_{k}" for form in forms for k in "1k"}
        assert_replicates(found, iccs, table, draws, atol=1e-8)


def test_replicates_that_cannot_be_told_apart_are_undefined():
    """Annotators 1, 2 and 3, 4 meet on two units only: without these they are two groups."""
    rng = np.random.default_rng(5)
    rows = np.full((30, 4), np.nan)
    truth = rng.integers(1, 6, 30)
    for unit in range(30):
        for annotator in (0, 1) if unit % 2 else (2, 3):
            rows[unit, annotator] = np.clip(truth[unit] + rng.integers(-1, 2), 1, 5)
    rows[:2] = truth[:2, None] + np.array([0.0, 1.0, 0.0, 1.0])
    table = RatingTable.from_dense(rows)
    draws = Draws.of(table, Bootstrap(60, 1), None)
    found = next(f for _, f in icc_replicates(table, draws, "23"))
    drawn = np.concatenate(list(draws.weights()))[:, draws.group]
    lost = (drawn[:, :2] == 0).all(axis=1)
    assert 0 < lost.sum() < 60
    np.testing.assert_array_equal(np.isnan(found["icc_2_1"]), lost)


def test_a_replicate_of_equal_ratings_alone_is_undefined():
    """And without a warning: what is left of its variance is rounding."""
    table = RatingTable.from_dense([[0.1, 0.1]] * 6 + [[1.1, 0.1]])
    draws = Draws.of(table, Bootstrap(100, 3), None)
    ((_, found),) = icc_replicates(table, draws)
    equal = np.concatenate(list(draws.weights()))[:, 6] == 0
    assert 0 < equal.sum() < 100
    for name, values_of in found.items():
        np.testing.assert_array_equal(np.isnan(values_of), equal, err_msg=name)
