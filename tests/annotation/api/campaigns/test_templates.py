"""Templates and copies by program."""

from annotation.campaigns.templating.queries import template_of
from annotation.importers import read_template
from annotation.models import Campaign
from tests.annotation.api.campaigns.asked import CAMP
from tests.factories import make_campaign

CAMPAIGNS, TEMPLATES = "/api/v1/campaigns", "/api/v1/templates"
TEXT = "scales:\n- name: A\n"


def test_a_template_is_read_compared_and_applied(login):
    campaign = make_campaign()
    alice = login("alice")
    text = alice.get(f"{CAMP}/template").json()["template"]
    assert read_template(text.encode(), name="t").template == template_of(campaign=campaign)

    def put(**body):
        answer = alice.put(f"{CAMP}/template", {"template": "settings: {description: New}"} | body)
        return answer.status_code, answer.json()

    _, shown = put()
    assert shown["changes"] == [
        {"name": "description", "before": "", "after": "New", "refused": ""}
    ]
    assert not shown["applied"] and put(apply=True, seen="x")[0] == 409
    assert Campaign.objects.get().description == ""
    assert put(apply=True, seen=shown["digest"])[1]["applied"]
    assert Campaign.objects.get().description == "New"
    for wrong in ("settings: {order: depth}", "scales:\n- nam: A"):
        assert put(template=wrong, apply=True)[0] == 400
