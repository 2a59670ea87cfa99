"""Every fast replicate equals the coefficient of the table that the replicate stands for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_statistics
from scoring.stats import reliability_many as many
from scoring.stats.concordance import kendall_replicates, kendall_w
from scoring.stats.kappa import cohen_kappas, kappa_replicates
from scoring.stats.reliability import iccs
from scoring.stats.reliability_many import icc_replicates
from scoring.stats.resampling import Draws
from scoring.stats.table import FloatArray

PLAN = Bootstrap(12, 7)


def crowd(seed: int = 0, annotators: int = 6, missing: float = 0.4) -> RatingTable:
    """90 units of a five-point scale in 30 clusters, annotators of unequal severity."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(rng.integers(1, 6, 30), 3)[:, None]
    values = truth + rng.normal(0, 0.5, annotators) + rng.normal(0, 0.9, (90, annotators))
    values = np.clip(np.round(values), 1, 5)
    values[rng.random(values.shape) < missing] = np.nan
    values[0] = np.nan  # A unit without a rating is no unit.
    return RatingTable.from_dense(values)


def drawn_tables(table: RatingTable, draws: Draws) -> list[RatingTable]:
    """The tables that the replicates of `draws` stand for."""
    if draws.jackknife:
        kept = [np.flatnonzero(draws.group != group) for group in range(draws.groups)]
    else:
        weights = [row[draws.group] for block in draws.weights() for row in block]
        kept = [np.repeat(np.arange(w.size), w.astype(int)) for w in weights]
    return [table.take_units(table.rated_units[units]) for units in kept]


def values(found: list[Estimate]) -> FloatArray:
    return np.array([np.nan if one.value is None else one.value for one in found])


