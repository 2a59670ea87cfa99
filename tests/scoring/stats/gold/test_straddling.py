"""Which decisions of a gold standard hang on a thread: means close to a threshold."""

from dataclasses import replace

from scoring.stats import Threshold
from scoring.stats.gold.compare import straddling
from tests.scoring.stats.gold.small import NA, of


def test_units_near_the_threshold_and_what_one_annotator_decides():
    #        mean 3: without the 5 it fails; far off; 3.5: fails without the 5; one; none
    table = of([[5, 2, 2], [5, 5, 4], [5, 2, NA], [NA, 4, NA], [NA, NA, NA]])
    found = straddling(table, Threshold(3))
    assert found.passes.tolist() == [True, True, True, True, False]
    assert found.flips.tolist() == [1, 0, 1, 0, 0]
    assert found.flipped_by.tolist() == [2, 0, 0]
    assert found.alone.tolist() == [False, False, False, True, False]
    assert found.lost_by.tolist() == [0, 1, 0]
    assert found.units.tolist()[:2] == [0, 2]  # closest first
    assert found.straddles[0] and not found.straddles[4]
    down = straddling(table, Threshold(3, higher_is_better=False))
    assert down.passes.tolist() == [True, False, False, False, False]
    nobody = straddling(replace(table, anonymous=True), Threshold(3))
    assert nobody.flipped_by.sum() == 0 and nobody.flips.sum() == 2


def test_a_mean_on_the_threshold_is_not_turned_by_rounding():
    ratings = [0.1, 0.4, 0.1]
    # By a rounding error, which the sum() of Python 3.12 does not make.
    assert (ratings[0] + ratings[1] + ratings[2]) / 3 < 0.2
    found = straddling(of([ratings]), Threshold(0.2))
    assert found.passes.tolist() == [True]
    assert found.flips.tolist() == [1]  # only the 0.4 carries it
