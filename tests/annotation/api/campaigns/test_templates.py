"""Templates and copies by program."""

from __future__ import annotations

import pytest

from annotation.importers import read_template
from annotation.models import Campaign
from annotation.selectors.campaigns.template import template_of
from tests.clients import client_of
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
CAMP = "/api/v1/campaigns/camp"
JSON = "application/json"


def test_a_template_is_read_compared_and_applied() -> None:
    campaign = make_campaign()
    alice = client_of("alice")
    text = alice.get(f"{CAMP}/template").json()["template"]
    assert read_template(text.encode(), name="t").template == template_of(campaign=campaign)
    body = {"template": "settings: {description: New}"}
    told = alice.put(f"{CAMP}/template", body, JSON).json()
    assert told["changes"] == [{"name": "description", "before": "", "after": "New", "refused": ""}]
    assert not told["applied"] and Campaign.objects.get().description == ""
    body |= {"apply": True, "seen": "x"}  # type: ignore[dict-item]
    assert alice.put(f"{CAMP}/template", body, JSON).status_code == 409
    body["seen"] = told["digest"]
    assert alice.put(f"{CAMP}/template", body, JSON).json()["applied"]
    assert Campaign.objects.get().description == "New"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("settings: {order: depth}", "order: fixed since"),
        ("scales:\n- nam: A", "template:2: there is no field"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    make_campaign()
    body = {"template": text, "apply": True}
    answer = client_of("alice").put(f"{CAMP}/template", body, JSON)
    assert answer.status_code == 400 and said in answer.json()["detail"]


def test_a_campaign_is_made_from_a_text_and_copied() -> None:
    alice = client_of("alice")
    body = {"slug": "camp", "template_text": "scales:\n- name: A\n"}
    assert alice.post("/api/v1/campaigns", body, JSON).status_code == 201
    answer = alice.post(f"{CAMP}/copies", {"slug": "two", "people": True}, JSON)
    assert answer.status_code == 201
    assert answer.json()["copied_from"] == "camp" and answer.json()["pilot"] is False
    copy = Campaign.objects.get(slug="two")
    assert [one.name for one in copy.scales.all()] == ["A"]
    assert alice.post(f"{CAMP}/copies", {"slug": "two"}, JSON).status_code == 400


def test_templates_of_the_site_are_offered_and_removed_by_administrators() -> None:
    make_campaign()
    alice, root = client_of("alice"), client_of("adam")
    found = alice.get("/api/v1/templates").json()
    assert {"phrase", "validity-ko"} <= {one["name"] for one in found}
    body = {"name": "lab", "label": "Ours", "template": "scales:\n- name: A\n"}
    assert alice.post("/api/v1/templates", body, JSON).status_code == 404
    made = root.post("/api/v1/templates", body, JSON)
    assert made.status_code == 201 and made.json() == {**body, "site": True}
    assert root.post("/api/v1/templates", body, JSON).status_code == 400
    wrong = root.post("/api/v1/templates", {"name": "bad", "template": "scale: A"}, JSON)
    assert wrong.status_code == 400 and "bad.yaml:1: there is no field" in wrong.json()["detail"]
    assert alice.get("/api/v1/templates/lab").json()["template"] == body["template"]
    assert "similarity" in alice.get("/api/v1/templates/similarity").json()["template"].lower()
    new = {"slug": "new", "template": "lab"}
    assert alice.post("/api/v1/campaigns", new, JSON).status_code == 201
    assert alice.delete("/api/v1/templates/lab").status_code == 404
    assert root.delete("/api/v1/templates/lab").status_code == 204
    assert alice.get("/api/v1/templates/lab").status_code == 404
    assert root.delete("/api/v1/templates/phrase").status_code == 404
