"""Passwords cannot be tried out at any door, and nobody is locked out by strangers."""

from functools import partial

import pytest
from django.test import Client

from annotation.accounts.login import PER_ACCOUNT, PER_ADDRESS, PER_PAIR
from annotation.models import AuditEntry
from tests.clients import text_of
from tests.factories import PASSWORD, make_admin, make_user

WRONG = "wrong"
HERE, THERE = "10.0.0.1", "10.0.0.2"


def page(name, password, address=HERE):
    """200: refused, with the form; 302: logged in; 429: too many failures."""
    form = {"username": name, "password": password}
    return Client().post("/accounts/login/", form, REMOTE_ADDR=address).status_code


def route(path, name, password):
    """As `page` answers."""
    body = {"username": name, "password": password}
    answer = Client().post(path, body, "application/json", REMOTE_ADDR=HERE)
    return {400: 200, 200: 302}.get(answer.status_code, answer.status_code)


session, token = partial(route, "/api/v1/session"), partial(route, "/api/v1/token")


def admin(name, password):
    """What a browser does at the Django admin: it goes where it is sent, and fills in the form."""
    client = Client(REMOTE_ADDR=HERE)
    asked = client.get("/admin/", follow=True)
    form = {"username": name, "password": password, "next": "/admin/"}
    return client.post(asked.redirect_chain[-1][0], form).status_code


DOORS = [page, session, token, admin]


@pytest.mark.parametrize("door", DOORS, ids=["page", "session", "token", "admin"])
def test_after_too_many_failures_not_even_the_right_password_opens_any_door(
    door,
):
    make_admin("adam")
    assert [door("adam", WRONG) for _ in range(PER_PAIR)] == [200] * PER_PAIR
    assert {one("adam", PASSWORD) for one in DOORS} == {429}
    # From elsewhere it does; and others here are not kept waiting.
    assert page("adam", PASSWORD, THERE) == 302
    make_user("bob")
    assert page("bob", PASSWORD) == 302


def test_the_right_password_in_time_begins_anew():
    make_user("bob")
    for _ in range(3):
        assert {page("bob", WRONG) for _ in range(PER_PAIR - 1)} == {200}
        assert page("bob", PASSWORD) == 302


@pytest.mark.slow
def test_one_address_does_not_try_one_password_on_everybody():
    make_user("bob")
    assert {page(f"name-{number}", WRONG) for number in range(PER_ADDRESS)} == {200}
    assert page("bob", PASSWORD) == 429
    assert page("bob", PASSWORD, THERE) == 302


@pytest.mark.slow
def test_many_addresses_together_are_stopped_but_not_the_owner():
    """A name that nobody has is treated the same, so that the answers name nobody."""
    make_user("bob")
    assert page("bob", PASSWORD, HERE) == 302
    for name in ("bob", "nobody"):
        for number in range(PER_ACCOUNT):
            assert page(name.upper() if number % 2 else name, WRONG, f"10.1.0.{number}") == 200
        assert page(name, WRONG, "10.2.0.1") == 429
    assert page("bob", PASSWORD, THERE) == 429
    assert page("bob", PASSWORD, HERE) == 302


def test_page_and_route_say_how_long_to_wait():
    make_user("bob")
    for _ in range(PER_PAIR):
        page("bob", WRONG, "127.0.0.1")
    form = {"username": "bob", "password": PASSWORD}
    assert "wait 5 minutes" in text_of(Client().post("/accounts/login/", form))
    refused = Client().post("/api/v1/session", form, "application/json")
    assert refused.json()["code"] == "throttled" and "wait 5 minutes" in refused.json()["detail"]


def test_logins_and_failures_stand_in_the_log_with_whose_they_are():
    bob = make_user("bob")
    page("bob", PASSWORD)
    page("bob", WRONG)
    page("no such name", WRONG)
    rows = AuditEntry.objects.order_by("pk").values_list("verb", "actor", "person")
    assert list(rows) == [
        ("log in", bob.pk, bob.pk),
        ("fail to log in", None, bob.pk),
        ("fail to log in", None, None),
    ]


def test_the_log_of_the_server_tells_an_attack_from_a_forgotten_password(caplog):
    make_user("bob")
    page("bob", WRONG)
    page("my secret, in the wrong field", WRONG)
    page("my secret, in the wrong field", WRONG, THERE)
    page("bob", WRONG)
    first, typed, again, last = (one for one in caplog.messages if "failed login" in one)
    assert "account 'bob'" in first and f"from {HERE}; in 300 s 1 for this" in first
    assert "2 for this account from there, 2 for this account, 3 from there" in last
    assert "secret" not in typed + again and f"from {THERE}" in again
    assert typed.split(" from ")[0] == again.split(" from ")[0] != last.split(" from ")[0]
    for _ in range(PER_PAIR):
        page("bob", WRONG)
    [refused] = {one for one in caplog.messages if "too many failures" in one}
    assert f"from {HERE}" in refused and f"{PER_PAIR} for this account from there" in refused
