"""Every login is listed, ends when it is to, and is gone with its session."""

from django.core.cache import cache
from django.test import Client

from annotation.accounts.login import sessions_drop, sessions_expire, sessions_of
from annotation.models import SignedIn
from tests.clients import client_of, text_of
from tests.factories import PASSWORD, make_user


def logged_in(agent):
    make_user("bob")
    client = Client(headers={"user-agent": agent})
    client.post("/accounts/login/", {"username": "bob", "password": PASSWORD})
    return client


def test_one_row_a_login_and_none_after_it():
    one, _two = logged_in("Firefox"), logged_in("x" * 500 + "\0")
    bob = make_user("bob")
    assert [login.agent for login in sessions_of(user=bob)] == ["x" * 200, "Firefox"]
    one.post("/accounts/logout/")
    assert sessions_of(user=bob).count() == SignedIn.objects.count() == 1


def test_a_new_password_ends_all_but_the_browser_where_it_is_set():
    here, there = logged_in("here"), logged_in("there")
    new = "another long word 8"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    done = here.post("/accounts/password/", form, follow=True)
    assert "The password was changed." in text_of(done)
    assert here.get("/accounts/").status_code == 200
    assert there.get("/accounts/").status_code == 302
    assert [one.agent for one in sessions_of(user=make_user("bob"))] == ["here"]
    assert Client().login(username="bob", password=new)


def test_dropping_is_of_one_person_and_old_rows_go_with_their_sessions():
    bob, alice = client_of("bob"), client_of("alice")
    assert sessions_drop(user=make_user("bob")) == 1
    assert (bob.get("/accounts/").status_code, alice.get("/accounts/").status_code) == (302, 200)
    session = alice.session
    session.set_expiry(-10)
    session.save()
    cache.clear()
    assert sessions_expire() == 1
    assert not SignedIn.objects.exists()
