"""Options of recipes that are names."""

import pytest

from scoring.building.recipes.recipe import ColumnOption, NamesOption

NAMES = NamesOption("which", "a+b", "", allowed=("a", "b", "c"))


def test_names_are_kept_once_and_in_order():
    assert NAMES.read("recipe", " c + a+c") == "c+a"
    assert NamesOption("which", "a", "").read("recipe", "x+y") == "x+y"


@pytest.mark.parametrize("given", ["", "+", "a+d"])
def test_other_names_are_refused(given):
    with pytest.raises(ValueError, match=r"recipe: which=.* is not allowed.*a, b, c"):
        NAMES.read("recipe", given)


def test_a_column_without_a_name_is_the_usual_one():
    column = ColumnOption("column", "text", "")
    assert (column.read("recipe", " "), column.read("recipe", " review ")) == ("text", "review")
