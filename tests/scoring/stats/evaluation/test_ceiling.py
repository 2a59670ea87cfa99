"""The human ceiling against loops over annotators, splits and resamples, and against theory."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.ceiling import ceiling
from tests.scoring.stats.evaluation.columns import drawn_rows, percentiles
from tests.scoring.stats.panels import NA, interval, items, others, own_rows, simulated

COEFFICIENTS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}


def one_by_one(table, name, weight=None):
    """Correlate each annotator with the mean of the others; mean weighted by number of units."""
    own = [own_rows(table, who) for who in range(table.n_annotators)]
    found = [
        COEFFICIENTS[name](table.value[rows], [others(table, row).mean().round(9) for row in rows])
        for rows in own
    ]
    return np.average([one.statistic for one in found], weights=weight or list(map(len, own)))


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("each", [2, 3, 6])
def test_leave_one_out_is_the_mean_over_annotators(name, each):
    table = simulated(each=each)
    found = ceiling(table)["leave_one_out"][name]
    assert found.value == pytest.approx(one_by_one(table, name), abs=1e-12)
    assert (found.n, found.details["groups"], found.ci_low) == (120, 6, None)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_intervals_equal_an_explicit_cluster_bootstrap(name):
    """Recompute every replicate on the table of clusters drawn with the same seed."""
    table, plan = simulated(units=80, annotators=4), Bootstrap(40, 7)
    found = ceiling(table, clusters=items(table), plan=plan)["leave_one_out"][name]
    weight = np.bincount(table.annotator).tolist()
    replicates = [
        one_by_one(table.take_units(units), name, weight)
        for units in drawn_rows(plan, items(table))
    ]
    assert interval(found) == pytest.approx(percentiles(replicates), abs=1e-12)
    assert (found.generalises_to, found.seed) == ("new clusters", 7)
    alone = ceiling(table, plan=plan)["split_half"][name]
    assert alone.generalises_to == "new units"
    assert alone.ci_low < alone.value < alone.ci_high


def test_spearman_brown_gives_the_reliability_of_the_mean():
    """Parallel ratings of reliability .5: the mean of two has 2/3, of four 4/5 (Brown 1910)."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=40_000)
    table = RatingTable.from_dense(quality[:, None] + rng.normal(size=(40_000, 4)))
    found = ceiling(table)
    half = found["split_half"]["pearson"]
    assert half.value == pytest.approx(2 / 3, abs=0.01)
    assert half.details["spearman_brown"] == pytest.approx(0.8, abs=0.01)
    # One with the mean of three: 1 / sqrt(2 * 4/3).
    assert found["leave_one_out"]["pearson"].value == pytest.approx(np.sqrt(3 / 8), abs=0.01)


def test_halves_are_drawn_anew_for_each_text():
    """Whoever always gives 1,000 more than the other is in both halves alike."""
    quality = np.arange(200.0)
    found = ceiling(RatingTable.from_dense(np.column_stack([quality, quality + 1000])))
    assert found["leave_one_out"]["pearson"].value == pytest.approx(1)
    assert abs(found["split_half"]["pearson"].value + 1) < 0.1


def test_k_of_n_designs_and_single_ratings():
    """K of N: units with one rating are ignored, and an annotator with two units is omitted."""
    table = simulated(each=2)
    lone = RatingTable(
        np.append(table.unit, [120, 121, 0, 1]),
        np.append(table.annotator, [0, 1, 6, 6]),
        np.append(table.value, [1.0, 5, 1, 5]),
        122,
        7,
    )
    found = ceiling(lone)["leave_one_out"]["pearson"]
    assert (found.n, found.details["groups"]) == (120, 6)


def test_the_halves_of_anonymous_annotators_are_known():
    table = simulated()
    found = ceiling(replace(table, anonymous=True))
    assert found["leave_one_out"]["pearson"].reason == "undefined: annotators are anonymous"
    assert found["split_half"] == ceiling(table)["split_half"]


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.zeros((0, 2)), "no ratings"),
        ([[1], [2], [3]], "needs two annotators"),
        ([[1, NA], [NA, 2]], "no unit has two ratings"),
        ([[1, 2], [2, 3], [1, NA]], "needs 3 units with two ratings, has 2"),
        ([[4, 4]] * 9, "no variation"),
        ([[1, 4], [2, 4], [3, 4], [5, 4]], "no variation"),
        ([[1, 2, NA], [3, NA, 4], [NA, 5, 6]], "no annotator rated 3 units"),
    ],
)
def test_undefined_has_a_reason(matrix, reason):
    found = ceiling(RatingTable.from_dense(matrix), plan=Bootstrap(20))["leave_one_out"]
    for one in found.values():
        assert one.value is None and reason in one.reason
