"""A metric's correlation beside what people reach, and what it were without their noise."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.ceiling import against_ceiling, ceiling
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation


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
                {"h": human}, {"m": metric}, ceilings={"h": ceiling(RatingTable.from_dense(of))}
            ),
            MetaOptions(Bootstrap(20), parts=("coefficients",)),
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("annotators", "each", "coefficient"),
    [(2, 2, "pearson"), (2, 2, "spearman"), (4, 4, "pearson"), (8, 2, "pearson")],
)
def test_a_metric_that_is_one_more_person_has_a_share_of_one(annotators, each, coefficient):
    rng = np.random.default_rng(annotators)
    dense = rng.normal(0, 1, (12_000, 1)) + rng.normal(0, 1.2, (12_000, annotators + 1))
    metric, people = dense[:, -1], dense[:, :-1]
    left_out = np.argsort(rng.random(people.shape), axis=1)[:, each:]
    np.put_along_axis(people, left_out, np.nan, axis=1)
    fewer = rng.random(people.shape) < 0.15  # Some texts have fewer ratings, but one at least.
    fewer[(np.isnan(people) | fewer).all(axis=1)] = False
    people[fewer] = np.nan
    found = coefficients(np.nanmean(people, axis=1), {"m": metric}, None, Bootstrap())["m"]
    beside = against_ceiling(found, ceiling(RatingTable.from_dense(people)))
    assert beside[coefficient]["share"]["value"] == pytest.approx(1, abs=0.05)
