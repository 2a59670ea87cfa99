"""Templates on pages: download, compare, apply; and those that the site offers."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.campaigns.templating.queries import template_of
from annotation.importers import read_template
from annotation.models import Campaign, SavedTemplate
from tests.annotation.views.campaigns.test_campaigns import FORM
from tests.clients import client_of, text_of
from tests.factories import make_campaign

PAGE = "/c/camp/template/"


def given(text, **more):
    return {"file": SimpleUploadedFile("t.yaml", text.encode()), **more}


def test_a_campaign_is_downloaded_compared_and_changed():
    campaign = make_campaign()
    alice = client_of("alice")
    assert "This field is required." not in text_of(alice.get(PAGE))
    file = alice.get("/c/camp/template.yaml")
    assert file["Content-Disposition"] == 'attachment; filename="camp.yaml"'
    assert read_template(file.content, name="t").template == template_of(campaign=campaign)
    shown = alice.post(PAGE, given("settings:\n  description: <New>\n"))
    assert "description <New> yes" in text_of(shown)
    form = {"apply": shown.context["text"], "seen": shown.context["seen"]}
    assert alice.post(PAGE, {**form, "seen": "other"}).status_code == 200
    assert Campaign.objects.get().description == ""
    assert alice.post(PAGE, form)["Location"] == PAGE
    assert Campaign.objects.get().description == "<New>"
    refused = alice.post(PAGE, given("settings: {order: depth, description: x}"))
    assert refused.status_code == 422 and "Make these changes" not in text_of(refused)
    assert "no fixed since the campaign was opened" in text_of(refused)
    wrong = alice.post(PAGE, given("settings:\n  oder: depth\n"))
    assert wrong.status_code == 422 and "Line 2: there is no field 'oder'" in text_of(wrong)
    assert alice.post(PAGE, {}).status_code == 422


def test_a_campaign_is_made_from_a_file():
    alice, page = client_of("alice"), "/campaigns/new/file/"
    assert alice.post(page, given("scales:\n- nam: A\n", slug="new")).status_code == 422
    assert not Campaign.objects.exists()
    answer = alice.post(page, given("scales:\n- name: A\n", slug="new", name="New"))
    assert answer["Location"] == "/c/new/steps/#do-texts"
    assert [one.name for one in Campaign.objects.get().scales.all()] == ["A"]
    taken = alice.post(page, given("scales:\n- name: A\n", slug="new"))
    assert "exists already" in text_of(taken)


def test_administrators_offer_templates_of_the_site():
    adam, alice = client_of("adam"), client_of("alice")
    for text, name, words in (
        ("scale: x", "ours", "Line 1: there is no field 'scale'"),
        ("scales: []", "phrase", "There is a template phrase already."),
    ):
        assert words in text_of(adam.post("/templates/", given(text, name=name, label="Ours")))
    assert not SavedTemplate.objects.exists()
    text = "scales:\n- name: OURS\n"
    adam.post("/templates/", given(text, name="ours", label="Ours", scope="site"))
    assert "Ours" in text_of(alice.get("/templates/"))
    assert alice.get("/templates/ours.yaml").content == b"scales:\n- name: OURS\n"
    alice.post("/campaigns/new/", {**FORM, "template": "ours"})
    assert [one.name for one in Campaign.objects.get().scales.all()] == ["OURS"]
    adam.post("/templates/ours/remove/")
    assert alice.get("/templates/ours.yaml").status_code == 404
    assert alice.get("/templates/phrase-ko.yaml").status_code == 200
