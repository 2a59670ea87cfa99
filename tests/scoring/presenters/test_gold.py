"""Labels of the gold methods, and the method that a form asks for."""

import pytest
from django.http import QueryDict

from scoring.gold.report import asked_method
from scoring.ratings.choice_form import value_methods
from scoring.stats.gold.compare import FIRST
from scoring.stats.gold.latent import CATALOGUE


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
