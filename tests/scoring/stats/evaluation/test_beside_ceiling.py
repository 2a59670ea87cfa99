"""A metric's correlation beside what people reach, and what it were without their noise."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.ceiling import ceiling
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
