"""Recipes by name."""

from __future__ import annotations

import pytest

from scoring.building.recipes.registry import names, recipe
from scoring.metrics.resources.kinds import kinds


@pytest.mark.parametrize("name", names())
def test_every_recipe_makes_and_takes_resources(name: str) -> None:
    found = recipe(name)
    assert found.name == name
    # A test set goes into a campaign, and is not uploaded as a resource.
    assert {found.kind, *found.inputs.values()} <= {*kinds(), "test_set"}
    assert found.optional <= set(found.inputs)
    assert len({stage.name for stage in found.stages}) == len(found.stages)
    assert found.read({}).keys() == {option.name for option in found.options}


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(ValueError, match="Did you mean corpus"):
        recipe("corpsu")
