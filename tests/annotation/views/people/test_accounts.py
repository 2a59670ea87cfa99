"""Logging in, and joining by invitation."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.accounts.login import PER_PAIR
from annotation.models import AuditEntry, Invitation, Membership
from annotation.people.membership import invitation_create
from tests.clients import client_of, text_of
from tests.factories import PASSWORD, make_user

GUESSED = {"password1": "another long word 9", "password2": "another long word 9"}
NEW = {"username": "nina", "password1": PASSWORD, "password2": PASSWORD}


def invited(campaign, **options):
    invitation, token = invitation_create(campaign=campaign, actor=make_user("alice"), **options)
    return invitation, f"/join/{token}/"


def role_of(name):
    return Membership.objects.filter(user__username=name).values_list("role", flat=True).first()


def uses(invitation):
    return Invitation.objects.get(pk=invitation.pk).uses


def test_log_in_goes_where_it_was_asked_from_and_out_again():
    make_user("bob")
    client = Client()
    answer = client.get("/campaigns/")
    assert answer["Location"] == "/accounts/login/?next=/campaigns/"
    for wanted, there in (("/campaigns/", "/campaigns/"), ("https://elsewhere.example/", "/")):
        form = {"username": "bob", "password": PASSWORD, "next": wanted}
        assert client.post("/accounts/login/", form)["Location"] == there
        assert client.post("/accounts/logout/")["Location"] == "/accounts/login/"
        assert client.get("/").status_code == 302


def test_a_new_login_by_invitation(campaign):
    invitation, link = invited(campaign)
    client = Client()
    assert "Camp" in text_of(client.get(link))
    answer = client.post(link, NEW, follow=True)
    assert answer.redirect_chain[-1][0] == "/rate/camp/"
    assert (role_of("nina"), uses(invitation)) == ("annotator", 1)
    annotator = campaign.annotators.get(user__username="nina")
    assert annotator.invitation == invitation and annotator.not_blind_since is None
    log = AuditEntry.objects.filter(campaign=campaign, actor=annotator.user).order_by("pk")
    assert [entry.verb for entry in log] == ["sign up", "accept invitation"]


def spend():
    Invitation.objects.update(uses=1)


def take_the_name():
    User.objects.create(username="nina")


@pytest.mark.parametrize(
    ("happens", "words", "left"), [(spend, "new link", 1), (take_the_name, "do not match", 0)]
)
def test_a_sign_up_that_comes_too_late_leaves_nothing(
    campaign,
    monkeypatch,
    happens,
    words,
    left,
):
    """Between the look at the invitation and the write."""
    invitation, link = invited(campaign)

    def meanwhile(*_args, **_options):
        happens()
        return "hash"

    monkeypatch.setattr("django.contrib.auth.base_user.make_password", meanwhile)
    assert words in text_of(Client().post(link, NEW))
    assert User.objects.filter(username="nina").exists() == (happens is take_the_name)
    assert not AuditEntry.objects.filter(verb="sign up").exists()
    assert (role_of("nina"), uses(invitation)) == (None, left)


def test_a_known_name_joins_with_its_own_password_and_guesses_count_as_failed_logins(
    campaign,
):
    _, link = invited(campaign)
    make_user("charlie")
    guess = {"username": "charlie", **GUESSED}
    stranger = Client()
    for _attempt in range(PER_PAIR):
        assert "do not match" in text_of(stranger.post(link, guess))
    assert stranger.post(link, guess).status_code == 429
    answer = Client(REMOTE_ADDR="192.0.2.7").post(link, {**NEW, "username": "charlie"})
    assert answer["Location"] == "/rate/camp/" and role_of("charlie") == "annotator"


def test_an_existing_login_joins_with_a_click(campaign):
    _, link = invited(campaign, role="viewer")
    client = client_of("charlie")
    assert "Join as charlie" in text_of(client.get(link)) and role_of("charlie") is None
    assert client.post(link)["Location"] == "/c/camp/" and role_of("charlie") == "viewer"


def test_a_member_keeps_their_role_and_no_use_is_spent(campaign):
    invitation, link = invited(campaign)
    client_of("dora").post(link)
    assert (role_of("dora"), uses(invitation)) == ("researcher", 0)


PAST = timezone.now() - timedelta(seconds=1)


@pytest.mark.parametrize(
    "change", [{"uses": 1}, {"expires_at": PAST}, {"revoked_at": PAST}, {"token_hash": "another"}]
)
@pytest.mark.parametrize("name", ["", "charlie"])
def test_a_link_that_is_no_longer_good(campaign, change, name):
    _, link = invited(campaign)
    Invitation.objects.update(**change)
    for answer in (client_of(name).get(link), client_of(name).post(link, NEW)):
        assert answer.status_code == 404
        assert "Ask whoever sent it for a new link." in text_of(answer)
        assert campaign.name not in text_of(answer).split()
    assert not User.objects.filter(username="nina").exists() and role_of("charlie") is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"password2": "something else 9"}, "match"),
        ({"password1": "12345678", "password2": "12345678"}, "too common"),
        ({"username": "alice", **GUESSED}, "do not match"),
        ({"username": "ALICE", **GUESSED}, "do not match"),
    ],
)
def test_a_bad_sign_up_spends_nothing(campaign, change, words):
    invitation, link = invited(campaign)
    users = User.objects.count()
    answer = Client().post(link, {**NEW, **change})
    assert answer.status_code == 200 and words in text_of(answer)
    assert (uses(invitation), User.objects.count()) == (0, users)
