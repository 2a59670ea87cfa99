"""The scales and guidelines that a campaign starts with."""

import pytest

from annotation.campaigns.templating.parts import (
    TEMPLATES,
    saved_template_add,
    saved_template_remove,
    template_named,
)
from annotation.campaigns.templating.queries import saved_get
from annotation.errors import Invalid, NotFound


@pytest.mark.parametrize("name", ["phrase", "sentence"])
def test_a_text_passes_from_meaning_3_and_grammar_4_on(name):
    """Five points each. Published results depend on these two numbers."""
    scales = TEMPLATES[name].scales
    assert [(one.name, one.threshold) for one in scales] == [("MEANING", 3), ("GRAMMAR", 4)]
    for one in scales:
        assert [value for value, _, _ in one.points] == [5, 4, 3, 2, 1]
        assert (one.minimum, one.maximum, one.step, one.level) == (1, 5, 1, "ordinal")
        assert one.higher_is_better and one.required


def test_direct_assessment_passes_from_70_of_100_on():
    scales = TEMPLATES["direct-assessment"].scales
    assert [(one.name, one.threshold) for one in scales] == [("ADEQUACY", 70), ("FLUENCY", 70)]
    assert {(one.minimum, one.maximum, one.level) for one in scales} == {(0, 100, "numeric")}


@pytest.mark.once  # Nothing is asked of the database.
@pytest.mark.parametrize("name", TEMPLATES)
def test_guidelines_explain_the_scales_of_their_own_template(name):
    template = TEMPLATES[name]
    explained = template.guidelines.split("**")[1::2]
    assert explained == [scale.name for scale in template.scales]


def test_templates_of_the_site_are_checked_and_found_by_name():
    with pytest.raises(Invalid, match="ours.yaml:1: there is no field"):
        saved_template_add(name="ours", label="Ours", text="scale: x", actor=None)
    saved_template_add(name="ours", label="", text="guidelines: Read.", actor=None)
    assert template_named("ours").guidelines == "Read."
    for name in ("ours", "phrase"):
        with pytest.raises(Invalid, match="There is a template"):
            saved_template_add(name=name, label="x", text="guidelines: x", actor=None)
    with pytest.raises(Invalid, match="letters, digits"):
        saved_template_add(name="a b", label="x", text="guidelines: x", actor=None)
    saved_template_remove(template=saved_get(user=None, name="ours"), actor=None)
    with pytest.raises(Invalid, match="use one of phrase, sentence, .*empty"):
        template_named("ours")
    with pytest.raises(NotFound):
        saved_template_remove(template=saved_get(user=None, name="ours"), actor=None)
