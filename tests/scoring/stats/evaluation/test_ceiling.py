"""The human ceiling against loops over annotators, splits and resamples, and against theory."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.ceiling import HumanCeiling, ceiling
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.one_metric import roc_curves
from scoring.stats.evaluation.report import Compared, MetaOptions, against_ceiling, meta_evaluation
from scoring.stats.intervals import weights
from scoring.stats.table import PHRASES
from tests.scoring.stats.evaluation.columns import ROWS, clustered, columns, drawn_rows, percentiles
from tests.scoring.stats.panels import NA, interval, items, others, own_rows, simulated
from tests.scoring.stats.studies import Study

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


# How well a metric tells what passes from what does not: the ROC curve and its area.


@given(ROWS)
def test_roc_area_by_brute_force(rows):
    human, metric, _ = columns(rows)
    passed = (human >= 2).astype(float)
    found = roc_curves(passed, {"m": metric})["m"]
    yes, no = metric[passed == 1], metric[passed == 0]
    if not yes.size or not no.size:
        assert found.area.value is None and found.curve == ()
        return
    wins = (yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2
    assert found.area.value == pytest.approx(wins)
    x, y, limits = zip(*found.curve, strict=True)
    assert (x[0], y[0], limits[0]) == (0, 0, None) and (x[-1], y[-1]) == (1, 1)
    assert np.trapezoid(y, x) == pytest.approx(wins)
    for false, true, limit in found.curve[1:]:
        assert true == pytest.approx((yes >= limit).mean())
        assert false == pytest.approx((no >= limit).mean())


def test_roc_replicates_are_the_areas_of_the_drawn_rows():
    human, metric, codes = clustered()
    passed, plan = (human >= 3).astype(float), Bootstrap(40, 2)
    metrics = {"m": metric, "rough": np.round(metric)}
    found = roc_curves(passed, metrics, codes, plan)
    for name, column in metrics.items():
        again = [
            roc_curves(passed[rows], {"m": column[rows]})["m"].area.value
            for rows in drawn_rows(plan, codes)
        ]
        assert interval(found[name].area) == pytest.approx(percentiles(again))


def test_the_pass_decision_is_one_or_nought():
    with pytest.raises(ValueError, match="1, 0 or missing"):
        roc_curves(np.array([0, 2.0]), {"m": np.zeros(2)})


# A metric's correlation beside what people reach, and what it were without their noise.


PLAN = Bootstrap(clusters=PHRASES)


@pytest.mark.slow
def test_against_what_people_reach():
    """r / sqrt(reliability), Spearman 1904: values free of noise correlate as the truth does."""
    rng = np.random.default_rng(6)
    truth = rng.normal(size=3000)
    dense = truth[:, None] + rng.normal(0, 1.5, (3000, 3))
    metric = truth + rng.normal(0, 1, 3000)
    human = dense.mean(axis=1)
    found, alone = (
        meta_evaluation(
            Compared(
                {"h": human},
                {"m": metric},
                ceilings={"h": HumanCeiling.of(RatingTable.from_dense(of), plan=Bootstrap())},
            ),
            MetaOptions(parts=("coefficients",)),
        )
        for of in (dense, dense[:, :1])
    )
    assert alone.human["h"].ceiling["m"]["spearman"]["share"]["value"] is None
    beside = found.human["h"].ceiling["m"]["pearson"]
    assert beside["disattenuated"]["value"] == pytest.approx(np.sqrt(0.5), abs=0.04)
    assert beside["disattenuated"]["ci_low"] < beside["disattenuated"]["value"]
    one = np.mean(
        [np.corrcoef(dense[:, k], np.delete(dense, k, 1).mean(1))[0, 1] for k in range(3)]
    )
    # Two others where the mean is of three: reliabilities of their means, noise 2.25 of 1.
    person = one * np.sqrt((1 / (1 + 2.25 / 3)) / (1 / (1 + 2.25 / 2)))
    expected = np.corrcoef(human, metric)[0, 1] / person
    assert beside["share"]["value"] == pytest.approx(expected, rel=0.01)


def beside(study, metric, plan=PLAN, table=None):
    people = HumanCeiling.of(table or study.table, clusters=study.phrase, plan=plan)
    own = coefficients(study.human, {"m": metric}, study.phrase, plan, ["pearson", "spearman"])
    return against_ceiling(study.human, {"m": metric}, own, people)["m"], people


def held(value, replicates):
    """Its interval by the jackknife on Fisher's z."""
    j, z = replicates.size, np.arctanh(replicates)
    error = np.sqrt((j - 1) / j * ((z - z.mean()) ** 2).sum())
    return np.tanh(np.arctanh(value) + np.array([-1, 1]) * stats.t.ppf(0.975, j - 1) * error)


def gap_interval(a, b, r):
    """Of a difference of correlated numbers (Zou 2007), each (value, low, high)."""
    below = (a[0] - a[1]) ** 2 + (b[2] - b[0]) ** 2 - 2 * r * (a[0] - a[1]) * (b[2] - b[0])
    above = (a[2] - a[0]) ** 2 + (b[0] - b[1]) ** 2 - 2 * r * (a[2] - a[0]) * (b[0] - b[1])
    return a[0] - b[0] - np.sqrt(below), a[0] - b[0] + np.sqrt(above)


