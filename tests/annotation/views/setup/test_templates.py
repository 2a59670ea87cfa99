"""Templates, copies and pilots on their pages."""

from annotation.campaigns.templating.queries import template_of
from annotation.importers.campaign_template import read_template
from annotation.models import Campaign, SavedTemplate
from tests.annotation.views.campaigns.test_campaigns import FORM
from tests.clients import client_of, text_of, upload
from tests.factories import make_annotator, make_campaign, make_user, rate_all

PAGE = "/c/camp/template/"


def given(text, **more):
    return {"file": upload("t.yaml", text.encode()), **more}


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


def test_the_form_makes_a_copy_and_leads_to_its_steps():
    campaign = make_campaign()
    alice = client_of("alice")
    assert "camp-2" in alice.get("/c/camp/copy/").content.decode()
    answer = alice.post("/c/camp/copy/", {"slug": "two", "texts": "on"})
    assert answer["Location"] == "/c/two/steps/"
    copy = Campaign.objects.get(slug="two")
    assert copy.substitutions.count() == campaign.substitutions.count()
    assert [one.user.username for one in copy.memberships.all()] == ["alice"]
    taken = alice.post("/c/camp/copy/", {"slug": "two"})
    assert taken.status_code == 422 and "exists already" in text_of(taken)


def test_a_pilot_is_started_followed_and_ended():
    make_campaign(open_it=False)
    alice, bob = client_of("alice"), make_user("bob")
    assert "Start a pilot" in text_of(alice.get("/c/camp/pilot/"))
    form = {"texts": "3", "people": [str(bob.pk)]}
    assert alice.post("/c/camp/pilot/", form)["Location"] == "/c/camp/pilot/"
    pilot = Campaign.objects.get(pilot=True)
    assert "Another pilot is under way" in text_of(alice.post("/c/camp/pilot/", form))
    rate_all(make_annotator(pilot, "bob"))
    text = text_of(alice.get("/c/camp/pilot/"))
    assert "Pilot: Camp Open Pilot" in text and "Assignments done 3 / 3" in text
    assert "This is a pilot." in text_of(alice.get(f"/c/{pilot.slug}/pilot/"))
    assert "A pilot of Camp" in text_of(alice.get(f"/c/{pilot.slug}/steps/"))
    assert alice.post(f"/c/{pilot.slug}/pilot/end/")["Location"] == "/c/camp/pilot/"
    text = text_of(alice.get("/c/camp/pilot/"))
    assert "Closed Pilot" in text and "Start another pilot" in text
    assert "Pilot: Camp" not in text_of(alice.get("/campaigns/"))
    assert "They may count in it" in text
    to = f"/c/{pilot.slug}/pilot/judgments/"
    for form, done, following in (
        ({"count": "1"}, "answers of the pilot count in the campaign now", "Leave them out"),
        ({}, "left out of all statistics", "Take them over"),
    ):
        text = text_of(alice.post(to, form, follow=True))
        assert done in text and following in text
    assert "do not count" in text_of(alice.post(to, follow=True))
    assert alice.post("/c/camp/pilot/judgments/").status_code == 400
