"""A metric's correlation beside what people reach, and what it were without their noise."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.evaluation.ceiling import ceiling
from scoring.stats.evaluation.report import Compared, MetaOptions, meta_evaluation


def test_against_what_people_reach() -> None:
    """r / sqrt(reliability), Spearman 1904: values free of noise correlate as the truth does."""
    rng = np.random.default_rng(6)
    truth = rng.normal(size=3000)
    dense = truth[:, None] + rng.normal(0, 1.5, (3000, 3))
    metric = truth + rng.normal(0, 1, 3000)
    human = dense.mean(axis=1)
    found = meta_evaluation(
        Compared(
            {"h": human}, {"m": metric}, ceilings={"h": ceiling(RatingTable.from_dense(dense))}
        ),
        MetaOptions(Bootstrap(20), parts=("coefficients",)),
    )
    beside = found.human["h"].ceiling["m"]["pearson"]
    assert beside["disattenuated"]["value"] == pytest.approx(np.sqrt(0.5), abs=0.04)
    assert beside["disattenuated"]["ci_low"] < beside["disattenuated"]["value"]
    one = np.mean(
        [np.corrcoef(dense[:, k], np.delete(dense, k, 1).mean(1))[0, 1] for k in range(3)]
    )
    expected = np.corrcoef(human, metric)[0, 1] / one
    assert beside["share"]["value"] == pytest.approx(expected, rel=1e-6)
    alone = RatingTable.from_dense(dense[:, :1])
    nothing = meta_evaluation(
        Compared({"h": human}, {"m": metric}, ceilings={"h": ceiling(alone)}),
        MetaOptions(parts=("coefficients",)),
    )
    assert nothing.human["h"].ceiling["m"]["spearman"]["share"]["value"] is None
