"""Single sign-on in the browser, from the button to the page that was wanted."""

import time

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import OutsideLogin
from annotation.people.membership import invitation_create
from tests.annotation.doors import code_of, provider, with_factor
from tests.clients import client_of, messages_of, text_of
from tests.factories import PASSWORD, make_user

GO, BACK, CONNECT = ("/accounts/outside/" + name for name in ("", "back/", "connect/"))


@pytest.fixture
def there(settings):
    with provider(settings, CREATES=True, NAME="Log in at Uni") as one:
        yield one


def away(client, **fields):
    """The provider's address to which the button leads."""
    return client.post(GO, fields).context["address"]


def connected(there, client):
    """Leave for the provider, come back, and look at whose login it was."""
    query = there.authorise(away(client))
    assert client.get(BACK, query)["Location"] == CONNECT
    return text_of(client.get(CONNECT))


def test_there_and_back_to_the_page_that_was_wanted(there):
    client = Client()
    assert "Log in at Uni" in text_of(client.get("/accounts/login/?next=/campaigns/"))
    query = there.authorise(away(client, next="/campaigns/"))
    assert client.get(BACK, query)["Location"] == "/campaigns/"
    assert client.get("/accounts/").context["user"].email == "kim@uni.example"
    # The same answer again, here and in another browser: refused.
    client.post("/accounts/logout/")
    for again in (client, Client()):
        assert "did not work" in messages_of(again.get(BACK, query, follow=True))[0]
        assert again.get("/accounts/").status_code == 302
    address = away(client, next="https://evil.example/")
    assert client.get(BACK, there.authorise(address))["Location"] == "/"


def test_an_answer_for_another_browser_logs_nobody_in(there):
    own, other = Client(), Client()
    away(other)
    query = there.authorise(away(own))
    denied = {"error": "access_denied", "state": query["state"]}
    for client, answer in ((other, query), (own, denied)):
        assert "did not work" in messages_of(client.get(BACK, answer, follow=True))[0]
        assert client.get("/accounts/").status_code == 302


def test_who_has_logged_in_meanwhile_stays_who_they_are(there):
    client = Client()
    query = there.authorise(away(client))
    client.force_login(make_user("dora"))
    assert "did not work" in messages_of(client.get(BACK, query, follow=True))[0]
    assert client.get("/accounts/").context["user"].username == "dora"


def test_no_link_leads_to_the_provider_and_no_open_browser_does(there):
    for client in (Client(), client_of("bob")):
        assert client.get(GO).status_code == 405
    opened = client_of("bob", confirmed=False)
    asks = opened.post(GO)
    assert (asks.status_code, there.issuer in asks.content.decode()) == (403, False)
    forged = Client(enforce_csrf_checks=True)
    forged.cookies = client_of("bob").cookies
    assert forged.post(GO).status_code == 403


def test_who_connects_a_login_sees_whose_it_is(there):
    client, users = client_of("bob"), User.objects.count()
    assert "kim@uni.example" in connected(there, client)
    assert not OutsideLogin.objects.exists()  # A way back is no wish.
    assert client.post(CONNECT)["Location"] == "/accounts/"
    assert [client.get(CONNECT).status_code, client.post(CONNECT).status_code] == [404, 404]
    fresh = Client()
    fresh.get(BACK, there.authorise(away(fresh), code="c-2"))
    assert fresh.get("/accounts/").context["user"].username == "bob"
    assert User.objects.count() == users
    # Somebody else in this browser by now, or too late: nothing is connected.
    there.claims["sub"] = "s-2"
    late = client_of("alice")
    query = there.authorise(away(late))
    late.force_login(make_user("dora"))
    assert "did not work" in messages_of(late.get(BACK, query, follow=True))[0]
    slow = client_of("alice")
    connected(there, slow)
    session = slow.session
    session["outside-pending"][2] = int(time.time()) - 601
    session.save()
    assert slow.post(CONNECT).status_code == 404
    assert OutsideLogin.objects.get().user.username == "bob"


def test_a_login_of_another_account_is_not_taken(there):
    OutsideLogin.objects.create(user=make_user("alice"), issuer=there.issuer, subject="s-1")
    client = client_of("bob")
    connected(there, client)
    assert "another account" in messages_of(client.post(CONNECT, follow=True))[0]
    assert OutsideLogin.objects.get().user.username == "alice"


def test_a_login_is_listed_and_disconnected(there):
    client, elsewhere = client_of("bob"), client_of("bob")
    connected(there, client)
    client.post(CONNECT)
    page = text_of(client.get("/accounts/"))
    assert "kim@uni.example" in page and "connected logins (1)" in page
    stays = messages_of(client.post("/accounts/sessions/end/", follow=True))[1]
    assert "connected logins (1) still work" in stays
    elsewhere = client_of("bob")
    address = f"/accounts/outside/{OutsideLogin.objects.get().key}/end/"
    assert client_of("alice").post(address).status_code == 404
    assert "disconnected" in messages_of(client.post(address, follow=True))[0]
    assert not OutsideLogin.objects.exists()
    assert [one.get("/accounts/").status_code for one in (client, elsewhere)] == [200, 302]
    there.claims["email"] = ""
    stranger = Client()
    stranger.get(BACK, there.authorise(away(stranger)))
    assert stranger.get("/accounts/").status_code == 302


def test_joining_with_a_password_waits_for_the_second_factor(campaign):
    _invitation, token = invitation_create(campaign=campaign, actor=make_user("alice"))
    secret, _codes = with_factor(make_user("zoe"))
    client, link = Client(), f"/join/{token}/"
    members = campaign.memberships.filter(user__username="zoe")
    form = {"username": "zoe", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post(link, form)
    assert answer["Location"] == f"/accounts/login/code/?next=%2Fjoin%2F{token}%2F"
    assert not members.exists()
    answer = client.post(answer["Location"], {"code": code_of(secret)})
    assert answer["Location"] == link
    client.post(link)
    assert members.exists()
