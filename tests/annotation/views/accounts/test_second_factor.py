"""Setting a second factor up and ending it on one's own page."""

import pytest

from annotation.models import SecondFactor
from annotation.views.accounts.second_factor import picture_of
from tests.annotation.doors import code_of
from tests.clients import client_of, messages_of, text_of
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
PAGE, ACT = "/accounts/second-factor/", "/accounts/second-factor/act/"


def set_up(client):
    client.get(PAGE)
    secret = client.session["factor-secret"]
    done = client.post(PAGE, {"code": code_of(secret, -1), "password": PASSWORD})
    return secret, done.context["codes"]


def test_password_and_code_are_asked_for():
    client = client_of("bob")
    page = client.get(PAGE)
    secret = client.session["factor-secret"]
    assert b"<svg" in page.content and b"style=" not in page.content
    for wrong in ({"password": PASSWORD}, {"code": code_of(secret)},
                  {"code": code_of(secret), "password": "wrong"},
                  {"code": "12", "password": PASSWORD}):  # fmt: skip
        assert client.post(PAGE, wrong).status_code == 422
    assert not SecondFactor.objects.exists()
    _secret, codes = set_up(client)
    assert "factor-secret" not in client.session
    again = text_of(client.get(PAGE))
    assert "10 recovery codes are left" in again and codes[0] not in again


def test_ending_and_new_codes_need_a_code():
    client = client_of("bob")
    secret, codes = set_up(client)
    refused = client.post(ACT, {"act": "end", "code": "1"}, follow=True)
    assert "not right" in messages_of(refused)[0]
    waits = client.post(ACT, {"act": "end", "code": codes[0]}, follow=True)
    assert "Too many wrong codes" in messages_of(waits)[0]
    SecondFactor.objects.update(failures=0, failed_at=None)
    new = client.post(ACT, {"act": "renew", "code": codes[0]}).context["codes"]
    assert not set(new) & set(codes)
    client.post(ACT, {"act": "end", "code": code_of(secret)})
    assert not SecondFactor.objects.exists()


def test_the_picture_is_drawn_here_and_holds_the_key():
    drawn = picture_of("A" * 32, make_user("bob"))
    picture = str(drawn["picture"]).replace("http://www.w3.org/2000/svg", "")
    assert picture.startswith("<svg") and "http" not in picture
    assert drawn["secret"] == " ".join(["AAAA"] * 8)
