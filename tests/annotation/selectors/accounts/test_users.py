"""Accounts are found by name, state and right, with what they have open, in one query."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission

from annotation.accounts.tokens import token_make
from annotation.accounts.users import user_get, users_found
from annotation.errors import NotFound
from paraanno import clock
from tests.annotation.doors import with_factor
from tests.annotation.services.people.test_entering import enter, make_panel
from tests.clients import client_of
from tests.factories import make_admin, make_user


def names(**options):
    return [user.username for user in users_found(**options)]


def test_who_is_found(django_assert_max_num_queries):
    came = enter(make_panel()).annotator.user
    make_admin(), make_user("zoe", email="z@x.org", is_active=False)
    group = Group.objects.create(name="staff")
    group.permissions.add(Permission.objects.get(codename="add_campaign"))
    make_user("dora").groups.add(group)
    with_factor(make_user("bob"))
    with django_assert_max_num_queries(3):  # PostgreSQL's clock is asked twice.
        everybody = names()
    assert everybody == ["adam", "alice", "bob", "dora", "zoe"]
    assert names(state="crowd") == [came.username]
    assert names(query="OrA") == ["dora"] and names(query="z@X") == ["zoe"]
    assert names(state="disabled") == ["zoe"] and "zoe" not in names(state="active")
    assert names(right="admin") == ["adam"]
    assert names(right="create") == ["adam", "alice", "dora"]
    assert names(right="factor") == ["bob"]
    assert names(state="never", query="bob") == ["bob"]
    client_of("bob")
    assert names(state="never", query="bob") == []


def test_what_is_told_of_one():
    bob = make_user("bob")
    client_of("bob"), client_of("bob").logout()
    token_make(user=bob)
    ended, _text = token_make(user=bob)
    ended.expires_at = ended.created_at - timedelta(days=1)
    ended.save()
    told = user_get(pk=bob.pk)
    assert (told.sessions, told.tokens) == (1, 1)
    assert (told.creates, told.factor, told.outside) == (False, False, False)
    assert clock.now() - told.seen < timedelta(minutes=5)
    assert user_get(pk=make_user("alice").pk).creates
    with pytest.raises(NotFound):
        user_get(pk=0)
