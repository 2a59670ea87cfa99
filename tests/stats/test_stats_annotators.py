"""Annotators against the rest: independent formulas and programs, small tables by hand."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from scoring.stats import Estimate, RatingTable
from scoring.stats.annotators import (
    OF_PACE,
    OF_RATINGS,
    OF_REPEATS,
    annotator_statistics,
    pace_statistics,
)
from scoring.stats.annotators_alone import Pace
from tests.stats.panels import interval, items, others, own_rows, simulated

NA = float("nan")


def test_severity_is_least_squares_with_dummies_and_its_error_has_clusters() -> None:
    """statsmodels: OLS on dummies of units and annotators; and, for the error, on annotator
    dummies after taking off the mean of each unit (Cameron and Miller 2015), which has the same
    coefficients and residuals."""
    table = simulated(of_item=0.5)
    found = annotator_statistics(table, clusters=items(table))["severity"]
    dummies = (table.annotator[:, None] == np.arange(table.n_annotators)).astype(float)
    units = (table.unit[:, None] == np.arange(table.n_units)).astype(float)
    plain = OLS(table.value, np.hstack([units, dummies[:, 1:]])).fit()
    effect = np.concatenate([[0], plain.params[-5:]])
    assert [one.value for one in found] == pytest.approx((effect - effect.mean()).tolist())

    def within(column: np.ndarray) -> np.ndarray:
        return column - (units @ (units.T @ column)) / 3

    fitted = OLS(within(table.value), np.column_stack([within(c) for c in dummies.T[1:]])).fit(
        cov_type="cluster", cov_kwds={"groups": items(table)[table.unit]}
    )
    # The effects minus their mean, as a matrix on the coefficients of annotators 1 to 5.
    contrast = np.vstack([np.zeros(5), np.eye(5)]) - 1 / 6
    error = np.sqrt(np.diag(contrast @ fitted.cov_params() @ contrast.T))
    for who, one in enumerate(found):
        clusters = np.unique(items(table)[table.unit[table.annotator == who]]).size
        half = stats.t.ppf(0.975, clusters - 1) * error[who]
        assert interval(one) == pytest.approx([one.value - half, one.value + half])
        assert one.generalises_to == "new clusters"
        assert one.n == (table.annotator == who).sum()


def test_agreement_and_correlation_with_the_rest() -> None:
    table = simulated(each=4)
    found = annotator_statistics(table)
    for who in range(table.n_annotators):
        rows = own_rows(table, who)
        exact = [np.mean(others(table, row) == table.value[row]) for row in rows]
        near = [np.mean(np.abs(others(table, row) - table.value[row]) <= 1) for row in rows]
        assert found["agreement"][who].value == pytest.approx(np.mean(exact))
        assert found["within_one"][who].value == pytest.approx(np.mean(near))
        rest = [others(table, row).mean() for row in rows]
        one = found["correlation"][who]
        assert one.value == pytest.approx(stats.pearsonr(table.value[rows], rest).statistic)
        assert one.n == len(rows) and one.generalises_to == "new units"
        low, high = interval(one)
        assert low < one.value < high


def test_within_one_point_of_a_fine_scale() -> None:
    table = RatingTable.from_dense([[0, 10, 10.1], [50, 40, 70]])
    found = annotator_statistics(table, point=10)["within_one"]
    assert [one.value for one in found] == pytest.approx([0.5, 0.75, 0.25])


def test_spread_by_hand() -> None:
    """a: 1, 3, 5 (variance 8/3); its rest: 2 2, 3 3, 4 4 (variance 2/3)."""
    found = annotator_statistics(RatingTable.from_dense([[1, 2, 2], [3, 3, 3], [5, 4, 4]]))
    assert found["spread"][0].value == pytest.approx(2)
    assert found["spread"][0].details["own_sd"] == pytest.approx(np.sqrt(8 / 3))
    # b's rest: 1 2, 3 3, 5 4, with mean 3 and squares 4 + 1 + 0 + 0 + 4 + 1 over 6.
    assert found["spread"][1].value == pytest.approx(np.sqrt((2 / 3) / (10 / 6)))
    assert found["spread"][0].ci_low is None
    assert "fewer than 5" in found["spread"][0].options["no_interval"]


def test_errors_are_close_to_the_jackknife() -> None:
    """Leaving out one item after the other, which needs no formula of the error."""
    table = simulated(seed=5, units=800, annotators=4, of_item=0.4)
    cluster = items(table)
    found = annotator_statistics(table, clusters=cluster)
    kept = [np.flatnonzero(cluster != one) for one in np.unique(cluster)]
    without = [annotator_statistics(table.take_units(units)) for units in kept]
    for name, change in (("correlation", np.arctanh), ("spread", np.log)):
        value = np.array([one[name][0].value for one in without], dtype=float)
        left = change(value) - change(value).mean()
        jackknife = np.sqrt((left**2).sum() * (value.size - 1) / value.size)
        low, high = change(interval(found[name][0]))
        assert (high - low) / 2 / stats.t.ppf(0.975, 199) == pytest.approx(jackknife, rel=0.03), (
            name
        )


def test_trend_is_a_regression_with_clusters() -> None:
    table = simulated(units=200, of_item=0.5)
    rng = np.random.default_rng(8)
    order = rng.permutation(table.n_ratings).astype(float)
    found = annotator_statistics(table, clusters=items(table), order=order)["trend"]
    for who, one in enumerate(found):
        rows = own_rows(table, who)
        place = stats.rankdata(order[table.annotator == who])
        at = dict(zip(np.flatnonzero(table.annotator == who), place - 1, strict=True))
        x = np.array([at[row] for row in rows]) / 100
        y = [table.value[row] - others(table, row).mean() for row in rows]
        design = np.column_stack([np.ones(x.size), x])
        groups = np.unique(items(table)[table.unit[rows]], return_inverse=True)[1]
        fitted = OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        assert one.value == pytest.approx(fitted.params[1])
        assert one.details["intercept"] == pytest.approx(fitted.params[0])
        assert interval(one) == pytest.approx(fitted.conf_int()[1].tolist())
        points = one.details["points"]
        assert sum(point[2] for point in points) == len(rows)
        assert sum(p[1] * p[2] for p in points) / len(rows) == pytest.approx(np.mean(y), abs=1e-4)


def test_a_drift_is_found_and_orders_that_are_no_orders_are_said_to_be_so() -> None:
    base = np.tile([2.0, 3, 4], 50)
    drifting = base + np.linspace(0, 1.5, 150)
    table = RatingTable.from_dense(np.column_stack([drifting, base, base]))
    order = np.repeat(np.arange(150.0), 3)
    first, second, _ = annotator_statistics(table, order=order)["trend"]
    assert first.value == pytest.approx(1.5 / 149 * 100)
    assert second.value == pytest.approx(-1.5 / 149 * 100 / 2)
    unknown = np.where(table.annotator == 0, NA, np.where(table.annotator == 1, 7, order))
    found = annotator_statistics(table, order=unknown)
    for name in ("trend", "equal_neighbours", "longest_run"):
        reasons = [one.reason for one in found[name]]
        assert reasons == ["undefined: the order of judging is not known"] * 2 + [""]


@pytest.mark.parametrize(
    ("matrix", "name", "reason"),
    [
        ([[1, NA], [2, NA], [3, NA]], "agreement", "nobody else rated the same units"),
        ([[1, NA], [2, NA], [3, NA]], "severity", "needs two annotators"),
        ([[1, NA], [NA, 2]], "severity", "share no unit"),
        ([[1, 2], [2, 3]], "correlation", "needs 3 units"),
        ([[1, 2], [1, 3], [1, 4]], "correlation", "the annotator's values are all equal"),
        ([[1, 2], [3, 2], [4, 2]], "correlation", "the others' values are all equal"),
        ([[1, 2], [3, 2], [4, 2]], "spread", "the others' values are all equal"),
        ([[NA, 2], [NA, 2]], "agreement", "no ratings"),
        ([[1, 2]], "equal_neighbours", "needs two judgments"),
    ],
)
def test_undefined_has_a_reason(matrix: list[list[float]], name: str, reason: str) -> None:
    table = RatingTable.from_dense(matrix)
    found = annotator_statistics(table, order=np.arange(float(table.n_ratings)))[name][0]
    assert found.value is None and reason in found.reason


def test_one_value_throughout_is_no_error() -> None:
    table = RatingTable.from_dense(np.full((9, 3), 4.0))
    found = annotator_statistics(table, order=np.arange(27.0))
    assert found["severity"][0].value == pytest.approx(0)
    assert "no noise" in found["severity"][0].options["no_interval"]
    assert found["agreement"][0].value == 1 and found["longest_run"][0].value == 9
    assert found["equal_neighbours"][0].details["p_value"] is None
    assert found["longest_run"][0].details["chance_high"] is None


def test_anonymous_voices_have_no_statistics() -> None:
    table = replace(simulated(), anonymous=True)
    found = annotator_statistics(table) | pace_statistics(
        Pace(table.annotator, table.value, 1.0), table.n_annotators, anonymous=True
    )
    assert set(found) == {*OF_RATINGS, *OF_REPEATS, *OF_PACE, "controls"}
    for estimates in found.values():
        assert {one.reason for one in estimates} == {"undefined: annotators are anonymous"}


tables = st.integers(0, 10_000).map(lambda seed: simulated(seed, units=24, annotators=4, each=2))


def numbers(found: list[Estimate]) -> list[float]:
    flat = [
        [one.value, one.ci_low, one.ci_high, *one.details.values()]
        for one in found
    ]  # fmt: skip
    return [NA if x is None else x for row in flat for x in row if not isinstance(x, list)]


@settings(max_examples=25)
@given(tables, st.randoms(use_true_random=False))
def test_names_and_the_order_of_rows_change_nothing(table: RatingTable, chance) -> None:
    order = np.random.default_rng(1).permutation(table.n_ratings).astype(float)
    names, rows = list(range(table.n_annotators)), list(range(table.n_ratings))
    chance.shuffle(names)
    chance.shuffle(rows)
    other = RatingTable(
        table.unit[rows], np.array(names)[table.annotator[rows]], table.value[rows],
        table.n_units, table.n_annotators,
    )  # fmt: skip
    before = annotator_statistics(table, clusters=items(table), order=order)
    after = annotator_statistics(other, clusters=items(table), order=order[rows])
    for name in OF_RATINGS:
        renamed = [after[name][names[who]] for who in range(table.n_annotators)]
        assert [one.reason for one in renamed] == [one.reason for one in before[name]]
        assert numbers(renamed) == pytest.approx(numbers(before[name]), nan_ok=True, abs=1e-8)


@settings(max_examples=25)
@given(tables, st.floats(-3, 3))
def test_a_constant_on_one_annotator_shifts_the_severity_alone(
    table: RatingTable, shift: float
) -> None:
    """Effects add up to 0: of what is added to one of four, three quarters stay and the others
    lose a quarter each. Correlation, spread and runs of that annotator do not change."""
    moved = replace(table, value=table.value + shift * (table.annotator == 2))
    order = np.arange(float(table.n_ratings))
    before, after = (annotator_statistics(one, order=order) for one in (table, moved))
    if before["severity"][0].value is None:
        assert after["severity"][0].reason == before["severity"][0].reason
    else:
        wanted = [
            one.value + shift * ((who == 2) - 0.25) for who, one in enumerate(before["severity"])
        ]
        assert [one.value for one in after["severity"]] == pytest.approx(wanted, abs=1e-9)
    for name in ("correlation", "equal_neighbours", "longest_run", "spread"):
        assert numbers([after[name][2]]) == pytest.approx(
            numbers([before[name][2]]), nan_ok=True, abs=1e-6
        )
    slopes = [one["trend"][2].value for one in (before, after)]
    assert slopes[0] == (None if slopes[1] is None else pytest.approx(slopes[1], abs=1e-7))


@pytest.mark.slow
def test_a_million_judgments_take_seconds() -> None:
    rng = np.random.default_rng(1)
    units, each = 200_000, 5
    unit = np.repeat(np.arange(units), each)
    who = ((rng.integers(200, size=units)[:, None] + np.arange(each) * 7) % 200).ravel()
    table = RatingTable(unit, who, rng.integers(1, 6, unit.size), units, 200)
    start = time.process_time()
    found = annotator_statistics(
        table, clusters=np.arange(units) // 5, order=rng.random(unit.size)
    )  # fmt: skip
    assert time.process_time() - start < 60
    assert all(one.ci_low is not None for one in found["severity"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["severity", "agreement", "correlation", "trend", "spread"])
def test_intervals_hold_the_truth_in_95_of_100(name: str) -> None:
    """Items with opinions of their own; the truth is the value in a very long campaign."""

    def of(seed: int, units: int) -> Estimate:
        table = simulated(seed, units=units, annotators=5, of_item=0.5)
        order = np.random.default_rng(seed).random(table.n_ratings)
        return annotator_statistics(table, clusters=items(table), order=order)[name][0]

    truth = 0.0 if name == "trend" else of(0, 200_000).value
    hits = [low <= truth <= high for low, high in (interval(of(s, 240)) for s in range(1, 401))]
    assert 0.92 <= np.mean(hits) <= 0.98
