"""The voice, the withdrawal and the tokens of a user are their own."""

import pytest
from django.contrib.auth.models import AnonymousUser

from annotation.accounts.login import tokens_of
from annotation.models import Withdrawal
from annotation.people.annotators import WrongAnnotator, annotator_of, own_annotator, withdrawal_of
from annotation.people.exclusions import annotator_withdraw
from tests.factories import make_annotator, make_campaign, make_user
from tests.site.permissions.world import make_world


def test_a_voice_is_the_users_own_in_this_campaign():
    for world in (make_world("camp"), make_world("beside")):
        bob = world.bob
        assert bob.user is not None
        assert annotator_of(campaign=world.campaign, user=bob.user) == bob
        assert own_annotator(user=bob.user, key=bob.key) == bob
        with pytest.raises(WrongAnnotator):
            own_annotator(user=make_user("beth"), key=bob.key)


def test_a_viewer_has_no_voice():
    bob = make_annotator(make_campaign(items=1))
    bob.campaign.memberships.filter(user=bob.user).update(role="viewer")
    with pytest.raises(WrongAnnotator):
        own_annotator(user=bob.user, key=bob.key)


def test_tokens_are_the_users_own():
    make_world("camp")
    assert tokens_of(user=make_user("alice")).count() == 1
    assert tokens_of(user=make_user("bob")).count() == 0


def test_a_withdrawal_is_the_users_own_in_this_campaign():
    for campaign in (make_campaign(items=1), make_campaign("beside", items=1)):
        bob = make_annotator(campaign)
        assert withdrawal_of(campaign=campaign, user=make_user("bob")) is None
        annotator_withdraw(annotator=bob)
        left = withdrawal_of(campaign=campaign, user=make_user("bob"))
        assert left == Withdrawal.objects.get(annotator=bob)
        assert withdrawal_of(campaign=campaign, user=make_user("beth")) is None
        assert withdrawal_of(campaign=campaign, user=AnonymousUser()) is None
