"""How many originals would tell two metrics apart, if they differ as much as they seem to."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.stats import Bootstrap
from scoring.stats.evaluation.pair_tests import comparisons
from scoring.stats.evaluation.pairwise import accuracies
from scoring.stats.evaluation.power import powers
from tests.scoring.stats.evaluation.originals import data
from tests.simulate import samples, show, slack


@pytest.mark.parametrize("coefficient", ["pearson", "pairwise_accuracy"])
def test_the_error_of_a_difference_is_that_of_the_bootstrap(coefficient: str) -> None:
    human, metrics, codes = data(150)
    if coefficient == "pairwise_accuracy":
        # A great gap and very unequal numbers of pairs: the error is that of a ratio.
        human = np.round(human / 2)
        metrics["fair"] = -metrics["fair"]
    (found,) = powers(human, metrics, codes, coefficient=coefficient)
    assert found.error is not None
    if coefficient == "pearson":
        (row,) = comparisons(human, metrics, codes, plan=Bootstrap(2000, 1))
        assert row.difference is not None and row.difference.value is not None
        assert found.difference.value == pytest.approx(row.difference.value)
        width = (row.difference.ci_high or 0) - (row.difference.ci_low or 0)
        assert found.error == pytest.approx(width / 3.92, rel=0.1)
    else:
        gap = [one.value or 0 for one in accuracies(human, metrics, codes).values()]
        assert found.difference.value == pytest.approx(gap[0] - gap[1])
        left = []
        for one in range(150):
            rows = codes != one
            part = accuracies(human[rows], {k: v[rows] for k, v in metrics.items()}, codes[rows])
            left.append((part["good"].value or 0) - (part["fair"].value or 0))
        jackknife = np.sqrt(149 / 150 * ((np.array(left) - np.mean(left)) ** 2).sum())
        assert found.error == pytest.approx(jackknife, rel=0.03)


def test_originals_needed() -> None:
    human, metrics, codes = data(60)
    (found,) = powers(human, metrics, codes)
    assert found.needed is not None and found.error is not None and found.power is not None
    gap = abs(found.difference.value or 0)
    # z of .975 and of .8: (1.960 + 0.842) errors of the difference.
    assert found.needed == int(np.ceil(60 * (2.8015852 * found.error / gap) ** 2))
    assert found.units_needed == 4 * found.needed
    at_needed = dict(found.curve)[found.needed]
    assert at_needed == pytest.approx(0.8, abs=0.02)
    assert [p for _, p in found.curve] == sorted(p for _, p in found.curve)
    (same,) = powers(human, {"a": metrics["good"], "b": metrics["good"]}, codes)
    assert same.needed is None and same.difference.value == 0
    (few,) = powers(human[:8], {k: v[:8] for k, v in metrics.items()}, codes[:8])
    assert few.difference.value is None and "5 originals" in few.difference.reason
    with pytest.raises(ValueError, match="originals"):
        powers(human, metrics, coefficient="pairwise_accuracy")
    with pytest.raises(ValueError, match="coefficient is one of"):
        powers(human, metrics, codes, coefficient="kendall")
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.simulation
@pytest.mark.slow
def test_as_many_originals_as_foretold_tell_metrics_apart() -> None:
    """From one large study; then studies of that size, tested by the default permutation."""
    (plan,) = powers(*data(4000, seed=7))
    assert plan.needed is not None
    found, many = 0, samples(300)
    for seed in range(many):
        human, metrics, codes = data(plan.needed, seed=1000 + seed)
        (row,) = comparisons(human, metrics, codes, permutations=199)
        found += (row.tests["permutation_p"].p_value or 0) <= 0.05
    show(f"{plan.needed} originals", many, found=found / many)
    assert found / many == pytest.approx(0.8, abs=0.03 + slack(0.8, many))
