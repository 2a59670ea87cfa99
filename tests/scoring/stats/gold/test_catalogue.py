"""Every method of gold, once: its name, what pages call it and say of it, how it is computed."""

import pytest

from scoring.stats.gold.compare import GoldMethod
from scoring.stats.gold.latent import METHODS


@pytest.mark.parametrize("text", [*METHODS, "adjudicated", "adjudicated-mace"])
def test_methods_by_name(text):
    method = GoldMethod.parse(text)
    assert method.text == text
    assert method.adjudicated == text.startswith("adjudicated")
