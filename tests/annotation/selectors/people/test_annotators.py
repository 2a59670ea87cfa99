"""The voice that a request speaks with."""

import pytest

from annotation.people.annotators import WrongAnnotator, annotator_of, own_annotator
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
