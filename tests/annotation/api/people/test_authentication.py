"""Session and token login for the API."""

from rest_framework.test import APIClient
from rest_framework.throttling import UserRateThrottle

from tests.annotation.tokens_asked import CAMPAIGNS, ask, with_token
from tests.factories import make_campaign, make_user


def test_an_account_that_was_switched_off_has_no_use_of_its_token():
    alice = make_user("alice")
    token = ask(APIClient()).json()["token"]
    alice.is_active = False
    alice.save()
    assert with_token(token).get(CAMPAIGNS).status_code == 401
    assert ask(APIClient()).status_code == 400


def test_a_program_that_runs_wild_is_stopped(login, monkeypatch):
    make_campaign()
    monkeypatch.setattr(UserRateThrottle, "rate", "3/min", raising=False)
    alice = login("alice")
    answers = [alice.get(f"{CAMPAIGNS}/camp").status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]
    assert login("vera").get(f"{CAMPAIGNS}/camp").status_code == 200
