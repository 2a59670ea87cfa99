"""Labels of the gold methods, and the method that a form asks for."""

import pytest
from django.http import QueryDict

from scoring.gold.report import asked_method
from scoring.gold.words import gold_bars
from scoring.ratings.choice_form import value_methods
from scoring.stats.gold.compare import FIRST
from scoring.stats.gold.latent import CATALOGUE
from scoring.stats.resampling import Threshold


@pytest.mark.parametrize(
    ("query", "method"),
    [
        ("", "mean"),
        ("method=", "mean"),
        ("method=median", "median"),
        ("adjudicated=on", "adjudicated"),
        ("method=mean&adjudicated=on", "adjudicated"),
        ("method=median&adjudicated=on", "adjudicated-median"),
        ("method=z&adjudicated=on", "z"),  # Not on the scale, as adjudicated values are.
        ("method=nonsense&adjudicated=on", "nonsense"),  # Whoever parses it refuses it.
    ],
)
def test_the_method_of_a_form(query, method):
    assert asked_method(QueryDict(query)) == method


def test_correlation_needs_values_on_a_scale():
    keys = [key for key, _ in value_methods()]
    assert keys[-1] == FIRST
    assert not {one.key for one in CATALOGUE if one.decides} & set(keys)
    assert {"mean", "median", "z"} <= set(keys)


# Histograms of gold: every text is in a bar, and those that pass are told apart.


def column(distribution):
    return {"distribution": distribution}


def test_texts_are_counted_on_either_side_of_the_threshold():
    given = {"1": 2, "2.5": 3, "4": 5, "5": 1}
    for limit, passing in ((Threshold(4.0), 6), (Threshold(2.5, False), 5)):
        [found] = gold_bars({"M": column(given), "N": column({})}, {"M": limit})
        assert (found.name, found.n, found.passing) == ("M", 11, passing)
        assert sum(n for _low, _high, n, passes in found.file.bars if passes) == passing
        assert found.file.threshold == limit.value
        assert found.drawing.count("<rect ") == 4 + 2  # Two are of the legend.


def test_without_a_threshold_all_bars_are_alike():
    [found] = gold_bars({"M": column({"1": 1, "3": 1})}, {})
    assert found.file.threshold is None and found.passing is None
    assert all(bar[3] for bar in found.file.bars)


def test_binned_values_do_not_say_how_many_pass():
    given = {f"{at / 4:.4g}": 1 for at in range(20)}
    [found] = gold_bars({"M": column(given)}, {"M": Threshold(2.0)})
    assert found.passing is None and found.file.threshold is not None and found.n == 20
