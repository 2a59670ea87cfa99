"""Runs, repeats, controls and pace of annotators against brute force and other software."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from scoring.stats import RatingTable
from scoring.stats.annotators.catalogue import keys_of
from scoring.stats.annotators.own_judgments import (
    Controls,
    Pace,
    Repeats,
    annotator_statistics,
    pace_statistics,
    profiles,
)
from tests.scoring.stats.panels import NA, interval, simulated


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
