"""The tokens of a user, and the user of a token."""

from annotation.accounts.login import tokens_of
from tests.factories import make_user
from tests.site.permissions.world import make_world


def test_tokens_are_the_users_own():
    make_world("camp")
    assert tokens_of(user=make_user("alice")).count() == 1
    assert tokens_of(user=make_user("bob")).count() == 0
