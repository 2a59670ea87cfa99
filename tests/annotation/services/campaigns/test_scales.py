"""Scales and templates: what they start with, what may change, and what is refused in them."""

from dataclasses import replace
from functools import partial

import pytest

from annotation.campaigns.scales import (
    names_apart,
    scale_change,
    scale_of,
    scale_remove,
    scales_of,
)
from annotation.campaigns.templating.changes import template_changes, template_read
from annotation.campaigns.templating.parts import (
    TEMPLATES,
    practice_texts_write,
    saved_template_add,
    saved_template_remove,
    template_named,
)
from annotation.campaigns.templating.queries import saved_get, template_of
from annotation.errors import Invalid, NotFound
from annotation.models import AuditEntry, Campaign, ImportedGold, PracticeText, Scale
from paraanno.common.panel_links import (
    CampaignTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    ScaleTemplate,
)
from tests.factories import (
    ask_question,
    give_answers,
    make_annotator,
    make_campaign,
    make_user,
    new_campaign,
    open_campaign,
    rate_all,
)

MEANING = TEMPLATES["phrase"].scales[0]
STYLE = ScaleTemplate(
    "STYLE",
    "Is the tone kept?",
    points=((2, "Yes", ""), (0, "No", "")),
    maximum=2,
    minimum=0,
    threshold=1,
)


@pytest.fixture
def meaning():
    campaign = make_campaign(items=1, open_it=False, cast=False)
    return campaign.scales.get(name="MEANING")


def state(scale):
    scale.refresh_from_db()
    points = tuple(scale.points.values_list("value", "label"))
    return scale.name, scale.minimum, scale.maximum, scale.threshold, points


def unchangeable(scale, why):
    for act in (partial(scale_change, template=STYLE), scale_remove):
        with pytest.raises(Invalid, match=why):
            act(scale=scale, actor=None)


def test_a_change_replaces_settings_and_points_and_the_log_has_what_differs(meaning):
    changed = scale_change(scale=meaning, template=STYLE, actor=make_user("alice"))
    assert changed.pk == meaning.pk
    assert state(meaning) == ("STYLE", 0, 2, 1, ((2, "Yes"), (0, "No")))
    [entry] = AuditEntry.objects.filter(verb="change scale")
    assert entry.data["before"]["threshold"] == 3 and entry.data["after"]["threshold"] == 1
    assert "level" not in entry.data["before"] and "level" not in entry.data["after"]


def test_only_a_threshold_that_moved_enters_the_history(meaning):
    for template in (replace(MEANING, question="Why?"), replace(MEANING, threshold=2)):
        scale_change(scale=meaning, template=template, actor=None)
    assert [one.threshold for one in meaning.threshold_changes.all()] == [3, 2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": ((3, "Beyond", ""),)},
        {"points": ((0.5, "Between", ""),)},
        {"points": ((1, "One", ""), (1, "Another", ""))},
        {"name": "grammar"},  # As that of the other one.
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(meaning, wrong):
    before = state(meaning)
    with pytest.raises(Invalid):
        scale_change(scale=meaning, template=replace(STYLE, **wrong), actor=None)
    assert state(meaning) == before
    assert not AuditEntry.objects.filter(verb="change scale").exists()


def test_imported_gold_fixes_its_scale_and_no_other(meaning):
    campaign = meaning.campaign
    text = campaign.substitutions.order_by("pk")[0]
    ImportedGold.objects.create(
        campaign=campaign, substitution=text, scale=meaning, value=4, source="paper"
    )
    unchangeable(meaning, "values on MEANING already")
    scale_remove(scale=campaign.scales.get(name="GRAMMAR"), actor=None)
    assert [scale.name for scale in campaign.scales.all()] == ["MEANING"]


def test_a_campaign_opened_since_the_scale_was_read_is_asked_again(meaning):
    assert meaning.campaign.opened_at is None
    open_campaign(meaning.campaign)
    unchangeable(meaning, "fixed since the campaign was opened")


def test_the_last_scale_stays(meaning):
    scale_remove(scale=meaning, actor=None)
    with pytest.raises(Invalid, match="at least one scale"):
        scale_remove(scale=Scale.objects.get(), actor=None)
    assert Scale.objects.get().name == "GRAMMAR"


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


PRACTICE = "practice:\n  texts:\n  "
SCALE = "scales:\n- name: A\n  points: [{value: 1}, {value: 2}]\n"
TEXT = "- {sentence: a b a, phrase: b, paraphrase: c, expected: {A: {low: 1}}}\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("settings:\n  language: no such tag", 2, "language tag"),
        ("settings:\n  order: depth\n  shared_share: 2", 3, "between 0 and 1"),
        ("settings: {annotators_per_sheet: 0}", 1, "between 1 and 1,000"),
        (f"{SCALE}- name: a", 4, "There is a scale a already"),
        (f"{SCALE}- name: A_n", 4, "cannot have this name"),
        (f"{SCALE}  threshold: 7", 2, "must be on the scale"),
        ("background:\n- {name: x y, wording: Who?}", 2, "letters, digits"),
        ("background:\n- {name: x, wording: Who?, kind: choice, options: [a]}", 2, "at least two"),
        ("background:\n- {name: x}", 2, "needs a wording"),
        (f"{SCALE}practice: {{share: 0}}", 4, "above 0 and at most 1"),
        (f"{SCALE}practice: {{tolerance: {{B: 1}}}}", 4, "There is no scale B"),
        (f"{SCALE}practice: {{tolerance: {{A: 9}}}}", 4, "not wider than its scale"),
        (f"{SCALE}{PRACTICE}{TEXT}  {TEXT}", 7, "there twice"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('low: 1', 'low: 3')}", 6, "on the scale"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('A:', 'B:')}", 6, "There is no scale B"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('phrase: b', 'phrase: a')}", 6, "more than once"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('phrase: b', 'phrase: x')}", 6, "its phrase"),
        (f"{SCALE}{PRACTICE}{TEXT.replace('- {', '- {start: 1, ')}", 6, "at start"),
        ("checks:\n  delay_least: 9", 1, "must not exceed"),
        ("checks: {repeat_share: 2}", 1, "between 0 and 1"),
        ("checks:\n  rules:\n  - {check: fast, least: 1, share: 2, action: note}", 3, "at most 1"),
    ],
)
def test_it_is_refused_at_its_line(text, line, said):
    read = template_read(data=text.encode(), name="t.yaml")
    assert read.template is None
    [problem] = read.problems
    assert said in str(problem.message)
    assert str(problem).startswith(f"t.yaml:{line}: ")


