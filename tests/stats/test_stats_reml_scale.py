"""REML where annotators differ: three of them on many units, as a campaign has them.

With few annotators the likelihood is flat towards large annotator variances, and a rounding error
there must not look like a maximum.
"""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.reliability import iccs
from scoring.stats.reml import Components, profile, two_way
from scoring.stats.reml_sums import sums


def simulated(seed: int, missing: float) -> RatingTable:
    rng = np.random.default_rng(seed)
    truth = rng.choice([1, 2, 3, 4, 5], 500)[:, None]
    values = truth - np.array([0.0, 0.6, -0.3]) + rng.normal(0, [0.35, 0.5, 1.0], (500, 3))
    values = np.clip(np.round(values), 1, 5)
    values[rng.random(values.shape) < missing] = np.nan
    return RatingTable.from_dense(values)


@pytest.mark.parametrize("seed", range(8))
def test_components_stay_where_the_data_are(seed: int) -> None:
    """The true variances are about 2, 0.21 and 0.45; ICC(A,1) and (C,1) stand close together."""
    table = simulated(seed, 0.1)
    found = two_way(table)
    assert 0.02 < found.annotator < 2  # the sample variance of three severities
    assert 1 < found.unit < 3
    values = iccs(table)
    assert values["icc_2_1"].value == pytest.approx(values["icc_3_1"].value, abs=0.15)


@pytest.mark.parametrize("seed", range(3))
def test_incomplete_reml_agrees_with_the_anova_of_complete_data(seed: int) -> None:
    """On complete data REML and ANOVA are the same estimates (Searle, Casella, McCulloch 1992)."""
    table = simulated(seed, 0.0)
    values = table.dense()
    n, k = values.shape
    grand = values.mean()
    rows = k * ((values.mean(1) - grand) ** 2).sum() / (n - 1)
    columns = n * ((values.mean(0) - grand) ** 2).sum() / (k - 1)
    error = (((values - grand) ** 2).sum() - rows * (n - 1) - columns * (k - 1)) / (
        (n - 1) * (k - 1)
    )
    expected = Components((rows - error) / k, (columns - error) / n, error)
    found = two_way(table)
    assert found.unit == pytest.approx(expected.unit, rel=1e-3)
    assert found.annotator == pytest.approx(expected.annotator, rel=1e-3)
    assert found.residual == pytest.approx(expected.residual, rel=1e-3)


def test_the_likelihood_falls_towards_infinite_annotator_variance() -> None:
    s = sums(simulated(0, 0.1), with_annotators=True)
    far = [profile(s, 4.0, ratio)[0] for ratio in (1e3, 1e5, 1e7, 1e9, 1e11)]
    assert far == sorted(far)
