"""The pages before the first sheet: consent and questions about the annotator."""

from annotation.models import Consent
from annotation.people.background import consent_text_add
from tests.annotation.api.collecting.place import Place
from tests.annotation.selectors.collecting.steps import ask
from tests.annotation.views.collecting.test_rate import page_of
from tests.clients import client_of, text_of
from tests.factories import rate_sheet


def test_the_pages_lead_from_step_to_step(campaign):
    consent_text_add(campaign=campaign, text="# Read <script>x</script>", actor=None)
    question = ask(campaign, kind="choice", options=["one", "two"], required=True)
    bob = client_of("bob")
    page = bob.post("/rate/camp/", follow=True)
    assert page.redirect_chain == [("/rate/camp/consent/", 302)]
    assert b"<script>x" not in page.content and "Version 1" in text_of(page)
    assert not Consent.objects.exists()
    stale = bob.post("/rate/camp/consent/", {"version": "7"}, follow=True)
    assert "please read it again" in text_of(stale) and not Consent.objects.exists()
    page = bob.post("/rate/camp/consent/", {"version": "1"}, follow=True)
    assert page.redirect_chain == [("/rate/camp/background/", 302)]
    assert "How old are you?" in text_of(page)
    wrong = bob.post("/rate/camp/background/", {f"answer.{question.key}": "three"})
    assert wrong.status_code == 422 and "Please choose from the list." in text_of(wrong)
    page = bob.post("/rate/camp/background/", {f"answer.{question.key}": "two"}, follow=True)
    assert page.redirect_chain == [("/rate/camp/", 302)]
    assert "You agreed on" in text_of(bob.get("/rate/camp/consent/"))
    assert "nothing left" in text_of(bob.get("/rate/camp/background/"))
    assert bob.post("/rate/camp/")["Location"].count("-") == 4


def test_a_form_sent_after_the_last_sheet_leads_to_the_new_text():
    place = Place()
    rate_sheet(place.bob, place.sheet, submit=False)
    consent_text_add(campaign=place.campaign, text="New", actor=None)
    assert place.client.post(page_of(place), {})["Location"] == "/rate/camp/consent/"
    assert place.bob.slots.get().state == "done"
