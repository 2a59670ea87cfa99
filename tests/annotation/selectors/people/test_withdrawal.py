"""Who has left a campaign: their own withdrawal, and all of a campaign."""

from django.contrib.auth.models import AnonymousUser

from annotation.models import Withdrawal
from annotation.people.annotators import withdrawal_of
from annotation.people.exclusions import annotator_withdraw
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
