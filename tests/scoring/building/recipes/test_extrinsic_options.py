"""Options of the recipe `extrinsic`."""

import re

import pytest

from scoring.building.recipes.extrinsic import OPTIONS, need_vectors

BY_NAME = {one.name: one for one in OPTIONS}


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("split", "usual", "usual"),
        ("split", "60, 0, 40", "60,0,40"),
        ("metrics", "", "none"),
        ("metrics", "pinc+bleu", "pinc+bleu"),
        ("classifiers", "nb+svm", "nb+svm"),
    ],
)
def test_what_is_allowed(name, given, kept):
    assert BY_NAME[name].read("extrinsic", given) == kept


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("split", "0,1,2"),
        ("split", "1,2,0"),
        ("split", "1,2"),
        ("split", "a,b,c"),
        ("metrics", "nothing"),
        ("metrics", "pinc+paraeval"),
        ("classifiers", "tree"),
        ("repeat", "0"),
    ],
)
def test_what_is_not(name, given):
    with pytest.raises(ValueError, match=re.escape(given)):
        BY_NAME[name].read("extrinsic", given)


def test_which_metrics_need_vectors():
    assert need_vectors("pinc+weem4pg") == ["weem4pg"]
    assert need_vectors("none") == []
