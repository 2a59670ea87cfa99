"""The voice that a request speaks with."""

from __future__ import annotations

import pytest

from annotation.models import Withdrawal
from annotation.selectors.campaigns import campaigns
from annotation.selectors.people.annotators import WrongAnnotator, annotator_of, own_annotator
from annotation.selectors.people.withdrawal import withdrawal_of
from annotation.services.people.withdrawal import annotator_withdraw
from tests.factories import make_user
from tests.site.permissions.world import make_world

pytestmark = pytest.mark.django_db


def test_a_voice_is_the_users_own_in_this_campaign() -> None:
    for world in (make_world("camp"), make_world("beside")):
        bob = world.bob
        assert bob.user is not None
        assert annotator_of(campaign=world.campaign, user=bob.user) == bob
        assert own_annotator(user=bob.user, key=bob.key) == bob
        with pytest.raises(WrongAnnotator):
            own_annotator(user=make_user("beth"), key=bob.key)
        assert withdrawal_of(campaign=world.campaign, user=bob.user) is None
        annotator_withdraw(annotator=bob)
        left = withdrawal_of(campaign=world.campaign, user=bob.user)
        assert left == Withdrawal.objects.get(annotator=bob)
        assert withdrawal_of(campaign=world.campaign, user=make_user("beth")) is None
    assert campaigns.campaigns_to_annotate(user=make_user("bob")) == []
