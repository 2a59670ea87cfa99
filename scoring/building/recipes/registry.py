"""Recipes by name. A module is imported when its recipe is first asked for."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name

from paraanno.plain.sentence import say
from scoring.building.recipes.recipe import Recipe
from scoring.metrics.suggestion import with_suggestion

_TARGETS = {
    "corpus": "scoring.building.recipes.corpus:CORPUS",
    "lm": "scoring.building.recipes.language_model:LANGUAGE_MODEL",
    "vectors": "scoring.building.recipes.vectors:VECTORS",
    "paraphrases": "scoring.building.recipes.paraphrases:PARAPHRASES",
    "translations": "scoring.building.recipes.translations:TRANSLATIONS",
    "parametric": "scoring.building.recipes.parametric:PARAMETRIC",
    "pem_style": "scoring.building.recipes.pem_style:PEM_STYLE",
    "near_words": "scoring.building.recipes.near_words:NEAR_WORDS",
    "extrinsic": "scoring.building.recipes.extrinsic:EXTRINSIC",
    "test_set": "scoring.building.recipes.test_set:TEST_SET",
}


def names() -> tuple[str, ...]:
    """The names of all recipes, in display order."""
    return tuple(_TARGETS)


@cache
def recipe(name: str) -> Recipe:
    """The recipe called `name`; ValueError if there is none."""
    if name not in _TARGETS:
        problem = say(
            "There is no recipe called %(name)s; there are %(names)s.",
            name=name, names=", ".join(names()),
        )  # fmt: skip
        raise ValueError(with_suggestion(problem, name, names()))
    found: Recipe = resolve_name(_TARGETS[name])
    return found
