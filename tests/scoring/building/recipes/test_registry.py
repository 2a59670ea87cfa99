"""Recipes by name."""

import pytest

from scoring.building.recipes.recipe import names, recipe
from scoring.metrics.resources.kinds import kinds


@pytest.mark.parametrize("name", names())
def test_every_recipe_makes_and_takes_resources(name):
    found = recipe(name)
    assert found.name == name
    # What is made here alone, and not uploaded as a resource.
    made = ("test_set", "extrinsic", "parametric", "regressor")
    assert {found.kind, *found.inputs.values()} <= {*kinds(), *made}
    assert found.optional <= set(found.inputs)
    stages = found.planned(found.read({}))
    assert stages and len({stage.name for stage in stages}) == len(stages)
    assert found.read({}).keys() == {option.name for option in found.options}


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(ValueError, match="Did you mean corpus"):
        recipe("corpsu")
