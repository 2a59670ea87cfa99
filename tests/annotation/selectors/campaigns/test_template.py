"""A campaign as a template: what is made from a template gives it back."""

from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.changes import template_changes, template_read
from annotation.campaigns.templating.parts import TEMPLATES
from annotation.campaigns.templating.queries import template_of
from annotation.exporters.texts import write_template
from annotation.panels.services import panel_close, panel_create
from annotation.verify import verify
from tests.annotation.importers.templates import templates
from tests.factories import make_campaign, new_campaign

# Once: no statement here that others do not run on PostgreSQL.
pytestmark = pytest.mark.once


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(templates())
def test_what_is_made_from_a_template_gives_it_back(template):
    """Through the file, with every check of it."""
    with transaction.atomic():
        read = template_read(data=write_template(template).encode(), name="t.yaml")
        assert read.problems == ()
        assert read.template is not None
        campaign = new_campaign("made", template=read.template)
        campaign.refresh_from_db()
        assert template_of(campaign=campaign) == template
        assert verify(campaign=campaign) == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_starter_gives_itself_back_with_its_defaults(name):
    starter = TEMPLATES[name]
    found = template_of(campaign=new_campaign("made", template=name))
    assert (found.scales, found.guidelines) == (starter.scales, starter.guidelines)
    assert found.settings == {
        **found.settings,
        **starter.settings,
        "name": "made",
        "annotators_per_sheet": 3,
    }
    assert (found.consent, found.background) == ("", ())


def test_a_panel_goes_without_its_secrets_which_stay_when_it_is_applied():
    campaign = make_campaign(open_it=False)
    panel = panel_create(
        campaign=campaign,
        actor=None,
        name="Crowd",
        sheets_per_person=3,
        pay=Decimal("2.50"),
        event_secret="SECRET-OF-EVENTS",
        codes={"complete": "CODE-ONE"},
        return_url="https://platform.example/done?cc=CODE-ONE",
    )
    other = panel_create(campaign=campaign, actor=None, name="Old", sheets_per_person=1)
    panel_close(panel=other, closed=True, actor=None)
    template = template_of(campaign=campaign)
    text, token = write_template(template), panel.token
    assert [one.name for one in template.panel or ()] == ["Crowd"]
    assert not [one for one in (token, "SECRET-OF-EVENTS", "CODE-ONE") if one in text]
    assert template_changes(campaign=campaign, template=template) == []
    cheaper = template_read(data=b"panel: [{name: Crowd, pay: 2, sheets_per_person: 3}]", name="t")
    assert cheaper.template is not None
    [change] = template_apply(campaign=campaign, template=cheaper.template, actor=None)
    assert (change.name, change.before, change.after) == ("Crowd: pay", "2.5", "2")
    panel.refresh_from_db()
    assert (panel.pay, panel.token, panel.codes) == (2, token, {"complete": "CODE-ONE"})
    assert panel.return_url.endswith("CODE-ONE")
    made = new_campaign("made", template=template)
    [fresh] = made.panels.all()
    assert fresh.token != token and fresh.event_secret != panel.event_secret and fresh.codes == {}


def test_a_panel_that_cannot_be_is_refused_with_its_line():
    data = b"""panel:
- {name: One, return_url: "https://platform.example/done?cc=C1"}
- {name: Two, sheets_per_person: 0}
- {name: Three, pay: 1.234}
"""
    read = template_read(data=data, name="t.yaml")
    assert read.template is None
    said = {one.line: str(one.message) for one in read.problems}
    assert "holds a code" in said[2] and "from 1" in said[3] and "two digits" in said[4]
