"""The rating screen as pages and plain forms, without JavaScript."""

import re

from django.test import Client

from annotation.models import Consent, Guest, Judgment, JudgmentVersion, SecondFactor, Skip
from annotation.people.membership import invitation_create
from tests.annotation.claimed import say
from tests.annotation.doors import code_of, with_factor
from tests.annotation.place import Place
from tests.annotation.selectors.collecting.steps import ask
from tests.clients import client_of, text_of
from tests.factories import (
    PASSWORD,
    ask_consent,
    give_role,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    rate_sheet,
)


def page_of(place):
    return f"/rate/{place.campaign.slug}/{place.sheet.key}/"


def form_of(answers):
    """The fields that give 3 to each of these questions."""
    form = {}
    for one in answers:
        name = f"{one['substitution']}.{one['scale']}"
        form |= {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": one["id"]}
    return form


def test_the_plain_form_saves_submits_and_goes_on():
    """Without JavaScript; sent twice it saves once."""
    place = Place()
    form = form_of(place.answers())
    first, _ = (place.client.post(page_of(place), form) for _ in range(2))
    assert first.status_code == 302 and first["Location"] != page_of(place)
    assert JudgmentVersion.objects.count() == 4
    assert set(Judgment.objects.values_list("value", "status")) == {(3.0, "counted")}


def test_a_conflict_in_the_plain_form_is_shown_and_loses_nothing():
    """An answer that the form did not change is not sent: another window may have changed it."""
    place = Place()
    place.put(value=5)
    form = form_of(place.answers()[:1])
    answer = place.client.post(page_of(place), form)
    assert answer.status_code == 409
    assert b"<strong>3</strong>" in answer.content and b"<strong>5</strong>" in answer.content
    unchanged = {name.replace("value.", "was."): value for name, value in form.items()}
    assert place.client.post(page_of(place), form | unchanged).status_code == 200
    assert Judgment.objects.get().value == 5


def test_only_members_who_have_begun_have_a_sheet():
    place = Place()
    make_annotator(place.campaign, "ben")
    give_role(place.campaign, make_user("eve"), "annotator")
    for name, code in (("bob", 200), ("ben", 404), ("eve", 404)):
        assert client_of(name).get(page_of(place)).status_code == code


def test_a_sheet_is_claimed_by_a_click_and_given_back_with_a_reason():
    place = Place()
    start = f"/rate/{place.campaign.slug}/"
    ben, slots = client_of("ben"), make_annotator(place.campaign, "ben").slots
    assert ben.get(start).status_code == 200 and not slots.exists()
    claimed = ben.post(start)["Location"]
    assert slots.get().state == "claimed"
    # Nothing else is left for Ben: Bob holds the other sheet.
    assert ben.post(claimed, {"skip": "not understood"})["Location"] == start
    assert Skip.objects.get().reason == "not understood"
    assert ben.post(start).status_code == 200


def given(place, **login):
    """The form of one answer, with what was typed of the login."""
    typed = {f"relogin.{name}": text for name, text in login.items()}
    return {"annotator": str(place.bob.key), **form_of(place.answers()[:1]), **typed}


def test_answers_are_kept_on_the_page_until_the_login_is_right():
    place, client = Place(), Client()
    form = given(place)
    asked = client.post(page_of(place), form)
    assert "Please log in again" in text_of(asked)
    kept = dict(re.findall('type="hidden" name="([^"]+)" value="([^"]*)"', asked.content.decode()))
    kept.pop("csrfmiddlewaretoken", None)
    kept.pop("next", None)  # Of the choice of language.
    assert kept == form
    wrong = {**kept, "relogin.name": "bob", "relogin.password": "not this"}
    refused = client.post(page_of(place), wrong)
    assert "The name or the password is not right." in text_of(refused)
    assert "not this" not in refused.content.decode()
    assert not Judgment.objects.exists()
    saved = client.post(page_of(place), {**wrong, "relogin.password": PASSWORD})
    assert "Saved." in text_of(saved)
    assert Judgment.objects.get().value == 3
    assert client.get(page_of(place)).status_code == 200


def test_a_second_factor_is_asked_for_here_too():
    place, client = Place(), Client()
    secret, _codes = with_factor(place.bob.user)
    form = given(place, name="bob", password=PASSWORD)
    asked = client.post(page_of(place), form)
    assert "give a code, too" in text_of(asked) and b"relogin.code" in asked.content
    refused = client.post(page_of(place), {**form, "relogin.code": "12"})
    assert "The code is not right" in text_of(refused) and b"relogin.code" in refused.content
    assert "_auth_user_id" not in client.session and not Judgment.objects.exists()
    SecondFactor.objects.update(failures=0, failed_at=None)  # A wrong code makes one wait.
    saved = client.post(page_of(place), {**form, "relogin.code": code_of(secret)})
    assert "Saved." in text_of(saved) and Judgment.objects.get().value == 3


def test_answers_of_one_person_are_not_saved_for_another():
    place, client = Place(), Client()
    make_annotator(place.campaign, "ben")
    form = given(place, name="ben", password=PASSWORD)
    assert client.post(page_of(place), form).status_code == 403
    assert not Judgment.objects.exists()


def test_without_answers_the_usual_login_asks():
    place = Place()
    for answer in (Client().get(page_of(place)), Client().post(page_of(place), {"skip": "other"})):
        assert answer.status_code == 302
        assert answer["Location"] == f"/accounts/login/?next={page_of(place)}"


def test_guests_have_no_password_and_save_by_their_link():
    place, client = Place(), Client()
    _row, token = invitation_create(
        campaign=place.campaign, actor=make_user("olga"), name_only=True, max_uses=1
    )
    assert client.post(f"/join/{token}/", {"name": "Kim"}).status_code == 302
    client.get(page_of(place))
    guest = Guest.objects.get()
    form = {"annotator": str(guest.annotator.key), **form_of(place.answers()[:1])}
    client.logout()
    asked = text_of(client.post(page_of(place), form))
    assert "No password?" in asked and "Your link" in asked
    wrong = client.post(page_of(place), {**form, "relogin.link": "https://here/join/nothing/"})
    assert "Open the link that you got when you began" in text_of(wrong)
    assert "_auth_user_id" not in client.session
    # It is back, as itself: the sheet is not its own, and that is all that is refused.
    link = f" http://testserver/join/{token}/ "
    client.post(page_of(place), {**form, "relogin.link": link})
    assert client.session["_auth_user_id"] == str(guest.annotator.user_id)


def test_the_pages_lead_from_step_to_step(campaign):
    ask_consent(campaign, "# Read <script>x</script>")
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
    ask_consent(place.campaign, "New")
    assert place.client.post(page_of(place), {})["Location"] == "/rate/camp/consent/"
    assert place.bob.slots.get().state == "done"


def test_the_page_lists_the_own_sheets_alone():
    campaign = make_campaign(items=3, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    assert rate_all(bob, at_most=2) == 2
    rate_all(ben)
    page = client_of("bob").get("/rate/camp/own/")
    text = text_of(page)
    assert "Done 2 Left 1" in text and "Only you see this" in text
    assert page.content.count(b'class="wrap"') == 2
    for slot in bob.slots.filter(state="done"):
        assert str(slot.sheet.key) in page.content.decode()
    # Whoever has not begun sees an empty page.
    assert "Nothing yet." in text_of(client_of("dora").get("/rate/camp/own/"))
    assert not campaign.annotators.filter(user__username="dora").exists()


def test_researchers_read_them(place):
    bob, sheet = place
    say(bob, sheet, "<b>odd</b>", flagged=True)
    page = client_of("alice").get(f"/c/{bob.campaign.slug}/remarks/").content.decode()
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert f"/items/{sheet.item.key}/" in page
