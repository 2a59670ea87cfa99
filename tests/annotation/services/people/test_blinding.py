"""Whoever could see systems while judging is marked as not blind."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.models import Membership
from annotation.services.people.membership import annotator_for, membership_set
from paraanno import clock
from tests.factories import make_annotator, make_campaign

Role = Membership.Role


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.VIEWER])
def test_a_role_that_sees_systems_marks_for_good(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    membership_set(campaign=campaign, user=bob.user, role=Role.ANNOTATOR, actor=None)
    bob.refresh_from_db()
    assert bob.not_blind_since is None
    membership_set(campaign=campaign, user=bob.user, role=role, actor=None)
    bob.refresh_from_db()
    marked = bob.not_blind_since
    assert marked is not None
    later = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    for next_role in (Role.ANNOTATOR, role):
        membership_set(campaign=campaign, user=bob.user, role=next_role, actor=None)
    bob.refresh_from_db()
    assert bob.not_blind_since == marked


@pytest.mark.django_db
def test_an_annotator_becomes_a_site_administrator() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    assert bob.not_blind_since is None
    bob.user.is_superuser = True
    bob.user.save()
    assert annotator_for(campaign=campaign, user=bob.user).not_blind_since is not None
    bob.refresh_from_db()
    assert bob.not_blind_since is not None
