"""Runs, repeats, controls and pace of annotators against brute force and other software."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from scoring.stats import RatingTable
from scoring.stats.annotators.catalogue import (
    CATALOGUE,
    Groups,
    correlations,
    keys_of,
    share_interval,
)
from scoring.stats.annotators.own_judgments import (
    Controls,
    Pace,
    Repeats,
    annotator_statistics,
    pace_statistics,
    profiles,
)
from scoring.stats.intervals import wilson_ends
from tests.scoring.stats.panels import NA, interval, items, others, own_rows, simulated


def straight_lining(values, order=None):
    """Equal neighbours and the longest run of one annotator."""
    table = RatingTable.from_dense(np.array(values, dtype=float)[:, None])
    found = annotator_statistics(table, order=np.arange(len(values)) if order is None else order)
    return [found[name][0] for name in ("equal_neighbours", "longest_run")]


def test_expected_equal_neighbours_equal_the_mean_over_all_orders():
    values = [1, 1, 1, 2, 2, 3, 3]
    orders = np.array(list(set(permutations(values))))
    equal = (orders[:, 1:] == orders[:, :-1]).sum(axis=1)
    one, run = straight_lining(values)
    assert (one.value, one.n) == (pytest.approx(4 / 6), 6)
    assert one.details["expected"] == pytest.approx(equal.mean() / 6)
    z = (4 - equal.mean()) / equal.std()
    assert one.details["p_value"] == pytest.approx(stats.norm.sf(z))
    assert (run.value, run.ci_low) == (3, None)
    assert "range by chance" in run.options["no_interval"]


def test_chance_range_of_the_longest_run_equals_shuffled_values():
    rng = np.random.default_rng(4)
    values = rng.choice([1.0, 2, 3, 4, 5], 400, p=[0.1, 0.1, 0.2, 0.4, 0.2])

    def longest(sequence):
        ends = np.flatnonzero(np.diff(sequence, append=NA) != 0)
        return int(np.diff(ends, prepend=-1).max())

    _, found = straight_lining(values)
    assert found.value == longest(values)
    shuffled = np.array([longest(rng.permutation(values)) for _ in range(2000)])
    low, high = found.details["chance_low"], found.details["chance_high"]
    # The formula is for independent draws, so the tails are only nearly 2.5 %.
    assert (shuffled > high).mean() < 0.03 < (shuffled > high - 1).mean() + 0.015
    assert (shuffled < low).mean() < 0.03


def test_straight_lining_uses_the_order_of_judging_not_of_the_file():
    values = np.array([1.0, 2] * 4)
    as_in_file = straight_lining(values)
    by_value = straight_lining(values, values * 10 + np.arange(8.0))
    assert [one.value for one in as_in_file] == [0, 1]
    assert [one.value for one in by_value] == [pytest.approx(6 / 7), 4]


def test_repeats_controls_and_pace():
    table = simulated()
    rng = np.random.default_rng(2)
    first = rng.integers(1, 6, 40).astype(float)
    again = np.clip(first + rng.integers(-2, 3, 40), 1, 5)
    who = np.repeat([0, 1], 20)
    repeats = Repeats(who, np.arange(40), first, again)
    controls = Controls(np.array([0] * 10 + [2] * 4), np.array([1.0] * 8 + [0] * 2 + [1] * 4))
    found = annotator_statistics(table, repeats=repeats, controls=controls)
    for annotator in (0, 1):
        own = who == annotator
        change = again[own] - first[own]
        expected = {
            "repeat_exact": np.mean(change == 0),
            "repeat_within": np.mean(np.abs(change) <= 1),
            "repeat_change": change.mean(),
            "repeat_correlation": stats.pearsonr(first[own], again[own]).statistic,
        }
        values = {name: found[name][annotator].value for name in expected}
        assert values == pytest.approx(expected)
        half = stats.t.ppf(0.975, 19) * stats.sem(change)
        assert found["repeat_change"][annotator].ci_high == pytest.approx(change.mean() + half)
    assert {found[name][5].reason for name in keys_of("repeats")} == {
        "undefined: nothing was judged twice"
    }
    for annotator, hits, n in ((0, 8, 10), (2, 4, 4)):
        one = found["controls"][annotator]
        assert (one.value, one.n) == (hits / n, n)
        wanted = proportion_confint(hits, n, method="wilson")
        assert interval(one) == pytest.approx(list(wanted))
    assert found["controls"][1].reason == "undefined: no control was judged"

    seconds = rng.lognormal(2, 1, 31)
    pace = pace_statistics(Pace(np.zeros(31, dtype=np.int64), seconds, 5.0), 2)
    assert pace["seconds"][0].value == pytest.approx(np.median(seconds))
    # Order statistics 10 and 22 of 31: P(Binomial(31, 1/2) < 10) = .015, < 11 = .035.
    assert interval(pace["seconds"][0]) == [np.sort(seconds)[9], np.sort(seconds)[21]]
    assert pace["too_fast"][0].value == pytest.approx((seconds < 5).mean())
    assert pace["seconds"][1].reason == "undefined: the times are not known"


def test_equal_neighbours_are_clustered_by_original():
    """The same rows as 20 originals of ten texts, and with each text as its own cluster."""
    chance = np.random.default_rng(2)
    steady = np.repeat(chance.random(20) < 0.5, 10)
    value = np.where(steady, 3, chance.integers(1, 6, 200)).astype(float)
    table = RatingTable.from_dense(value[:, None])
    order, of = np.arange(200.0), np.arange(200) // 10
    wide, narrow = (
        annotator_statistics(table, order=order, clusters=one)["equal_neighbours"][0]
        for one in (of, None)
    )
    assert wide.value == narrow.value
    assert narrow.ci_low - wide.ci_low > 0.03
    assert (wide.generalises_to, narrow.generalises_to) == ("new clusters", "new units")


def test_the_time_of_a_sheet_runs_from_its_claim_or_from_the_sheet_before():
    who = np.array([1, 0, 0, 0, 0, 1])
    claimed = np.array([NA, 0, 5, 2000, NA, NA])
    first = np.array([100.0, 4, 12, 2010, 2050, 90])
    last = np.array([120.0, 10, 20, 2020, 2060, 95])
    answers = np.array([5, 2, 2, 4, 2, 5])
    found = Pace.of(who, (claimed, first, last), answers, least=1, pause=300)
    # 0 to 10; 10 (later than the claim at 5) to 20; 2000 to 2020; 2020 (no claim) to 2060.
    assert found.annotator.tolist() == [0, 0, 0, 0, 1]
    # Of annotator 1 the sheet that ended at 95 has no beginning; the next one took 95 to 120.
    assert found.seconds.tolist() == [5, 5, 5, 20, 5]
    rested = Pace.of(who, (claimed, first, last), answers, least=1, pause=20)
    assert rested.seconds.tolist() == [5, 5, 5, 5]


def test_profiles_count_what_is_given_and_what_the_others_give_the_same_texts():
    # Texts are rows; the third text of the first annotator was judged by nobody else.
    value = np.array([[1, 2, 2], [5, 5, NA], [1, NA, NA], [NA, 2, 5]])
    levels, own, others = profiles(RatingTable.from_dense(value))
    assert levels == [1, 2, 5]
    assert own.tolist() == [[2, 0, 1], [0, 2, 1], [0, 1, 1]]
    assert others.tolist() == [[0, 2, 1], [1, 1, 2], [1, 2, 0]]
    fine = RatingTable.from_dense(np.array([[float(one), 0.0] for one in range(101)]))
    bins, given, _others = profiles(fine)
    assert bins == [10 * one for one in range(10)]
    assert given.tolist() == [[10] * 9 + [11], [101] + [0] * 9]


# What is known of every annotator of a scale, all at once.


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
def test_undefined_has_a_reason(matrix, name, reason):
    table = RatingTable.from_dense(matrix)
    found = annotator_statistics(table, order=np.arange(float(table.n_ratings)))[name][0]
    assert found.value is None and reason in found.reason


def test_one_value_throughout_is_no_error():
    table = RatingTable.from_dense(np.full((9, 3), 4.0))
    found = annotator_statistics(table, order=np.arange(27.0))
    assert found["severity"][0].value == pytest.approx(0)
    assert "without residual variance" in found["severity"][0].options["no_interval"]
    assert found["agreement"][0].value == 1 and found["longest_run"][0].value == 9
    assert found["equal_neighbours"][0].details["p_value"] is None
    assert found["longest_run"][0].details["chance_high"] is None


def test_anonymous_voices_have_no_statistics():
    table = replace(simulated(), anonymous=True)
    found = annotator_statistics(table) | pace_statistics(
        Pace(table.annotator, table.value, 1.0), table.n_annotators, anonymous=True
    )
    assert set(found) == {one.key for one in CATALOGUE}
    for estimates in found.values():
        assert {one.reason for one in estimates} == {"undefined: annotators are anonymous"}


def test_values_out_of_range_have_a_reason():
    table = RatingTable.from_dense([[1.0, 1.7e308, 2], [3, 1.7e308, 1], [1.7e308, 2, 2]])
    for name, column in annotator_statistics(table).items():
        assert all("out of range" in one.reason for one in column), name


# Annotators against the others: independent formulas, other software, and small tables by hand.


def test_agreement_and_correlation_with_the_rest():
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


def test_within_one_point_of_a_fine_scale():
    table = RatingTable.from_dense([[0, 10, 10.1], [50, 40, 70]])
    found = annotator_statistics(table, point=10)["within_one"]
    assert [one.value for one in found] == pytest.approx([0.5, 0.75, 0.25])


def test_spread_by_hand():
    """a: 1, 3, 5 (variance 8/3); its rest: 2 2, 3 3, 4 4 (variance 2/3)."""
    found = annotator_statistics(RatingTable.from_dense([[1, 2, 2], [3, 3, 3], [5, 4, 4]]))
    one, other, _ = found["spread"]
    assert one.value == pytest.approx(2)
    assert one.details["own_sd"] == pytest.approx(np.sqrt(8 / 3))
    # b's rest: 1 2, 3 3, 5 4, with mean 3 and squares 4 + 1 + 0 + 0 + 4 + 1 over 6.
    assert other.value == pytest.approx(np.sqrt((2 / 3) / (10 / 6)))
    assert one.ci_low is None and "5 phrases (or items) are" in one.options["no_interval"]


def half_widths(found, change=np.asarray):
    low, high = change(interval(found))
    return (high - low) / 2


def test_errors_of_correlation_and_spread_are_those_without_each_cluster():
    """Everything is computed again without each item."""
    table = simulated(seed=5, units=60, annotators=4, of_item=0.4)
    cluster = items(table)
    found = annotator_statistics(table, clusters=cluster)
    kept = [np.flatnonzero(cluster != one) for one in np.unique(cluster)]
    without, g = [annotator_statistics(table.take_units(units)) for units in kept], len(kept)
    for name, change in (("correlation", np.arctanh), ("spread", np.log)):
        error = np.std([change(one[name][0].value) for one in without]) * np.sqrt(g - 1)
        wanted = error * stats.t.ppf(0.975, g - 1)
        assert half_widths(found[name][0], change) == pytest.approx(wanted), name


def test_trend_is_a_regression_with_clusters():
    table = simulated(units=200, of_item=0.5)
    rng = np.random.default_rng(8)
    order = rng.permutation(table.n_ratings).astype(float)
    found = annotator_statistics(table, clusters=items(table), order=order)["trend"]
    for who, one in enumerate(found):
        rows = own_rows(table, who)
        own = np.sort(order[table.annotator == who])
        x = np.searchsorted(own, order[rows]) / 100
        y = np.array([table.value[row] - others(table, row).mean() for row in rows])
        groups = items(table)[table.unit[rows]]
        line = np.polynomial.polynomial.polyfit(x, y, 1)
        assert (one.details["intercept"], one.value) == pytest.approx(tuple(line))
        left = [np.polyfit(x[groups != g], y[groups != g], 1)[0] for g in np.unique(groups)]
        error = np.std(left) * np.sqrt(len(left) - 1)
        assert half_widths(one) == pytest.approx(error * stats.t.ppf(0.975, len(left) - 1))
        points = one.details["points"]
        assert sum(point[2] for point in points) == len(rows)
        assert sum(p[1] * p[2] for p in points) / len(rows) == pytest.approx(np.mean(y), abs=1e-4)


def test_an_unknown_order_gives_a_reason():
    table = RatingTable.from_dense(np.tile([2.0, 3, 4], (3, 50)).T)
    order = np.repeat(np.arange(150.0), 3)
    unknown = np.where(table.annotator == 0, NA, np.where(table.annotator == 1, 7, order))
    found = annotator_statistics(table, order=unknown)
    for name in ("trend", "equal_neighbours", "longest_run"):
        reasons = [one.reason for one in found[name]]
        assert reasons == ["undefined: the order of judging is not known"] * 2 + [""]


# Severity of every annotator with an interval that allows for dependent units and own noise.


def test_severity_is_least_squares_with_dummies_and_its_error_has_clusters():
    """statsmodels: OLS on annotator dummies after taking off the mean of each unit (Cameron and
    Miller 2015), which has the coefficients and residuals of one with dummies of units too."""
    table = simulated(of_item=0.5)
    found = annotator_statistics(table, clusters=items(table))["severity"]
    dummies = (table.annotator[:, None] == np.arange(table.n_annotators)).astype(float)
    units = (table.unit[:, None] == np.arange(table.n_units)).astype(float)

    def within(column):
        return column - (units @ (units.T @ column)) / 3

    fitted = OLS(within(table.value), np.column_stack([within(c) for c in dummies.T[1:]])).fit(
        cov_type="cluster", cov_kwds={"groups": items(table)[table.unit]}
    )
    # The effects minus their mean, as a matrix on the coefficients of annotators 1 to 5.
    contrast = np.vstack([np.zeros(5), np.eye(5)]) - 1 / 6
    assert [one.value for one in found] == pytest.approx((contrast @ fitted.params).tolist())
    error = np.sqrt(np.diag(contrast @ fitted.cov_params() @ contrast.T))
    for who, one in enumerate(found):
        clusters = np.unique(items(table)[table.unit[table.annotator == who]]).size
        half = stats.t.ppf(0.975, clusters - 1) * error[who]
        assert interval(one) == pytest.approx([one.value - half, one.value + half])
        assert one.generalises_to == "new clusters"
        assert one.n == (table.annotator == who).sum()


# Errors and intervals of many groups at once, where rows of one cluster may be dependent.


def test_shares_have_wilsons_interval_with_the_effective_sample_size():
    """Without clusters it is Wilson's with Student's t; whole clusters of equal answers count as
    one answer each; where all hit the interval does not shrink to nothing."""
    hit = np.array([1.0, 0, 1, 1, 0, 1, 1, 1, 0, 1])
    zero = np.zeros(10, dtype=np.int64)
    alone = Groups.make(zero, np.arange(10), 1)
    t = stats.t.ppf(0.975, 9)
    # The error of a mean has n - 1 in it: 9 in place of 10 trials.
    expected = np.ravel(wilson_ends(0.7, 9, t))
    assert np.ravel(share_interval(alone, np.array([0.7]), hit)) == pytest.approx(expected)
    in_threes = Groups.make(zero.repeat(3), np.repeat(np.arange(10), 3), 1)
    found = np.ravel(share_interval(in_threes, np.array([0.7]), np.repeat(hit, 3)))
    assert found == pytest.approx(expected)
    all_hit = np.ravel(share_interval(alone, np.array([1.0]), np.ones(10)))
    assert all_hit == pytest.approx([10 / (10 + t**2), 1])
    found = np.ravel(wilson_ends(0.7, 10, stats.norm.ppf(0.975)))
    assert found == pytest.approx(proportion_confint(7, 10, method="wilson"))


def test_a_perfect_line_has_a_correlation_and_no_interval():
    x = np.arange(8.0)
    found = correlations(Groups.make(np.zeros(8, dtype=np.int64), np.arange(8), 1), x, 2 * x)
    assert found.r[0] == pytest.approx(1) and np.isnan(found.low[0])
