"""Gold of decisions by Dawid-Skene and by MACE."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import RatingTable
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.latent import dawid_skene_gold, mace_gold
from tests.scoring.stats.gold.simulated import NA, simulated


def test_a_class_that_an_annotator_never_met_has_no_error_rate():
    # Annotator 3 saw two units only, which all agree on.
    matrix = [[1, 1, 1, 1]] * 2 + [[0, 0, 0, NA]] * 4
    found = dawid_skene_gold(RatingTable.from_dense(matrix))
    assert np.isnan(found.model.confusion[3, 0]).all()
    assert found.gold.value.tolist() == [1, 1, 0, 0, 0, 0]


def test_both_models_learn_whom_to_trust():
    """300 units, two good annotators, three who guess: majority errs, the models do not."""
    rng = np.random.default_rng(5)
    truth = rng.random(300) < 0.5
    good = np.where(rng.random((300, 2)) < 0.95, truth[:, None], ~truth[:, None])
    matrix = np.column_stack([good, rng.random((300, 3)) < 0.5]).astype(float)
    table = RatingTable.from_dense(matrix)
    majority = ((matrix.mean(axis=1) > 0.5) == truth).mean()
    for found in (dawid_skene_gold(table), mace_gold(table)):
        right = (found.gold.value == truth).mean()
        assert right > 0.9 > majority
        assert ((found.gold.confidence >= 0.5) & (found.gold.confidence <= 1)).all()
    competence = mace_gold(table).model.competence
    assert competence[:2].min() > 0.7 > 0.3 > competence[2:].max()


@pytest.mark.parametrize("method", [dawid_skene_gold, mace_gold])
@pytest.mark.parametrize(
    ("matrix", "anonymous", "reason"),
    [
        ([[1, 0], [0, 0]], False, "needs 3 annotators"),
        ([[1, NA, NA], [NA, 0, NA], [NA, NA, 1]], False, "no unit has two"),
        ([[1, 1, 1], [1, NA, 1]], False, "all decisions are the same"),
        ([[1, 0, 1]], True, ANONYMOUS),
    ],
)
def test_decisions_that_teach_nothing_give_a_reason(method, matrix, anonymous, reason):
    found = method(replace(RatingTable.from_dense(matrix), anonymous=anonymous))
    assert found.model is None and not found.gold.defined.any()
    assert reason in found.gold.rows()[0].reason


def test_equally_probable_decisions_are_no_decision():
    pairs = [[1, 0, NA], [0, 1, NA], [NA, 1, 0], [NA, 0, 1], [1, NA, 0], [0, NA, 1]]
    table = RatingTable.from_dense(pairs)
    found = mace_gold(table, restarts=0)
    assert {row.value for row in found.gold.rows()} == {None}
    assert "equally probable" in found.gold.rows()[0].reason


@pytest.mark.slow
@given(seed=st.integers(0, 30), mix=st.integers(0, 99))
@settings(max_examples=30)
def test_order_of_units_and_annotators_does_not_matter(seed, mix):
    table = simulated(seed, 20, 5)
    rng = np.random.default_rng(mix)
    unit, annotator = rng.permutation(20), rng.permutation(5)
    mixed = RatingTable.from_dense(table.dense()[unit][:, annotator])
    for method in (dawid_skene_gold, lambda t: mace_gold(t, restarts=0)):
        left, right = method(table).gold, method(mixed).gold
        np.testing.assert_allclose(right.confidence, left.confidence[unit], atol=1e-5)
