"""What somebody at an open browser cannot do, and what its owner does by saying who it is."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.accounts.confirming import TRIES
from annotation.models import ApiToken, OutsideLogin, SecondFactor
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


def test_passwords_cannot_be_tried_out_there():
    client = client_of("bob", confirmed=False)
    wrong = {**TOKEN, **PASS, "confirm-password": "wrong"}
    assert [client.post(TOKENS, wrong).status_code for _ in range(TRIES)] == [403] * TRIES
    assert client.post(TOKENS, {**TOKEN, **PASS}).status_code == 429


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
