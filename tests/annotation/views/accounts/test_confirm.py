"""Saying who one is: at an open browser, and by single sign-on."""

import re
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.models import ApiToken, OutsideLogin, SecondFactor
from annotation.people.membership import invitation_create
from tests.annotation.doors import code_of, provider, with_factor
from tests.clients import client_of, messages_of, text_of
from tests.factories import PASSWORD, make_admin, make_campaign, make_user
from tests.letters import sent

TOKENS = "/accounts/tokens/"
TOKEN = {"label": "notebook", "scope": "read"}
INVITE = {"role": "researcher", "days": "3", "max_uses": "1"}
PASS = {"confirm-act": "go", "confirm-password": PASSWORD}


def asks(answer):
    return answer.status_code == 403 and "Confirm it’s you" in text_of(answer)


def test_an_open_browser_makes_no_token_and_changes_no_factor_address_role_or_account():
    campaign, bob = make_campaign(), make_user("bob", email="bob@x.org")
    role = f"/c/camp/people/{bob.pk}/role/"
    tries = {
        "bob": [
            (TOKENS, TOKEN),
            ("/accounts/email/", {"email": "evil@x.org"}),
            ("/accounts/second-factor/", {"code": "123456"}),
            ("/account/data/delete/", {"typed": "bob"}),
        ],
        "alice": [
            (role, {"role": "owner"}),
            ("/c/camp/people/invite/", INVITE),
            ("/c/camp/people/invite-many/", {"people": "Eve,,researcher", "days": "3"}),
            (reverse("campaign-delete", args=["camp"]), {"typed": "camp"}),
        ],
        "adam": [
            (f"/site/users/{bob.pk}/act/", {"act": "admin"}),
            ("/site/users/new/", {"people": "eve", "days": "3"}),
            (f"/site/people/{bob.pk}/data/delete/", {"typed": "bob"}),
            (f"/admin/auth/user/{bob.pk}/password/", {"password1": "x", "password2": "x"}),
            ("/admin/auth/group/add/", {"name": "evil"}),
        ],
    }
    make_admin()
    before = User.objects.count(), campaign.invitations.count()
    for name, requests in tries.items():
        client = client_of(name, confirmed=False)
        for address, fields in requests:
            page = client.post(address, fields)
            assert asks(page), address
            wrong = {**fields, **PASS, "confirm-password": "guessed"}
            assert "password is not right" in text_of(client.post(address, wrong)), address
            carried = {} if "password1" in fields else fields
            assert carried.items() <= dict(page.context["fields"]).items(), address
    assert (User.objects.count(), campaign.invitations.count()) == before
    assert not ApiToken.objects.exists() and not sent()
    assert not User.objects.get(pk=bob.pk).is_superuser and make_user("bob").check_password(
        PASSWORD
    )


def test_the_owner_says_so_and_what_was_asked_for_is_done():
    client = client_of("bob", confirmed=False)
    page = client.post(TOKENS, TOKEN)
    fields = dict(page.context["fields"])
    assert fields == TOKEN and "no-store" in page["Cache-Control"]
    done = client.post(TOKENS, {**fields, **PASS})
    assert done.status_code == 200 and ApiToken.objects.get().label == "notebook"
    client.post(TOKENS, TOKEN)  # For ten minutes it is not asked again.
    assert ApiToken.objects.count() == 2
    assert asks(client_of("bob", confirmed=False).post(TOKENS, TOKEN))
    # A login with the password counts, too.
    fresh = Client()
    fresh.post("/accounts/login/", {"username": "bob", "password": PASSWORD})
    fresh.post(TOKENS, TOKEN)
    assert ApiToken.objects.count() == 3


def test_the_second_factor_is_asked_for_after_the_password():
    _secret, codes = with_factor(make_user("bob"))
    client = client_of("bob", confirmed=False)
    code = {"confirm-code": codes[0]}
    for given in (PASS, {**PASS, "confirm-password": "guessed", **code}, code):
        assert asks(client.post("/accounts/second-factor/act/", {"act": "end", **given}))
    assert SecondFactor.objects.get().failures == 0
    client.post("/accounts/second-factor/act/", {"act": "end", **PASS, **code})
    assert not SecondFactor.objects.exists()


