"""Setting a second factor up and ending it on one's own page."""

from annotation.accounts.views import picture_of
from annotation.models import SecondFactor
from tests.annotation.doors import code_of
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_user

PAGE, ACT = "/accounts/second-factor/", "/accounts/second-factor/act/"


def set_up(client):
    client.get(PAGE)
    secret = client.session["factor-secret"]
    done = client.post(PAGE, {"code": code_of(secret, -1)})
    return secret, done.context["codes"]


def test_a_code_confirms_the_new_factor():
    client = client_of("bob")
    page = client.get(PAGE)
    secret = client.session["factor-secret"]
    assert b"<svg" in page.content and b"style=" not in page.content
    for wrong in ("", "12", code_of(secret, 9)):
        assert client.post(PAGE, {"code": wrong}).status_code == 422
    assert not SecondFactor.objects.exists()
    _secret, codes = set_up(client)
    assert "factor-secret" not in client.session
    again = text_of(client.get(PAGE))
    assert "10 recovery codes are left" in again and codes[0] not in again


def test_codes_are_made_anew_and_the_factor_ends():
    client = client_of("bob")
    _secret, codes = set_up(client)
    assert not set(client.post(ACT, {"act": "renew"}).context["codes"]) & set(codes)
    client.post(ACT, {})
    assert SecondFactor.objects.exists()
    assert "no second factor" in messages_of(client.post(ACT, {"act": "end"}, follow=True))[0]
    assert not SecondFactor.objects.exists()
    assert client.post(ACT, {"act": "renew"})["Location"] == PAGE


def test_the_picture_is_drawn_here_and_holds_the_key():
    drawn = picture_of("A" * 32, make_user("bob"))
    picture = str(drawn["picture"]).replace("http://www.w3.org/2000/svg", "")
    assert picture.startswith("<svg") and "http" not in picture
    assert drawn["secret"] == " ".join(["AAAA"] * 8)
