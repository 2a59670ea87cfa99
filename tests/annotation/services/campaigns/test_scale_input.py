"""Scales of one's own: what may be left out, and what is refused in which words."""

import pytest

from annotation.campaigns.scales import (
    names_apart,
    scale_of,
    scales_of,
)
from annotation.errors import Invalid
from paraanno.common.panel_links import ScaleTemplate

YES_NO = {
    "name": "SAFE",
    "question": "May this be published?",
    "level": "nominal",
    "threshold": 1,
    "points": [{"value": 0, "label": "No"}, {"value": 1, "label": "Yes", "anchor": "Anywhere."}],
}


def test_the_range_of_a_scale_is_that_of_its_points():
    assert scale_of(YES_NO) == ScaleTemplate(
        "SAFE",
        "May this be published?",
        ((0, "No", ""), (1, "Yes", "Anywhere.")),
        level="nominal",
        minimum=0,
        maximum=1,
        threshold=1,
    )
    assert scale_of({"name": "X"}) == ScaleTemplate("X", "")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": " "}, "needs a name"),
        ({"name": "N" * 41}, "name is a text of at most 40 characters"),
        ({"level": "ratio"}, "SAFE: the level is one of nominal, ordinal, numeric, interval"),
        ({"minimum": 2}, "the minimum must be below"),
        ({"step": 0}, "the step must be greater than 0"),
        ({"maximum": 1.5}, "the steps from the minimum do not reach the maximum"),
        ({"threshold": 2}, "The threshold of SAFE must be on the scale"),
        ({"threshold": float("nan")}, "threshold is a number"),
        ({"threshold": True}, "threshold is a number"),
        ({"required": "yes"}, "required is true or false"),
        ({"points": [{"value": 0}, {"value": 0}], "maximum": 1}, "one label only"),
        ({"points": [{"value": 0}, {"value": 0.5}, {"value": 1}]}, "point 0.5 is not on the scale"),
        ({"points": [{"label": "No"}]}, "value is a number"),
        ({"points": ["No"]}, "give an object with the fields value, label, anchor"),
        ({"colour": "red"}, "there is no field colour: use name, question"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_scale(wrong, words):
    with pytest.raises(Invalid) as refused:
        scale_of({**YES_NO, **wrong})
    assert words in str(refused.value.message)


@pytest.mark.parametrize(
    ("scales", "words"),
    [
        ({"name": "X"}, "a list of objects"),
        ([], "between 1 and 100"),
        ([{"name": "Style"}, {"name": "STYLE"}], "a scale STYLE already"),
        (["MEANING"], "give an object"),
    ],
)
def test_a_list_of_scales_has_different_names(scales, words):
    with pytest.raises(Invalid) as refused:
        scales_of(scales)
    assert words in str(refused.value.message)


@pytest.mark.parametrize("name", ["item", "systems", "pass", "reference_2", "attr.x", "B_sd"])
def test_a_scale_cannot_have_the_name_of_a_column_of_gold(name):
    with pytest.raises(Invalid, match="files of gold have a column"):
        names_apart(["B", name])
    names_apart(["B", "MEANING", "B"])  # A name given twice has an answer of its own.
