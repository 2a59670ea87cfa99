"""Templates and copies by program."""

from annotation.campaigns.templating.queries import template_of
from annotation.importers import read_template
from annotation.models import Campaign
from tests.annotation.api.campaigns.asked import CAMP
from tests.factories import make_admin, make_campaign

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


def test_a_campaign_is_made_from_a_text_and_copied(login):
    alice = login("alice")
    assert alice.post(CAMPAIGNS, {"slug": "camp", "template_text": TEXT}).status_code == 201
    answer = alice.post(f"{CAMP}/copies", {"slug": "two", "people": True})
    assert answer.status_code == 201
    assert answer.json()["copied_from"] == "camp" and answer.json()["pilot"] is False
    assert [one.name for one in Campaign.objects.get(slug="two").scales.all()] == ["A"]


def test_templates_of_the_site_are_offered_and_removed_by_administrators(login):
    make_admin()
    alice, adam = login("alice"), login("adam")
    found = alice.get(TEMPLATES).json()
    assert {"phrase", "validity-ko"} <= {one["name"] for one in found}
    body = {"name": "lab", "label": "Ours", "template": TEXT, "scope": "site"}
    made = adam.post(TEMPLATES, body)
    assert made.status_code == 201 and made.json().items() >= {**body, "site": True}.items()
    for wrong in (body, {"name": "bad", "template": "scale: A"}):
        assert adam.post(TEMPLATES, wrong).status_code == 400
    assert alice.get(f"{TEMPLATES}/lab").json()["template"] == TEXT
    assert "similarity" in alice.get(f"{TEMPLATES}/similarity").json()["template"].lower()
    assert alice.post(CAMPAIGNS, {"slug": "new", "template": "lab"}).status_code == 201
    assert adam.delete(f"{TEMPLATES}/lab").status_code == 204
    assert alice.get(f"{TEMPLATES}/lab").status_code == 404
    assert adam.delete(f"{TEMPLATES}/phrase").status_code == 404
