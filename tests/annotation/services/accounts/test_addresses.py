"""Another address for an account, by a link that serves once."""

import pytest
from django.contrib.auth.models import User

from annotation.accounts.users import email_ask, email_confirm, email_set
from annotation.errors import NotFound
from tests.factories import make_admin, make_user
from tests.letters import sent


@pytest.fixture
def bob():
    return make_user("bob", email="bob@example.org")


def test_an_address_is_confirmed_by_its_owner_once(bob):
    tokens = []
    for name in ("new", "newer"):
        email_ask(
            user=bob, email=f"{name}@example.org", link_of=lambda one: tokens.append(one) or one
        )
    assert User.objects.get(pk=bob.pk).email == "bob@example.org"
    with pytest.raises(NotFound):
        email_confirm(user=make_user("alice"), token=tokens[0])
    assert email_confirm(user=bob, token=tokens[0]) == "new@example.org"
    assert [letter.to[0].split("@")[0] for letter in sent()] == ["new", "newer", "bob"]
    for spent in (*tokens, tokens[0][:-2], ""):
        with pytest.raises(NotFound):
            email_confirm(user=bob, token=spent)
    assert User.objects.get(pk=bob.pk).email == "new@example.org"


def test_administrators_set_one(bob):
    email_set(user=bob, email=" b@EXAMPLE.org ", actor=make_admin())
    assert User.objects.get(pk=bob.pk).email == "b@example.org"
