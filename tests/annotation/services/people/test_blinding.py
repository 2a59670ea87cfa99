"""Whoever could see systems while judging is marked as not blind."""

from datetime import timedelta

import pytest

from annotation.models import Membership
from annotation.people.membership import annotator_for, membership_set
from paraanno import clock
from tests.factories import make_annotator

Role = Membership.Role


@pytest.fixture
def bob(campaign):
    return make_annotator(campaign)


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.VIEWER])
def test_a_role_that_sees_systems_marks_for_good(bob, role, monkeypatch):
    def marked(*roles):
        for one in roles:
            membership_set(campaign=bob.campaign, user=bob.user, role=one, actor=None)
        bob.refresh_from_db()
        return bob.not_blind_since

    assert marked(Role.ANNOTATOR) is None
    first = marked(role)
    assert first is not None
    later = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert marked(Role.ANNOTATOR, role) == first


def test_an_annotator_becomes_a_site_administrator(bob):
    assert bob.not_blind_since is None
    bob.user.is_superuser = True
    bob.user.save()
    assert annotator_for(campaign=bob.campaign, user=bob.user).not_blind_since is not None
    bob.refresh_from_db()
    assert bob.not_blind_since is not None
