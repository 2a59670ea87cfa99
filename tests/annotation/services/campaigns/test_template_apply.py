"""A campaign becomes what a template says, or stays as it is."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.changes import template_changes
from annotation.models import AuditEntry, Guideline
from annotation.verify import verify
from paraanno.common.panel_links import CampaignTemplate
from tests.annotation.importers.templates import templates
from tests.factories import ask_question, give_answers, make_annotator, make_campaign, new_campaign

# Once: no statement here that others do not run on PostgreSQL.
pytestmark = pytest.mark.once


@pytest.mark.slow
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(templates(), templates())
def test_a_draft_becomes_any_template(one, other):
    with transaction.atomic():
        campaign = new_campaign("made", template=one)
        template_apply(campaign=campaign, template=other, actor=None)
        campaign.refresh_from_db()
        assert template_changes(campaign=campaign, template=other) == []
        assert template_apply(campaign=campaign, template=other, actor=None) == []
        assert verify(campaign=campaign) == []
        transaction.set_rollback(True)


def test_an_open_campaign_takes_what_may_change():
    campaign = make_campaign(k=2)
    ask_question(campaign, "Age?", name="age")
    give_answers(make_annotator(campaign), {})
    wanted = CampaignTemplate(
        settings={"annotators_per_sheet": 3}, guidelines="New.", consent="Agree?", background=()
    )
    template_apply(campaign=campaign, template=wanted, actor=None)
    campaign.refresh_from_db()
    assert campaign.slots.count() == 3 * campaign.sheets.count()
    assert Guideline.objects.get(version=2).text == "New."
    [question] = campaign.background_questions.all()
    assert question.hidden_at is not None and question.answers.exists()
    entry = AuditEntry.objects.get(verb="apply template")
    assert "guidelines" in entry.data["changes"]
