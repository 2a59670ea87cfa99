"""Gold of decisions by Dawid-Skene and by MACE."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import RatingTable
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.latent import dawid_skene_gold, mace_gold
from tests.scoring.stats.gold.simulated import NA


def test_a_class_that_an_annotator_never_met_has_no_error_rate():
    # Annotator 3 saw two units only, which all agree on.
    matrix = [[1, 1, 1, 1]] * 2 + [[0, 0, 0, NA]] * 4
    found = dawid_skene_gold(RatingTable.from_dense(matrix))
    assert np.isnan(found.model.confusion[3, 0]).all()
    assert found.gold.value.tolist() == [1, 1, 0, 0, 0, 0]


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
