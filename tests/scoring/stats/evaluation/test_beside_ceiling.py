"""A metric's correlation beside what people reach, and what it were without their noise."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.beside_ceiling import against_ceiling
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation
from scoring.stats.intervals import jackknife_error, weights
from scoring.stats.table import PHRASES, t_quantile
from tests.scoring.stats.studies import Study

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


@pytest.mark.parametrize("what", ["share", "disattenuated"])
@pytest.mark.parametrize("missing", [False, True])
def test_both_numbers_are_computed_anew_without_each_phrase(what, missing):
    """At the ends of Fieller's interval r - c * (r of people) is t of its own errors from 0."""
    study = Study(np.random.default_rng(3), 12)
    metric = study.metrics["a"].copy()
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
    for end in (one["ci_low"], one["ci_high"]):
        gap = own - end * reached
        away = abs(gap[0]) / jackknife_error(gap[1:])
        assert away == pytest.approx(t_quantile(0.975, 11), rel=1e-6)
    assert one["options"]["interval"].startswith("95 % jackknife, 12 phrases, Fieller's")


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
