"""Who has left a campaign: their own withdrawal, and all of a campaign."""

from django.contrib.auth.models import AnonymousUser

from annotation.models import Withdrawal
from annotation.people.annotators import withdrawal_of, withdrawals, withdrawn
from annotation.people.exclusions import annotator_return, annotator_withdraw
from tests.factories import make_annotator, make_campaign, make_user


def test_a_withdrawal_is_the_users_own_in_this_campaign():
    for campaign in (make_campaign(items=1), make_campaign("beside", items=1)):
        bob = make_annotator(campaign)
        assert withdrawal_of(campaign=campaign, user=make_user("bob")) is None
        annotator_withdraw(annotator=bob)
        left = withdrawal_of(campaign=campaign, user=make_user("bob"))
        assert left == Withdrawal.objects.get(annotator=bob)
        assert withdrawal_of(campaign=campaign, user=make_user("beth")) is None
        assert withdrawal_of(campaign=campaign, user=AnonymousUser()) is None


def test_a_withdrawal_that_ended_is_listed_and_not_in_force(campaign, django_assert_num_queries):
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    ended = annotator_withdraw(annotator=bob)
    annotator_return(annotator=bob, actor=None)
    left = annotator_withdraw(annotator=ben)
    assert withdrawal_of(campaign=campaign, user=make_user("bob")) is None
    with django_assert_num_queries(1):
        listed = [(one.pk, one.annotator.code) for one in withdrawals(campaign=campaign)]
    assert listed == [(left.pk, ben.code), (ended.pk, bob.code)]
    with django_assert_num_queries(2):
        found = {one.code: one.left for one in withdrawn(campaign.annotators.all())}
    assert found == {bob.code: [], ben.code: [left]}