def test_options_are_tidied_as_the_page_does():
    text = "background:\n- {name: x, wording: Who?, kind: choice, options: [a , b, a]}"
    read = template_read(data=text.encode(), name="t.yaml")
    assert read.template is not None and read.template.background is not None
    assert read.template.background[0].options == ("a", "b")


def test_nothing_is_made_of_a_template_with_a_part_that_does_not_fit():
    """Tolerances of scales that the file does not have are looked at when it is used."""
    read = template_read(data=b"practice: {tolerance: {OTHER: 1}}", name="t.yaml")
    assert read.template is not None
    with pytest.raises(Invalid, match="There is no scale OTHER"):
        new_campaign("new", template=read.template)
    assert not Campaign.objects.exists()


def test_a_practice_text_of_an_unknown_scale_is_refused():
    campaign = make_campaign(open_it=False)
    text = PracticeTextTemplate("A word.", "word", "term", {"OTHER": (1, 2, "")})
    with pytest.raises(Invalid, match="there is no scale"):
        practice_texts_write(campaign=campaign, texts=[text], actor=None)
    assert not PracticeText.objects.exists()


def told(campaign, template):
    """Why each change is refused, by its name."""
    changes = template_changes(campaign=campaign, template=template)
    return {one.name: one.refused for one in changes}


def test_what_is_fixed_once_open_is_refused_by_name():
    campaign = make_campaign(open_it=False)
    meaning, grammar = template_of(campaign=campaign).scales or ()
    wanted = CampaignTemplate(
        settings={"order": "depth", "lease_minutes": 30},
        scales=(replace(meaning, question="Another?", threshold=4), ScaleTemplate("NEW", "?")),
    )
    names = ["order", "lease_minutes", "MEANING: question", "MEANING: threshold", "NEW", "GRAMMAR"]
    assert told(campaign, wanted) == dict.fromkeys(names, "")
    campaign = open_campaign(campaign)
    refused = {name for name, why in told(campaign, wanted).items() if why}
    assert refused == {"order", "MEANING: question", "NEW", "GRAMMAR"}
    turned = CampaignTemplate(scales=(grammar, meaning))
    assert list(told(campaign, turned)) == ["order of scales"]


def test_a_question_that_somebody_answered_keeps_its_words():
    campaign = make_campaign()
    ask_question(campaign, "Age?", name="age")
    ask_question(campaign, "Where?", name="place")
    give_answers(make_annotator(campaign), {})
    wanted = (QuestionTemplate("age", "How old?"), QuestionTemplate("work", "What?"))
    found = told(campaign, CampaignTemplate(background=wanted))
    assert found == {"age": "somebody has answered it", "work": "", "place": ""}


def test_scales_with_values_are_fixed_in_a_draft_too():
    campaign = make_campaign()
    rate_all(make_annotator(campaign))
    Campaign.objects.update(opened_at=None)
    campaign.refresh_from_db()
    found = told(campaign, CampaignTemplate(scales=()))
    assert found == dict.fromkeys(["MEANING", "GRAMMAR"], "there are values on it already")