def all_draws(table: RatingTable) -> list[Draws]:
    by_unit = Draws.of(table, PLAN, None)
    by_cluster = Draws.of(table, PLAN, np.arange(table.n_units) // 3)
    return [by_unit, by_cluster, by_cluster.without_groups()]


@pytest.mark.parametrize("way", [0, 1])
def test_kappas(way: int) -> None:
    table = crowd()
    made_by, found = kappa_replicates(table, all_draws(table)[way])
    again = [cohen_kappas(one) for one in drawn_tables(table, made_by)]
    assert made_by.jackknife and len(again) == made_by.count
    for name, replicates in found.items():
        expected = values([one[name] for one in again])
        np.testing.assert_allclose(replicates, expected, atol=1e-12, err_msg=name)


def test_the_interval_of_a_mean_kappa_holds_it_where_pairs_share_little() -> None:
    """360 units, 3 of 13 annotators each: a pair shares about 14. A bootstrap draws units twice,
    its kappas are lower, and its percentiles of Scott's pi lie below the value itself."""
    rng = np.random.default_rng(4)
    who = np.array([rng.choice(13, 3, replace=False) for _ in range(360)])
    given = 3 + rng.normal(0, 1, (360, 1)) + np.linspace(-0.6, 0.6, 13)[who]
    given = np.clip(np.round(given + rng.normal(0, 0.8, (360, 3))), 1, 5)
    table = RatingTable(np.repeat(np.arange(360), 3), who.ravel(), given.ravel(), 360, 13)
    found = agreement_statistics(table, plan=Bootstrap(200, 1))
    for name in ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi"):
        one = found[name]
        assert one.value is not None and one.ci_low is not None and one.ci_high is not None
        assert (one.ci_low + one.ci_high) / 2 == pytest.approx(one.value)


@pytest.mark.parametrize("way", [0, 1])
def test_kendall(way: int) -> None:
    table = crowd(1, annotators=3, missing=0.2)
    made_by, found = kendall_replicates(table, all_draws(table)[way])
    expected = values([kendall_w(one) for one in drawn_tables(table, made_by)])
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("way", [0, 1, 2])
def test_reml(way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowd(2)
    draws = all_draws(table)[way]
    if draws.jackknife:
        monkeypatch.setattr(many, "BOOTSTRAP_COST", 0)
        draws = all_draws(table)[1]
    checked = set()
    for made_by, found in icc_replicates(table, draws):
        again = [iccs(one) for one in drawn_tables(table, made_by)]
        for name, replicates in found.items():
            expected = values([one[name] for one in again])
            np.testing.assert_allclose(replicates, expected, atol=2e-5, err_msg=name)
            checked.add(name)
    assert checked == set(iccs(table))


def test_anova() -> None:
    """Of complete ratings, with and without identities, far from 0 as grades of 100,000 are."""
    named = crowd(3, missing=0)
    named = replace(named, value=named.value + 1e5)
    for table in (named, replace(named, anonymous=True)):
        forms = "1" if table.anonymous else "123"
        ((made_by, found),) = icc_replicates(table, all_draws(table)[1], forms)
        again = [iccs(one) for one in drawn_tables(table, made_by)]
        assert set(found) == {f"icc_{form}_{k}" for form in forms for k in "1k"}
        for name, replicates in found.items():
            expected = values([one[name] for one in again])
            np.testing.assert_allclose(replicates, expected, atol=1e-8, err_msg=name)


def test_replicates_that_cannot_be_told_apart_are_undefined() -> None:
    """Annotators 1, 2 and 3, 4 meet on two units only: without these they are two groups."""
    rng = np.random.default_rng(5)
    rows = np.full((30, 4), np.nan)
    truth = rng.integers(1, 6, 30)
    for unit in range(30):
        for annotator in (0, 1) if unit % 2 else (2, 3):
            rows[unit, annotator] = np.clip(truth[unit] + rng.integers(-1, 2), 1, 5)
    rows[:2] = truth[:2, None] + np.array([0.0, 1.0, 0.0, 1.0])
    table = RatingTable.from_dense(rows)
    plan = Bootstrap(60, 1)
    draws = Draws.of(table, plan, None)
    found = dict(next(f for _, f in icc_replicates(table, draws, "23")))
    drawn = [row[draws.group] for block in draws.weights() for row in block]
    lost = np.array([(weight[:2] == 0).all() for weight in drawn])
    assert 0 < lost.sum() < 60
    np.testing.assert_array_equal(np.isnan(found["icc_2_1"]), lost)


def test_the_jackknife_says_so_and_resembles_the_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(1, 6, (600, 1))
    matrix = np.clip(truth + rng.integers(-1, 2, (600, 4)), 1, 5).astype(float)
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    table, plan = RatingTable.from_dense(matrix), Bootstrap(400, 2)
    names = ("icc_2_1", "icc_3_k")
    plain = agreement_statistics(table, plan=plan)
    monkeypatch.setattr(many, "BOOTSTRAP_COST", 0)
    grouped = agreement_statistics(table, plan=plan)
    for name in names:
        a, b = plain[name], grouped[name]
        assert "percentile" in a.options["interval"] and "jackknife, 100" in b.options["interval"]
        assert a.ci_low is not None and a.ci_high is not None
        assert b.ci_low is not None and b.ci_high is not None
        # A bootstrap of 400 knows a width to about 5 %, a jackknife of 100 groups to 7 %.
        assert b.ci_high - b.ci_low == pytest.approx(a.ci_high - a.ci_low, rel=0.3)


def test_a_replicate_of_equal_ratings_alone_is_undefined() -> None:
    """And without a warning: what is left of its variance is rounding."""
    table = RatingTable.from_dense([[0.1, 0.1]] * 6 + [[1.1, 0.1]])
    draws = Draws.of(table, Bootstrap(100, 3), None)
    ((_, found),) = icc_replicates(table, draws)
    equal = np.array([row[6] == 0 for block in draws.weights() for row in block])
    assert 0 < equal.sum() < 100
    for name, values_of in found.items():
        np.testing.assert_array_equal(np.isnan(values_of), equal, err_msg=name)
