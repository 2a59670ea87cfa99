"""Pilots on their page."""

from annotation.models import Campaign
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, make_user, rate_all


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
