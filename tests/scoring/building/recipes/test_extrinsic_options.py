"""Options of the recipe `extrinsic`."""

from __future__ import annotations

import pytest

from scoring.building.recipes.extrinsic_options import OPTIONS

BY_NAME = {one.name: one for one in OPTIONS}


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [("split", "usual", "usual"), ("split", "60, 0, 40", "60,0,40"), ("metrics", "", "none"),
     ("metrics", "pinc+bleu", "pinc+bleu"), ("classifiers", "nb+lstm", "nb+lstm")],
)  # fmt: skip
def test_what_is_allowed(name: str, given: str, kept: str) -> None:
    assert BY_NAME[name].read("extrinsic", given) == kept


@pytest.mark.parametrize(
    ("name", "given"),
    [("split", "0,1,2"), ("split", "1,2,0"), ("split", "1,2"), ("split", "a,b,c"),
     ("metrics", "nothing"), ("classifiers", "tree"), ("repeat", "0")],
)  # fmt: skip
def test_what_is_not(name: str, given: str) -> None:
    with pytest.raises(ValueError, match=given):
        BY_NAME[name].read("extrinsic", given)
