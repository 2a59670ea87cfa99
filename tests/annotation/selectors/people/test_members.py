"""Members in order, an invitation by its token, a member by their id."""

from datetime import timedelta

import pytest

from annotation.errors import NotFound
from annotation.people.annotators import invitation_get, member_get, members
from annotation.people.membership import invitation_accept, invitation_create, invitation_revoke
from tests.factories import make_annotator, make_campaign, make_user


def test_members_stand_by_role_and_name_with_their_codes(campaign, django_assert_num_queries):
    ben, dora = make_annotator(campaign, "ben"), make_annotator(campaign, "dora")
    with django_assert_num_queries(1):
        found = [(one.user.username, one.code) for one in members(campaign=campaign)]
    assert found == [
        ("alice", None),
        ("dora", dora.code),
        ("vera", None),
        ("ben", ben.code),
        ("bob", None),
    ]


def refused(*asked):
    for one in asked:
        with pytest.raises(NotFound, match="Ask whoever sent it"):
            invitation_get(**one)


def test_an_invitation_opens_until_it_is_used_up_expired_or_revoked(campaign):
    made, token = invitation_create(campaign=campaign, actor=None, max_uses=2)
    assert invitation_get(token=token) == made
    assert invitation_get(token=token, now=made.expires_at - timedelta(seconds=1)) == made
    refused({"token": token, "now": made.expires_at}, {"token": "another"}, {"token": ""})
    for name in ("eve", "fay"):
        assert invitation_get(token=token) == made
        invitation_accept(token=token, user=make_user(name))
    revoked, its_token = invitation_create(campaign=campaign, actor=None)
    invitation_revoke(invitation=revoked, actor=None)
    refused({"token": token}, {"token": its_token})


def test_whoever_is_no_member_here_is_not_found(campaign):
    make_campaign("other", items=1, cast=False)
    make_annotator(make_campaign("third", items=1), "ben")
    assert member_get(campaign=campaign, user=make_user("bob").pk).username == "bob"
    for user in (make_user("ben").pk, 10**9):
        with pytest.raises(NotFound):
            member_get(campaign=campaign, user=user)
