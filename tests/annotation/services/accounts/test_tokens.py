"""Tokens of programs: shown once, ended at once, and used without a write each time."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.accounts.login import token_find
from annotation.accounts.tokens import (
    MOST,
    NOTED_EVERY,
    token_make,
    token_revoke,
    token_used,
    tokens_revoke,
)
from annotation.errors import Invalid, NotFound
from annotation.models import ApiToken, AuditEntry, Letter
from annotation.models.fields import token_digest
from tests.factories import PASSWORD, make_campaign, make_user


@pytest.fixture
def alice():
    return make_user("alice")


@pytest.fixture
def bob():
    return make_user("bob")


def change(token, **columns):
    ApiToken.objects.filter(pk=token.pk).update(**columns)
    token.refresh_from_db()


def test_the_text_of_a_token_is_returned_and_its_hash_alone_is_stored(alice):
    token, text = token_make(user=alice, label="notebook")
    assert token_make(user=alice)[1] != text
    token.refresh_from_db()
    assert token.token_hash == token_digest(text)
    logged = AuditEntry.objects.filter(verb="make token").order_by("pk")
    assert [entry.data["label"] for entry in logged] == ["notebook", ""]


def test_the_owner_hears_of_each_token_of_a_page_and_once_of_each_program(alice):
    alice.email = "alice@example.org"
    alice.save()
    make_campaign(items=1)
    read = {"scope": ApiToken.Scope.READ}
    for more, n in (
        ({}, 1),
        ({}, 2),
        ({"by_program": True}, 2),
        ({"by_program": True, "label": "nightly"}, 3),
        ({"by_program": True, "label": "nightly"}, 3),
        ({"by_program": True, "label": "nightly", **read}, 4),
        ({"by_program": True, "label": "nightly", **read, "campaigns": ["camp"]}, 5),
        ({"by_program": True, "label": "nightly", **read, "campaigns": ["camp"]}, 5),
        ({"label": "nightly"}, 6),
    ):
        token_make(user=alice, **more)
        assert Letter.objects.filter(user=alice, subject="A new API token").count() == n, more


def test_one_token_too_many_ends_the_one_that_was_used_the_longest_ago(alice, bob):
    others = token_make(user=bob)[0]
    used, longer_ago, *unused = (token_make(user=alice)[0] for _ in range(MOST))
    now = timezone.now()
    for token, ago in ((used, 1), (longer_ago, 2)):
        change(token, used_at=now - timedelta(days=ago))
    for gone in unused[:2]:  # Those that were never used go first, from the oldest on.
        token_make(user=alice)
        assert not ApiToken.objects.filter(pk=gone.pk).exists()
    assert ApiToken.objects.filter(user=alice).count() == MOST
    ApiToken.objects.filter(used_at=None, user=alice).update(used_at=now)
    token_make(user=alice)
    left = ApiToken.objects.filter(pk__in=[used.pk, others.pk, longer_ago.pk])
    assert set(left) == {used, others}


def test_a_token_is_revoked_by_its_user_alone(alice, bob):
    token = token_make(user=alice, label="notebook")[0]
    for user, key in ((bob, token.key), (alice, uuid4())):
        with pytest.raises(NotFound):
            token_revoke(user=user, key=key)
    token_revoke(user=alice, key=token.key)
    assert not ApiToken.objects.exists()
    assert AuditEntry.objects.get(verb="revoke token").data == {"label": "notebook"}


def test_all_tokens_of_one_user_are_revoked_together(alice, bob):
    for user in (alice, alice, bob):
        token_make(user=user)
    tokens_revoke(user=alice)
    assert ApiToken.objects.get().user == bob
    assert AuditEntry.objects.get(verb="revoke tokens").actor == alice


def test_a_use_is_noted_once_an_hour(alice):
    token = token_make(user=alice)[0]
    token_used(token=token)
    token.refresh_from_db()
    assert token.used_at is not None
    for ago, noted in ((NOTED_EVERY - timedelta(minutes=1), False), (NOTED_EVERY, True)):
        before = timezone.now() - ago
        change(token, used_at=before)
        token_used(token=token)
        token.refresh_from_db()
        assert (token.used_at != before) == noted


def test_a_token_ends_on_its_day_and_one_of_old_days_never(alice, settings):
    settings.TOKEN_DAYS = 30
    usual, _ = token_make(user=alice)
    short, text = token_make(user=alice, days=1)
    for token, days in ((usual, 30), (short, 1)):
        assert token.expires_at is not None
        assert abs(token.expires_at - timezone.now() - timedelta(days=days)) < timedelta(minutes=1)
    assert token_find(text=text) == short
    change(short, expires_at=timezone.now() - timedelta(seconds=1))
    assert token_find(text=text) is None
    change(short, expires_at=None)
    assert token_find(text=text) == short
    for days in (0, -1, 31):
        with pytest.raises(Invalid):
            token_make(user=alice, days=days)


def test_a_new_password_ends_the_tokens_and_nothing_else_does(alice, bob, settings):
    text, other = token_make(user=alice)[1], token_make(user=bob)[1]
    alice.email = "alice@example.org"
    alice.save()
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = alice.password
    assert alice.check_password(PASSWORD) and alice.password != before  # A new hash of the same.
    assert token_find(text=text) is not None
    alice.set_password("another long word 8")
    alice.save()
    assert token_find(text=text) is None and token_find(text=other) is not None
    entry = AuditEntry.objects.get(verb="change password")
    assert (entry.person, entry.data) == (alice, {"tokens": 1})
