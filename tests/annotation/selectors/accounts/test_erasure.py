"""The plan of an erasure tells what is there, in a constant number of queries."""

import pytest
from django.contrib.auth.models import User

from annotation.accounts.stored_data import account_get, erasure_plan
from annotation.errors import NotFound
from tests.annotation.services.accounts.test_erasure import NAME, zoe_in
from tests.factories import make_admin, make_campaign, make_user


def test_it_tells_all_and_does_nothing(django_assert_num_queries):
    zoe_in("one", removes=True)
    zoe = User.objects.get(username=NAME)
    with django_assert_num_queries(8):
        plan = erasure_plan(user=zoe)
    zoe_in("two", removes=False)
    with django_assert_num_queries(8):
        plan = erasure_plan(user=zoe)
    told = [
        (one.campaign.slug, one.removes, one.judgments, one.remarks, one.answers)
        for one in plan.parts
    ]
    assert told == [("one", True, 6, 1, 1), ("two", False, 6, 1, 1)]
    assert plan.possible and plan.tokens == 0
    make_campaign("three", items=1)
    alice = erasure_plan(user=make_user("alice"))
    assert [one.slug for one in alice.only_owner_of] == ["one", "three", "two"]
    assert not alice.possible


def test_only_administrators_reach_others():
    adam, bob = make_admin(), make_user("bob")
    assert account_get(actor=adam, pk=bob.pk) == bob and not erasure_plan(user=adam).possible
    for actor, pk in ((bob, bob.pk), (adam, 0)):
        with pytest.raises(NotFound):
            account_get(actor=actor, pk=pk)
