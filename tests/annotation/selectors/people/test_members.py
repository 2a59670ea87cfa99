"""Members in order, an invitation by its token, a member by their id."""

import pytest

from annotation.errors import NotFound
from annotation.people.annotators import member_get, members
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


def test_whoever_is_no_member_here_is_not_found(campaign):
    make_campaign("other", items=1, cast=False)
    make_annotator(make_campaign("third", items=1), "ben")
    assert member_get(campaign=campaign, user=make_user("bob").pk).username == "bob"
    for user in (make_user("ben").pk, 10**9):
        with pytest.raises(NotFound):
            member_get(campaign=campaign, user=user)
