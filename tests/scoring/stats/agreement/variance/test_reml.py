"""REML with few annotators of different severity on many units, as in a campaign.

The likelihood is then flat towards large annotator variances, and rounding error there must not be
mistaken for a maximum.
"""

from dataclasses import astuple, replace

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.agreement import families
from scoring.stats.agreement.families import icc_replicates
from scoring.stats.agreement.icc import iccs
from scoring.stats.agreement.reml import one_way, two_way
from scoring.stats.resampling import Draws
from tests.scoring.stats.agreement.drawn import all_draws, assert_replicates, crowd
from tests.scoring.stats.rated import CASES, computed, rated


def simulated(seed, missing):
    rng = np.random.default_rng(seed)
    truth = rng.choice([1, 2, 3, 4, 5], 500)[:, None]
    values = truth - np.array([0.0, 0.6, -0.3]) + rng.normal(0, [0.35, 0.5, 1.0], (500, 3))
    values = np.clip(np.round(values), 1, 5)
    values[rng.random(values.shape) < missing] = np.nan
    return RatingTable.from_dense(values)


@pytest.mark.parametrize("seed", range(8))
def test_components_do_not_diverge(seed):
    """The true variances are about 2, 0.21 and 0.45; ICC(A,1) and ICC(C,1) are close."""
    table = simulated(seed, 0.1)
    found = two_way(table)
    assert 0.02 < found.annotator < 2  # the sample variance of three severities
    assert 1 < found.unit < 3
    values = iccs(table)
    assert values["icc_2_1"].value == pytest.approx(values["icc_3_1"].value, abs=0.15)


# 40 units, 3 of 6 annotators.
CELLS = (
    ".4..55.2.34..21.3..11..1.333...12..13..23.3.3.5.3.4..32..2.1.3..4112..4..3.4.43...531..1.2."
    ".121..33..3.45.5..33..2.1.2.3..45.4.22.4.33.5...33..3..2.433..35.2..34.11.3...223....233..."
    "334..22..132..3.21.3...2.45.3.3.4...33.3..554.2..12.4.4.5."
)
SPARSE = RatingTable.from_dense(
    np.array([float(cell) if cell != "." else np.nan for cell in CELLS]).reshape(40, 6)
)

WITHOUT_RESIDUAL = RatingTable.from_dense(
    [[1, 2, np.nan], [np.nan, 3, 4], [2, np.nan, 4], [4, 5, 6]]
)


@pytest.mark.parametrize(
    ("model", "table", "expected"),
    [
        # statsmodels 0.15.0 MixedLM, REML, crossed components of unit and annotator; and one-way.
        (two_way, SPARSE, (0.7567436628, 0.2882260478, 0.3956246611)),
        (one_way, SPARSE, (0.7435184803, 0, 0.6916666784)),
        # R lme4 1.1.31
        (two_way, rated("shrout_fleiss_1979"), (2.55555555, 5.24444444, 1.01944444)),
        # Without a residual they are the variances of 1, 2, 2, 4 and of 0, 1, 2.
        (two_way, WITHOUT_RESIDUAL, (19 / 12, 1, 0)),
    ],
)
def test_components_equal_those_of_other_programs(model, table, expected):
    assert astuple(model(table)) == pytest.approx(expected, abs=1e-5)


# Mean squares of complete ratings: intraclass correlations, their F tests and exact intervals.


# R irr takes the degrees of freedom of (2,k) from another formula than psych; they part where a
# variance is negative or the units are two.
OTHER_INTERVAL = {("degenerate_two_items", "2"), ("degenerate_kappa_paradox", "2")}


@pytest.mark.parametrize("case", CASES)
def test_f_tests_and_exact_intervals(case):
    """R psych 2.2.9 ICC(lmer=FALSE)."""
    found = computed(case)
    for name, (_, _, *rest) in CASES[case]["expected"].items():
        if not rest or (case, name[4]) in OTHER_INTERVAL or found[name].value is None:
            continue
        (test,) = rest
        if None in test["ci"] or test["F"] <= 0:
            continue
        got = found[name]
        for key in ("F", "df1", "df2"):
            assert got.details[key] == pytest.approx(test[key], rel=1e-8), name
        assert got.details["p_value"] == pytest.approx(test["p_value"], abs=1e-9), name
        assert (got.ci_low, got.ci_high) == pytest.approx(test["ci"], abs=1e-8), name
        annotators = "these" if name.startswith("icc_3") else "new"
        assert got.generalises_to == f"new units, {annotators} annotators"


# Replicates of the intraclass correlations: closed formulas on complete data, else REML.


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


# REML of many replicates of one sample at once.


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
