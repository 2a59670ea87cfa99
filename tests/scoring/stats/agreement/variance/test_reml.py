"""REML with few annotators of different severity on many units, as in a campaign.

The likelihood is then flat towards large annotator variances, and rounding error there must not be
mistaken for a maximum.
"""

from dataclasses import astuple

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.agreement.icc import iccs
from scoring.stats.agreement.reml import one_way, two_way
from tests.scoring.stats.agreement.cases import rated


def simulated(seed, missing):
    rng = np.random.default_rng(seed)
    truth = rng.choice([1, 2, 3, 4, 5], 500)[:, None]
    values = truth - np.array([0.0, 0.6, -0.3]) + rng.normal(0, [0.35, 0.5, 1.0], (500, 3))
    values = np.clip(np.round(values), 1, 5)
    values[rng.random(values.shape) < missing] = np.nan
    return RatingTable.from_dense(values)


@pytest.mark.parametrize("seed", range(8))
def test_components_do_not_diverge(seed):
    """The true variances are about 2, 0.21 and 0.45; ICC(A,1) and ICC(C,1) are close."""
    table = simulated(seed, 0.1)
    found = two_way(table)
    assert 0.02 < found.annotator < 2  # the sample variance of three severities
    assert 1 < found.unit < 3
    values = iccs(table)
    assert values["icc_2_1"].value == pytest.approx(values["icc_3_1"].value, abs=0.15)


# 40 units, 3 of 6 annotators.
CELLS = (
    ".4..55.2.34..21.3..11..1.333...12..13..23.3.3.5.3.4..32..2.1.3..4112..4..3.4.43...531..1.2."
    ".121..33..3.45.5..33..2.1.2.3..45.4.22.4.33.5...33..3..2.433..35.2..34.11.3...223....233..."
    "334..22..132..3.21.3...2.45.3.3.4...33.3..554.2..12.4.4.5."
)
SPARSE = RatingTable.from_dense(
    np.array([float(cell) if cell != "." else np.nan for cell in CELLS]).reshape(40, 6)
)

WITHOUT_RESIDUAL = RatingTable.from_dense(
    [[1, 2, np.nan], [np.nan, 3, 4], [2, np.nan, 4], [4, 5, 6]]
)


@pytest.mark.parametrize(
    ("model", "table", "expected"),
    [
        # statsmodels 0.15.0 MixedLM, REML, crossed components of unit and annotator; and one-way.
        (two_way, SPARSE, (0.7567436628, 0.2882260478, 0.3956246611)),
        (one_way, SPARSE, (0.7435184803, 0, 0.6916666784)),
        # R lme4 1.1.31
        (two_way, rated("shrout_fleiss_1979"), (2.55555555, 5.24444444, 1.01944444)),
        # Without a residual they are the variances of 1, 2, 2, 4 and of 0, 1, 2.
        (two_way, WITHOUT_RESIDUAL, (19 / 12, 1, 0)),
    ],
)
def test_components_equal_those_of_other_programs(model, table, expected):
    assert astuple(model(table)) == pytest.approx(expected, abs=1e-5)
