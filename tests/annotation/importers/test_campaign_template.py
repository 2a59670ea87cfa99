"""Templates of campaigns: what is in the file, and what is wrong in which line."""

import pytest
from hypothesis import given

from annotation.exporters.texts import write_template
from annotation.importers import campaign_template
from annotation.importers.campaign_template import read_template
from annotation.models import BackgroundQuestion, Campaign, QualityRule, Scale
from paraanno.common.panel_links import CampaignTemplate
from tests.annotation.importers.templates import templates

WRONG = """\
settings:
  annotators: 3
  order: random
scales:
- name: MEANING
  minimum: one
- GRAMMAR
practice:
  texts:
  - sentence: A word.
    paraphrase: term
panel:
- name: Crowd
  event_secret: abc
  token: def
checks:
  rules:
  - {check: copy, least: 2, share: 0.5, action: warn}
  - {check: copy, least: 5, share: 0.5, action: warn}
"""


def test_every_mistake_is_named_with_its_line():
    read = read_template(WRONG.encode(), name="t.yaml")
    assert read.template is None
    said = {one.line: str(one.message) for one in read.problems}
    assert "there is no field 'annotators' here" in said[2]
    assert said[3] == "is 'random': use one of breadth, depth, phrase, imported"
    assert said[6] == "must be a number"
    assert said[7].startswith("must have the fields name, question")
    assert said[10] == "is missing"
    assert said[14] == said[15]
    assert said[14].startswith("is a secret, which a template does not hold")
    assert said[19] == "this check leads to that action already: remove one"


@pytest.mark.parametrize("data", [b"", b"# nothing\n", b"- a\n", b"text"])
def test_a_file_without_fields_is_no_template(data):
    read = read_template(data, name="t.yaml")
    [problem] = read.problems
    assert str(problem).startswith("t.yaml:1: a template has the fields settings, scales")


def test_parts_that_are_not_there_are_not_said():
    read = read_template(b"guidelines: Read.\n", name="t.yaml")
    assert read.template == CampaignTemplate(guidelines="Read.")
    assert read.line(("scales", 3)) == 1
    assert read.line(("guidelines",)) == 1


@given(templates())
def test_what_is_written_is_read_again(template):
    read = read_template(write_template(template).encode(), name="t.yaml")
    assert read.problems == ()
    assert read.template == template


def test_the_words_are_those_of_the_models():
    for words, choices in (
        (campaign_template.LEVELS, Scale.Level),
        (campaign_template.ORDERS, Campaign.Order),
        (campaign_template.LAYOUTS, Campaign.Layout),
        (campaign_template.KINDS, BackgroundQuestion.Kind),
        (campaign_template.CHECK_NAMES, QualityRule.Check),
        (campaign_template.ACTIONS, QualityRule.Act),
    ):
        assert list(words) == choices.values
