"""Single sign-on in the browser, from the button to the page that was wanted."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.services.people.membership import invitation_create
from tests.annotation.doors import code_of, provider, with_factor
from tests.clients import client_of, messages_of, text_of
from tests.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db
GO, BACK = "/accounts/outside/", "/accounts/outside/back/"


@pytest.fixture
def there(settings):
    with provider(settings, CREATES=True, NAME="Log in at Uni") as one:
        yield one


def test_there_and_back_to_the_page_that_was_wanted(there):
    client = Client()
    assert "Log in at Uni" in text_of(client.get("/accounts/login/?next=/campaigns/"))
    query = there.authorise(client.get(f"{GO}?next=/campaigns/")["Location"])
    assert client.get(BACK, query)["Location"] == "/campaigns/"
    assert client.get("/accounts/").context["user"].email == "kim@uni.example"
    # The same answer again, here and in another browser: refused.
    client.post("/accounts/logout/")
    for again in (client, Client()):
        assert "did not work" in messages_of(again.get(BACK, query, follow=True))[0]
        assert again.get("/accounts/").status_code == 302
    away = client.get(f"{GO}?next=https://evil.example/")
    assert client.get(BACK, there.authorise(away["Location"]))["Location"] == "/"


def test_an_answer_for_another_browser_logs_nobody_in(there):
    own, other = Client(), Client()
    other.get(GO)
    query = there.authorise(own.get(GO)["Location"])
    denied = {"error": "access_denied", "state": query["state"]}
    for client, answer in ((other, query), (own, denied)):
        assert "did not work" in messages_of(client.get(BACK, answer, follow=True))[0]
        assert client.get("/accounts/").status_code == 302


def test_a_second_factor_is_asked_for_here_too(there, settings):
    settings.OIDC_LINKS_BY_EMAIL = True
    secret, _codes = with_factor(make_user("kim", email="kim@uni.example"))
    client = Client()
    answer = client.get(BACK, there.authorise(client.get(GO)["Location"]))
    assert answer["Location"].startswith("/accounts/login/code/")
    assert client.get("/accounts/").status_code == 302
    client.post(answer["Location"], {"code": code_of(secret)})
    assert client.get("/accounts/").status_code == 200


def test_who_is_logged_in_connects_both(there):
    client, users = client_of("bob"), User.objects.count()
    query = there.authorise(client.get(GO)["Location"])
    assert client.get(BACK, query)["Location"] == "/accounts/"
    fresh = Client()
    fresh.get(BACK, there.authorise(fresh.get(GO)["Location"], code="c-2"))
    assert fresh.get("/accounts/").context["user"].username == "bob"
    assert User.objects.count() == users
    # Somebody else in this browser by now: nothing is connected.
    late = client_of("alice")
    query = there.authorise(late.get(GO)["Location"])
    late.force_login(make_user("dora"))
    assert "did not work" in messages_of(late.get(BACK, query, follow=True))[0]
    assert not make_user("dora").outside_logins.exists()


def test_joining_with_a_password_waits_for_the_second_factor():
    campaign = make_campaign(items=1)
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
