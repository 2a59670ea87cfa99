"""Half a login is none: not for pages, the API, the administration, or the short way of saving."""

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotation.accounts import tokens
from annotation.accounts.tokens import token_make
from annotation.models import ApiToken, SecondFactor
from tests.annotation.api.collecting.place import Place
from tests.annotation.api.people.tokens_asked import ask, with_token
from tests.annotation.doors import code_of, with_factor
from tests.clients import client_of
from tests.factories import PASSWORD, make_admin, make_user

LOGIN, CODE = "/accounts/login/", "/accounts/login/code/"
SESSION, TOKEN = "/api/v1/session", "/api/v1/token"


def half(name, client=None):
    client = client or Client()
    answer = client.post(LOGIN, {"username": name, "password": PASSWORD, "next": "/campaigns/"})
    assert answer["Location"].startswith(CODE)
    return client


def closed(client, *addresses):
    for address in addresses:
        assert "/login/" in client.get(address)["Location"], address
    assert client.get("/api/v1/me").status_code == 401


def test_the_first_factor_opens_nothing():
    admin = make_admin()
    secret, _codes = with_factor(admin)
    client = half("adam")
    closed(client, "/", "/accounts/", "/accounts/second-factor/", "/accounts/tokens/", "/admin/")
    assert client.post("/accounts/tokens/", {"label": "x"}).status_code == 302
    assert not ApiToken.objects.exists()
    answer = client.post(CODE, {"code": code_of(secret), "next": "/campaigns/"})
    assert answer["Location"] == "/campaigns/"
    assert client.get("/admin/").status_code == 200
    assert client.get(CODE)["Location"] == "/"


def test_a_code_without_a_password_before_it_and_an_old_half_are_refused(
    monkeypatch,
):
    bob = make_user("bob")
    secret, _codes = with_factor(bob)
    assert Client().post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    client = half("bob")
    now = tokens.time.time()
    monkeypatch.setattr(tokens.time, "time", lambda: now + tokens.LASTS + 1)
    assert client.post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    monkeypatch.undo()
    client = half("bob")
    bob.set_password("another long word 8")
    bob.save()
    assert client.post(CODE, {"code": code_of(secret)})["Location"] == LOGIN
    assert client.get("/accounts/").status_code == 302


def test_a_right_code_of_somebody_else_does_not_serve():
    make_user("bob"), make_user("ben")
    with_factor(make_user("bob"))
    other, _codes = with_factor(make_user("ben"))
    client = half("bob")
    answer = client.post(CODE, {"code": code_of(other)})
    assert (answer.status_code, client.get("/accounts/").status_code) == (200, 302)
    assert client.post(CODE, {"code": code_of(other)}).status_code == 429


def test_the_route_of_sessions_and_that_of_tokens_ask_for_the_code():
    alice = make_user("alice")
    secret, _codes = with_factor(alice)
    given = {"username": "alice", "password": PASSWORD}
    right, later = {**given, "code": code_of(secret)}, {**given, "code": code_of(secret, 1)}
    client = APIClient()
    for path, body, status, code in (
        (SESSION, given, 400, "second_factor"),
        (TOKEN, given, 400, "second_factor"),
        (SESSION, right, 200, None),
        (TOKEN, right, 400, "invalid"),  # It was used.
    ):
        answer = client.post(path, body, format="json")
        assert (answer.status_code, answer.json().get("code")) == (status, code)
    assert client.get("/api/v1/me").json()["username"] == "alice"
    assert not ApiToken.objects.exists()
    SecondFactor.objects.update(failures=0, failed_at=None)
    token = APIClient().post(TOKEN, later, format="json").json()["token"]
    assert with_token(token).get("/api/v1/me").status_code == 200


def test_an_administrator_without_the_second_factor_is_nobody(settings):
    client, alice = client_of("adam"), client_of("alice")
    _token, text = token_make(user=make_admin())
    settings.ADMINS_NEED_SECOND_FACTOR = True
    closed(client, "/", "/accounts/", "/admin/", "/site/users/")
    assert with_token(text).get("/api/v1/me").status_code == 401
    assert alice.get("/accounts/").status_code == 200
    form = {"username": "adam", "password": PASSWORD}
    assert ask(APIClient()).status_code == 200
    assert APIClient().post(TOKEN, form, format="json").status_code == 403
    answer = client.post(LOGIN, form)
    assert answer["Location"].startswith("/accounts/login/set-up/")
    page = client.get(answer["Location"])
    assert b"<svg" in page.content
    secret = client.session["factor-secret"]
    assert client.post(answer["Location"], {"code": "12345"}).status_code == 200
    assert client.get("/site/users/").status_code == 302
    done = client.post(answer["Location"], {"code": code_of(secret)})
    assert len(done.context["codes"]) == 10
    assert client.get("/site/users/").status_code == 200
    assert with_token(text).get("/api/v1/me").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_short_way_of_saving_takes_no_half_login(settings):
    place = Place(items=2)
    assert place.whole([]).status_code == 200
    place.bob.user.is_staff = True
    place.bob.user.save()
    settings.ADMINS_NEED_SECOND_FACTOR = True
    assert place.whole(place.answers(), state="done").status_code == 401
    assert not place.campaign.judgments.exists()
    settings.ADMINS_NEED_SECOND_FACTOR = False
    with_factor(place.bob.user)  # Which ends the session of before.
    assert place.whole(place.answers(), state="done").status_code == 401
    half("bob", place.client)
    assert place.whole(place.answers(), state="done").status_code == 401
    assert not place.campaign.judgments.exists()
