"""A form that was sent after the session had expired is kept over the login."""

import re

from django.test import Client

from annotation.models import Guest, Judgment, SecondFactor
from annotation.people.membership import invitation_create
from tests.annotation.api.collecting.place import Place
from tests.annotation.doors import code_of, with_factor
from tests.annotation.views.collecting.test_rate import form_of, page_of
from tests.clients import text_of
from tests.factories import PASSWORD, make_annotator, make_user


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