@pytest.mark.parametrize("what", ["share", "disattenuated"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("noise", [1.0, -0.5, 30.0])  # Ends above 0, below it, and on both sides.
def test_both_numbers_are_computed_anew_without_each_phrase(what, missing, noise):
    """Where the interval ends, Zou's of the difference r - c * (r of people) begins or ends at 0:
    MOVER of a ratio, Donner and Zou 2012."""
    study = Study(np.random.default_rng(3), 12)
    metric = np.sign(noise) * (study.quality + abs(noise) * (study.metrics["a"] - study.quality))
    if missing:  # The others keep their place beside the replicates of people.
        metric[study.phrase == 4] = np.nan
    found, people = beside(study, metric)
    there = np.isfinite(metric)
    own = np.array(
        [
            np.corrcoef(study.human[rows], metric[rows])[0, 1]
            for rows in (there & (study.phrase != one) for one in (-1, *range(12)))
        ]
    )
    reached = people.one_more["pearson"]
    if what == "disattenuated":
        reached = np.sqrt(people.reliability["pearson"])
    one = found["pearson"][what]
    assert one["value"] == pytest.approx(own[0] / reached[0])
    r = np.corrcoef(own[1:], reached[1:])[0, 1]
    metrics = (own[0], *held(own[0], own[1:]))
    for place, end in enumerate((one["ci_low"], one["ci_high"])):
        # c * (r of people), the ends of which change places where c is below 0.
        scaled = end * np.array([reached[0], *held(reached[0], reached[1:])])
        ends = (scaled[0], scaled[1:].min(), scaled[1:].max())
        assert gap_interval(metrics, ends, r * np.sign(end))[place] == pytest.approx(0, abs=1e-9)
    assert one["options"]["interval"].startswith("95 % jackknife, 12 phrases, Fisher's z, MOVER")


def test_replicates_are_those_of_the_coefficients():
    """Beside people nothing is computed anew, and the numbers are the same."""
    study = Study(np.random.default_rng(8), 12)
    metrics = {**study.metrics, "some": np.where(study.phrase < 6, study.metrics["a"], np.nan)}
    people = HumanCeiling.of(study.table, clusters=study.phrase, plan=PLAN)
    columns = Compared({"h": study.human}, metrics, study.phrase, ceilings={"h": people})
    options = MetaOptions(PLAN, parts=("coefficients",))
    made = meta_evaluation(columns, options).human["h"]
    assert made.ceiling == against_ceiling(study.human, metrics, made.metrics, people)


def test_people_are_left_out_by_phrase_as_in_a_table_without_it():
    """But for the halves, which are drawn anew."""
    study = Study(np.random.default_rng(5), 10)
    people = HumanCeiling.of(study.table, clusters=study.phrase, plan=PLAN)
    for one in range(10):
        rest = study.table.take_units(np.flatnonzero(study.phrase != one))
        alone = HumanCeiling.of(rest)
        for name in ("pearson", "spearman"):
            for numbers in ("one_more", "reliability"):
                expected = getattr(alone, numbers)[name][0]
                assert getattr(people, numbers)[name][1 + one] == pytest.approx(expected, abs=0.02)


def test_where_people_do_not_agree_the_share_has_no_interval():
    study = Study(np.random.default_rng(0), 8, noise=2.0)
    found, people = beside(study, study.quality)
    share = found["pearson"]["share"]
    assert people.one_more["pearson"][0] > 0 and share["ci_low"] is None
    assert "not clearly above 0" in share["options"]["no_interval"]


def test_too_few_phrases_have_the_reason_and_their_number():
    study = Study(np.random.default_rng(2), 4)
    for one in beside(study, study.metrics["a"])[0].values():
        for part in one.values():
            assert part["value"] is not None and part["ci_low"] is None
            assert "there are 4" in part["options"]["no_interval"]
    # A metric with scores of fewer phrases than people judged.
    study = Study(np.random.default_rng(2), 9)
    metric = np.where(study.phrase < 3, study.metrics["a"], np.nan)
    one = beside(study, metric)[0]["pearson"]["share"]
    assert "there are 3" in one["options"]["no_interval"]


def test_draws_take_the_same_phrases_for_both_numbers():
    study, plan = Study(np.random.default_rng(4), 20), Bootstrap(200, 1)
    metric = study.metrics["a"]
    found, people = beside(study, metric, plan)
    both = np.stack([study.human, metric])
    own = []
    for drawn in np.concatenate(list(weights(plan, 20))):
        (first, joint), (_, second) = np.cov(both, fweights=drawn[study.phrase].astype(int))
        own.append(joint / np.sqrt(first * second))
    expected = np.quantile(own / people.one_more["pearson"][1:], [0.025, 0.975])
    share = found["pearson"]["share"]
    assert (share["ci_low"], share["ci_high"]) == pytest.approx(tuple(expected))
