"""Histograms of gold: every text is in a bar, and those that pass are told apart."""

from scoring.gold.words import gold_bars
from scoring.stats.resampling import Threshold


def column(distribution):
    return {"distribution": distribution}


def test_texts_are_counted_on_either_side_of_the_threshold():
    given = {"1": 2, "2.5": 3, "4": 5, "5": 1}
    for limit, passing in ((Threshold(4.0), 6), (Threshold(2.5, False), 5)):
        [found] = gold_bars({"M": column(given), "N": column({})}, {"M": limit})
        assert (found.name, found.n, found.passing, found.most) == ("M", 11, passing, 5)
        assert sum(bar.n for bar in found.bars if bar.passes) == passing
        assert found.threshold == found.axis.at(limit.value)


def test_without_a_threshold_all_bars_are_alike():
    [found] = gold_bars({"M": column({"1": 1, "3": 1})}, {})
    assert found.threshold is None and found.passing is None
    assert all(bar.passes for bar in found.bars) and found.bars[0].height == "100.00%"


def test_binned_values_do_not_say_how_many_pass():
    given = {f"{at / 4:.4g}": 1 for at in range(20)}
    [found] = gold_bars({"M": column(given)}, {"M": Threshold(2.0)})
    assert found.passing is None and found.threshold is not None and found.n == 20
