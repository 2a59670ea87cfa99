"""Session and token login for the API."""

from rest_framework.test import APIClient
from rest_framework.throttling import UserRateThrottle

from annotation.accounts.login import PER_PAIR
from annotation.models import ApiToken
from tests.annotation.api.collecting.place import refusal
from tests.annotation.api.people.tokens_asked import CAMPAIGNS, ask, with_token
from tests.factories import make_campaign, make_user


def test_an_account_that_was_switched_off_has_no_use_of_its_token():
    alice = make_user("alice")
    token = ask(APIClient()).json()["token"]
    alice.is_active = False
    alice.save()
    assert with_token(token).get(CAMPAIGNS).status_code == 401
    assert ask(APIClient()).status_code == 400


def test_a_stale_token_does_not_keep_its_user_from_a_new_one():
    make_user("alice")
    assert ask(with_token("long-gone")).status_code == 200


def test_guessing_passwords_is_slowed_down_whatever_address_a_header_names():
    make_user("alice")
    client = APIClient()
    answers = [
        ask(client, password="wrong", headers={"x-forwarded-for": f"10.0.0.{number}"}).status_code
        for number in range(PER_PAIR + 1)
    ]
    assert answers == [400] * PER_PAIR + [429] and not ApiToken.objects.exists()
    assert refusal(ask(client)) == (429, "throttled")


def test_a_session_alone_does_not_write_without_its_csrf_token():
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(make_user("alice"))
    answer = client.post(CAMPAIGNS, {"slug": "forged"}, format="json")
    assert refusal(answer) == (403, "csrf")


def test_a_program_that_runs_wild_is_stopped(login, monkeypatch):
    make_campaign()
    monkeypatch.setattr(UserRateThrottle, "rate", "3/min", raising=False)
    alice = login("alice")
    answers = [alice.get(f"{CAMPAIGNS}/camp").status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]
    assert login("vera").get(f"{CAMPAIGNS}/camp").status_code == 200
