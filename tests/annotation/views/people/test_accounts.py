"""Logging in, and joining by invitation."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.models import Annotator, AuditEntry, Campaign, Invitation, Membership
from annotation.services.people.logins import PER_PAIR
from annotation.services.people.membership import invitation_create, invitation_revoke
from tests.clients import client_of, text_of
from tests.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db
GUESSED = {"password1": "another long word 9", "password2": "another long word 9"}
NEW = {"username": "nina", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=1)


def invited(campaign: Campaign, **options: Any) -> tuple[Invitation, str]:
    invitation, token = invitation_create(campaign=campaign, actor=make_user("alice"), **options)
    return invitation, f"/join/{token}/"


def test_log_in_goes_where_it_was_asked_from_and_out_again() -> None:
    make_user("bob")
    client = Client()
    answer = client.get("/campaigns/")
    assert answer["Location"] == "/accounts/login/?next=/campaigns/"
    form = {"username": "bob", "password": PASSWORD, "next": "/campaigns/"}
    assert client.post("/accounts/login/", form)["Location"] == "/campaigns/"
    assert client.post("/accounts/logout/")["Location"] == "/accounts/login/"
    assert client.get("/").status_code == 302


def test_a_foreign_address_is_no_way_on() -> None:
    make_user("bob")
    form = {"username": "bob", "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert Client().post("/accounts/login/", form)["Location"] == "/"


def test_change_of_password() -> None:
    client = client_of("bob")
    new = "another long word 8"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    answer = client.post("/accounts/password/", form, follow=True)
    assert "The password was changed." in text_of(answer)
    assert Client().login(username="bob", password=new)


def test_a_new_login_by_invitation(campaign: Campaign) -> None:
    invitation, link = invited(campaign)
    client = Client()
    page = client.get(link)
    assert page.status_code == 200 and "Camp" in text_of(page)
    answer = client.post(link, NEW, follow=True)
    assert answer.redirect_chain[-1][0] == "/rate/camp/"
    member = Membership.objects.get(user__username="nina")
    assert (member.campaign, member.role) == (campaign, "annotator")
    annotator = Annotator.objects.get(user__username="nina")
    assert annotator.invitation == invitation and annotator.not_blind_since is None
    invitation.refresh_from_db()
    assert invitation.uses == 1
    log = AuditEntry.objects.filter(campaign=campaign, actor=member.user).order_by("pk")
    assert [entry.verb for entry in log] == ["sign up", "accept invitation"]
    assert "sign up" in text_of(client_of("alice").get("/c/camp/audit/"))


def test_a_sign_up_that_comes_too_late_leaves_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last use is spent between the look at the invitation and the write."""
    _, link = invited(campaign)

    def spent_meanwhile(*_args: Any, **_options: Any) -> str:
        Invitation.objects.update(uses=1)
        return "hash"

    monkeypatch.setattr("django.contrib.auth.base_user.make_password", spent_meanwhile)
    assert Client().post(link, NEW).status_code == 404
    assert not User.objects.filter(username="nina").exists()
    assert not AuditEntry.objects.filter(verb="sign up").exists()


def test_a_name_that_was_taken_meanwhile(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitation, link = invited(campaign)

    def taken_meanwhile(*_args: Any, **_options: Any) -> str:
        User.objects.create(username="nina")
        return "hash"

    monkeypatch.setattr("django.contrib.auth.base_user.make_password", taken_meanwhile)
    assert "do not match" in text_of(Client().post(link, NEW))
    invitation.refresh_from_db()
    assert (invitation.uses, Membership.objects.filter(user__username="nina").count()) == (0, 0)


def test_a_known_name_joins_with_its_own_password_and_guesses_count_as_failed_logins(
    campaign: Campaign,
) -> None:
    _, link = invited(campaign)
    make_user("charlie")
    guess = {"username": "charlie", **GUESSED}
    stranger = Client()
    for _attempt in range(PER_PAIR):
        assert "do not match" in text_of(stranger.post(link, guess))
    assert stranger.post(link, guess).status_code == 429
    own = {"username": "charlie", "password1": PASSWORD, "password2": PASSWORD}
    answer = Client(REMOTE_ADDR="192.0.2.7").post(link, own)
    assert answer["Location"] == "/rate/camp/"
    assert Membership.objects.get(user__username="charlie").role == "annotator"


def test_an_existing_login_joins_with_a_click(campaign: Campaign) -> None:
    _, link = invited(campaign, role="viewer")
    client = client_of("charlie")
    assert "Join as charlie" in text_of(client.get(link))
    assert not Membership.objects.filter(user__username="charlie").exists()
    assert client.post(link)["Location"] == "/c/camp/"
    assert Membership.objects.get(user__username="charlie").role == "viewer"


def test_a_member_keeps_their_role_and_no_use_is_spent(campaign: Campaign) -> None:
    invitation, link = invited(campaign, role="annotator")
    client_of("dora").post(link)
    assert Membership.objects.get(campaign=campaign, user__username="dora").role == "researcher"
    invitation.refresh_from_db()
    assert invitation.uses == 0


@pytest.mark.parametrize("how", ["used", "expired", "revoked", "unknown"])
@pytest.mark.parametrize("name", ["", "charlie"])
def test_a_link_that_is_no_longer_good(campaign: Campaign, how: str, name: str) -> None:
    invitation, link = invited(campaign)
    if how == "used":
        Invitation.objects.update(uses=1)
    elif how == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "revoked":
        invitation_revoke(invitation=invitation, actor=None)
    else:
        link = "/join/some-other-token/"
    for answer in (client_of(name).get(link), client_of(name).post(link, NEW)):
        assert answer.status_code == 404
        assert "Ask whoever sent it for a new link." in text_of(answer)
        assert campaign.name not in text_of(answer).split()
    assert not User.objects.filter(username="nina").exists()
    assert not Membership.objects.filter(user__username="charlie").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password2": "something else 9"}, "match"),
        ({"password1": "12345678", "password2": "12345678"}, "too common"),
        ({"username": "alice", **GUESSED}, "do not match"),
        ({"username": "ALICE", **GUESSED}, "do not match"),
    ],
)
def test_a_bad_sign_up_spends_nothing(
    campaign: Campaign, change: dict[str, str], said: str
) -> None:
    invitation, link = invited(campaign)
    users = User.objects.count()
    answer = Client().post(link, {**NEW, **change})
    assert answer.status_code == 200 and said in text_of(answer)
    invitation.refresh_from_db()
    assert (invitation.uses, User.objects.count()) == (0, users)
