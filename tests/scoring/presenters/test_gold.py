"""Labels of the gold methods, and the method that a form asks for."""

import pytest
from django.http import QueryDict
from django.utils import translation

from scoring.gold.report import asked_method, method_choices, method_label
from scoring.ratings.choice_form import value_methods
from scoring.stats.gold.compare import FIRST
from scoring.stats.gold.latent import CATALOGUE, METHODS


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


def test_every_method_has_a_label_in_the_language_of_the_page():
    choices = method_choices()  # Made when the module of a form is loaded.
    assert [key for key, _ in choices] == list(METHODS)
    with translation.override("ko"):
        assert [str(label) for _, label in choices] == [method_label(key) for key in METHODS]
        assert method_label("mean") != "Mean"
    assert method_label("mean") == "Mean"


def test_correlation_needs_values_on_a_scale():
    keys = [key for key, _ in value_methods()]
    assert keys[-1] == FIRST
    assert not {one.key for one in CATALOGUE if one.decides} & set(keys)
    assert {"mean", "median", "z"} <= set(keys)
