"""The voice that a request speaks with."""

from __future__ import annotations

import pytest

from annotation.selectors.people.annotators import WrongAnnotator, annotator_of, own_annotator
from tests.factories import make_user
from tests.site.permissions.world import make_world


def test_a_voice_is_the_users_own_in_this_campaign() -> None:
    for world in (make_world("camp"), make_world("beside")):
        bob = world.bob
        assert bob.user is not None
        assert annotator_of(campaign=world.campaign, user=bob.user) == bob
        assert own_annotator(user=bob.user, key=bob.key) == bob
        with pytest.raises(WrongAnnotator):
            own_annotator(user=make_user("beth"), key=bob.key)
