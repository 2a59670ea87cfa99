"""Templates on pages: download, compare, apply; and those that the site offers."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.importers import read_template
from annotation.models import Campaign, SiteTemplate
from annotation.selectors.campaigns.template import template_of
from tests.clients import client_of, text_of
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
PAGE = "/c/camp/template/"


def given(text: str, **more: str) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("t.yaml", text.encode()), **more}


def test_a_campaign_is_downloaded() -> None:
    campaign = make_campaign()
    answer = client_of("alice").get("/c/camp/template.yaml")
    assert answer["Content-Disposition"] == 'attachment; filename="camp.yaml"'
    assert read_template(answer.content, name="t").template == template_of(campaign=campaign)


def test_what_a_file_would_change_is_shown_and_then_made() -> None:
    campaign = make_campaign()
    alice = client_of("alice")
    shown = alice.post(PAGE, given("settings:\n  description: <New>\n"))
    assert "description <New> yes" in text_of(shown)
    campaign.refresh_from_db()
    assert campaign.description == ""
    form = {"apply": shown.context["text"], "seen": shown.context["seen"]}
    assert alice.post(PAGE, {**form, "seen": "other"}).status_code == 200
    assert Campaign.objects.get().description == ""
    assert alice.post(PAGE, form)["Location"] == PAGE
    assert Campaign.objects.get().description == "<New>"


def test_what_cannot_be_is_said_on_the_page() -> None:
    make_campaign()
    alice = client_of("alice")
    refused = alice.post(PAGE, given("settings: {order: depth, description: x}"))
    assert refused.status_code == 422
    text = text_of(refused)
    assert "no fixed since the campaign was opened" in text
    assert "Make these changes" not in text
    wrong = alice.post(PAGE, given("settings:\n  oder: depth\n"))
    assert wrong.status_code == 422
    assert "Line 2: there is no field 'oder' here" in text_of(wrong)
    assert alice.post(PAGE, {}).status_code == 422


def test_a_campaign_is_made_from_a_file() -> None:
    alice, page = client_of("alice"), "/campaigns/new/file/"
    assert alice.post(page, given("scales:\n- nam: A\n", slug="new")).status_code == 422
    assert not Campaign.objects.exists()
    answer = alice.post(page, given("scales:\n- name: A\n", slug="new", name="New"))
    assert answer["Location"] == "/c/new/steps/#do-texts"
    assert [one.name for one in Campaign.objects.get().scales.all()] == ["A"]
    taken = alice.post(page, given("scales:\n- name: A\n", slug="new"))
    assert "exists already" in text_of(taken)


def test_administrators_offer_templates_of_the_site() -> None:
    adam, alice = client_of("adam"), client_of("alice")
    wrong = adam.post("/templates/", given("scale: x", name="ours", label="Ours"))
    assert "Line 1: there is no field 'scale'" in text_of(wrong)
    taken = adam.post("/templates/", given("scales: []", name="phrase", label="Ours"))
    assert "There is a template phrase already." in text_of(taken)
    assert not SiteTemplate.objects.exists()
    adam.post("/templates/", given("scales:\n- name: OURS\n", name="ours", label="Ours"))
    assert "Ours" in text_of(alice.get("/templates/"))
    assert "Offer another one" not in text_of(alice.get("/templates/"))
    assert alice.get("/templates/ours.yaml").content == b"scales:\n- name: OURS\n"
    assert "Ours" in text_of(alice.get("/campaigns/new/"))
    form = {
        "name": "New", "slug": "new", "template": "ours", "annotators_per_sheet": "3",
        "order": "depth", "shared_share": "0", "lease_minutes": "30", "layout": "item",
    }  # fmt: skip
    alice.post("/campaigns/new/", form)
    assert [one.name for one in Campaign.objects.get().scales.all()] == ["OURS"]
    adam.post("/templates/ours/remove/")
    assert alice.get("/templates/ours.yaml").status_code == 404
    assert alice.get("/templates/phrase-ko.yaml").status_code == 200
