"""What writes refuses a campaign that is archived away, whichever way it comes."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from annotation.campaigns.services import campaign_put_away
from annotation.collecting.claiming import claim_next
from annotation.errors import Conflict, NotAllowed
from annotation.models import Campaign, Panel, Participant, Slot
from annotation.panels.participation import panel_enter
from annotation.panels.services import panel_create
from annotation.people.annotators import WrongAnnotator, own_annotator
from annotation.people.membership import invitation_create
from tests.factories import close_campaign, join, make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db

# Commands that name a campaign and change nothing of it.
READ = {
    "archive",
    "copy_campaign",
    "create_task",
    "export",
    "extrinsic",
    "gold",
    "inspect_table",
    "package",
    "results",
    "template",
    "verify",
}
WRITE = {
    "apply": ["FILE.yaml", "camp"],
    "import_gold": ["camp", "FILE.csv"],
    "import_items": ["camp", "FILE.csv"],
    "import_judgments": ["camp", "FILE.csv"],
    "import_lists": ["camp", "FILE.csv"],
    "import_scores": ["camp", "FILE.csv"],
    "open_campaign": ["camp"],
    "run_metric": ["camp", "--metric", "pinc"],
    "take_back": ["camp", "00000000-0000-0000-0000-000000000000"],
}
OURS = ("annotation", "scoring")


def put_away(campaign):
    campaign_put_away(campaign=close_campaign(campaign), actor=None)


def test_every_command_that_writes_refuses(tmp_path):
    campaign = make_campaign(items=1)
    put_away(campaign)
    (tmp_path / "FILE.csv").write_text("item\nx\n")
    (tmp_path / "FILE.yaml").write_text("name: Other\n")
    named = set()
    for name, app in get_commands().items():
        if str(app).startswith(OURS):
            parser = load_command_class(str(app), name).create_parser("manage.py", name)
            if any(one.dest == "campaign" and not one.option_strings for one in parser._actions):
                named.add(name)
    assert named - READ == set(WRITE)
    before = Campaign.objects.values().get(pk=campaign.pk)
    for name, arguments in WRITE.items():
        given = [str(tmp_path / one) if one.startswith("FILE") else one for one in arguments]
        with pytest.raises(CommandError) as refused:
            call_command(name, *given, stdout=StringIO(), stderr=StringIO())
        assert refused.value.returncode == 2, name
        assert "This campaign is archived" in str(refused.value), name
    assert Campaign.objects.values().get(pk=campaign.pk) == before


def test_nobody_comes_in_and_nothing_is_saved(client):
    campaign = make_campaign(items=2)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    panel = panel_create(campaign=campaign, actor=None, name="Crowd", sheets_per_person=1)
    part = panel_enter(panel=panel, platform_id="known")
    _invitation, token = invitation_create(campaign=campaign, actor=None)
    put_away(campaign)
    panel = Panel.objects.select_related("campaign").get()
    with pytest.raises(Conflict):
        panel_enter(panel=panel, platform_id="new")
    assert client.get(f"/p/{panel.token}?PROLIFIC_PID=known").status_code == 302
    assert client.get(f"/p/{panel.token}/end").status_code == 200
    client.post(f"/p/{panel.token}/leave")
    assert list(Participant.objects.values_list("pk", "outcome")) == [(part.pk, "")]
    with pytest.raises(NotAllowed):
        join(token, make_user("late"))
    assert bob.user is not None
    with pytest.raises(WrongAnnotator):
        own_annotator(user=bob.user, key=bob.key)
    client.force_login(bob.user)
    body = {
        "annotator": str(bob.key),
        "answers": [],
        "state": "claimed",
        "next": False,
        "beside": [],
    }
    saved = client.put(f"/api/v1/sheets/{sheet.key}", body, content_type="application/json")
    assert saved.status_code in (403, 404)
    client.force_login(make_user("alice"))
    for what, data in {"groups": {"name": "A"}, "panels": {"name": "B"}}.items():
        address = f"/api/v1/campaigns/{campaign.slug}/{what}"
        answer = client.post(address, data, content_type="application/json")
        assert answer.status_code == 403, what
    assert Slot.objects.get(annotator=bob).state == "claimed"
