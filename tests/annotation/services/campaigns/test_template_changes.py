"""What a template would change, and what may not change any more."""

from dataclasses import replace

from annotation.campaigns.services import campaign_open
from annotation.campaigns.templating.changes import template_changes
from annotation.campaigns.templating.queries import template_of
from annotation.models import Campaign
from annotation.people.background import Question, background_answer, question_add
from paraanno.common.panel_links import CampaignTemplate, QuestionTemplate, ScaleTemplate
from tests.factories import make_annotator, make_campaign, rate_all


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
    campaign = campaign_open(campaign=campaign, actor=None)
    refused = {name for name, why in told(campaign, wanted).items() if why}
    assert refused == {"order", "MEANING: question", "NEW", "GRAMMAR"}
    turned = CampaignTemplate(scales=(grammar, meaning))
    assert list(told(campaign, turned)) == ["order of scales"]


def test_a_question_that_somebody_answered_keeps_its_words():
    campaign = make_campaign()
    question_add(campaign=campaign, question=Question("Age?", name="age"), actor=None)
    question_add(campaign=campaign, question=Question("Where?", name="place"), actor=None)
    background_answer(annotator=make_annotator(campaign), answers={})
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
