"""The plan of an erasure tells what is there, in a constant number of queries."""

from django.contrib.auth.models import User

from annotation.people.stored_data import erasure_plan
from tests.annotation.services.accounts.test_erasure import NAME, zoe_in
from tests.factories import make_campaign, make_user


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