def test_who_has_no_password_gets_a_code_by_e_mail():
    kim = make_user("kim", email="kim@x.org")
    kim.set_unusable_password()
    kim.save()
    client = client_of("kim", confirmed=False)
    assert asks(client.post(TOKENS, TOKEN)) and not sent()
    page = client.post(TOKENS, {**TOKEN, "confirm-act": "mail"})
    assert "kim@x.org" in text_of(page)
    [code] = re.findall("[0-9]{8}", sent()[0].body)
    assert asks(client.post(TOKENS, {**TOKEN, "confirm-act": "go", "confirm-mailed": "1"}))
    client.post(TOKENS, {**TOKEN, "confirm-act": "go", "confirm-mailed": code})
    assert ApiToken.objects.exists()
    User.objects.update(email="")
    nothing = client_of("kim", confirmed=False).post(TOKENS, {**TOKEN, "confirm-act": "mail"})
    assert "ask an administrator" in text_of(nothing)
    # Who has a password is sent none: reading e-mail is not enough.
    make_user("bob", email="bob@x.org")
    asked = client_of("bob", confirmed=False).post(TOKENS, {**TOKEN, "confirm-act": "mail"})
    assert asks(asked) and "kim@x.org" not in text_of(asked)
    assert [letter.subject for letter in sent()] == ["Confirm it’s you", "A new API token"]


@pytest.mark.parametrize("factor", [False, True])
def test_a_new_login_at_the_provider_confirms(settings, factor):
    kim = make_user("kim")
    kim.set_unusable_password()
    kim.save()
    secret = with_factor(kim)[0] if factor else ""
    with provider(settings, NAME="Uni") as there:
        OutsideLogin.objects.create(user=kim, issuer=there.issuer, subject="s-1")
        client = client_of("kim", confirmed=False)
        assert "Log in again there: Uni" in text_of(client.post(TOKENS, TOKEN))

        def come_back(**claims):
            address = client.post("/accounts/outside/", {"confirm": 1, "next": TOKENS}).context[
                "address"
            ]
            assert "prompt=login" in address and "max_age=0" in address
            there.claims |= claims
            query = there.authorise(address)
            return client.get("/accounts/outside/back/", query, follow=True)

        # A session that lay open there proves nothing, and somebody else's login neither.
        for claims in ({}, {"auth_time": 1}, {"auth_time": "now"}, {"auth_time": True}):
            assert "logged in anew" in messages_of(come_back(**claims))[0]
        other = come_back(auth_time=2**33, sub="s-2")
        assert "not the login" in messages_of(other)[0]
        assert asks(client.post(TOKENS, TOKEN))
        page = come_back(auth_time=2**33, sub="s-1")
        if factor:
            assert asks(page) and asks(client.post(TOKENS, TOKEN))
            code = {"confirm-act": "go", "confirm-code": code_of(secret)}
            page = client.post(page.redirect_chain[-1][0], {"confirm-get": 1, **code}, follow=True)
        assert page.redirect_chain[-1][0] == TOKENS
        assert "Confirmed for ten minutes" in messages_of(page)[0]
        client.post(TOKENS, TOKEN)
        assert ApiToken.objects.exists()


def test_a_login_by_a_provider_alone_confirms_nothing(settings):
    with provider(settings, CREATES=True) as there:
        client = Client()
        address = client.post("/accounts/outside/").context["address"]
        client.get("/accounts/outside/back/", there.authorise(address))
        assert asks(client.post(TOKENS, TOKEN))


def test_it_leads_back_here_and_nowhere_else():
    client = client_of("bob", confirmed=False)
    # Passwords are typed again: the page does not hold them.
    page = client.post("/accounts/email/", {"email": "b@x.org", "new_password": "secret"})
    assert dict(page.context["fields"]) == {"email": "b@x.org"}
    for came, back in (
        ("http://testserver/site/users/?page=2", "/site/users/?page=2"),
        ("https://evil.example/", "/accounts/"),
        ("", "/accounts/"),
    ):
        page = client.post(TOKENS, TOKEN, headers={"referer": came})
        assert page.context["back"] == back
        again = client.post(TOKENS, {**TOKEN, "confirm-back": back, "confirm-act": "go"})
        assert again.context["back"] == back


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
