"""Every method of gold, once: its name, what pages call it and say of it, how it is computed."""

import pytest

from scoring.stats.gold.catalogue import METHODS
from scoring.stats.gold.table import GoldMethod


@pytest.mark.parametrize("text", [*METHODS, "adjudicated", "adjudicated-mace"])
def test_methods_by_name(text):
    method = GoldMethod.parse(text)
    assert method.text == text
    assert method.adjudicated == text.startswith("adjudicated")
