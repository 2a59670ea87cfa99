"""Blinding: whoever may see systems and scores is marked as not blind, for good.

They may still judge; viewers may not, by their role. Reports leave out what was judged since the
mark where `blind_only` is chosen.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet

from annotation.models import Annotator, Membership
from annotation.services.transactions import short_write
from paraanno import clock

Role = Membership.Role
SEES_SYSTEMS = (Role.OWNER, Role.RESEARCHER, Role.VIEWER)


def sees_systems(*, user: User, member: Membership | None) -> bool:
    """Whether the user may see the systems and scores of the campaign of this membership."""
    return user.is_superuser or (member is not None and member.role in SEES_SYSTEMS)


def not_blind_mark(*, annotators: QuerySet[Annotator]) -> None:
    """Mark them as not blind from now on; a mark of before stays."""
    annotators.filter(not_blind_since=None).update(not_blind_since=clock.now())


def administrator_mark(*, annotator: Annotator) -> None:
    """Mark an annotator who became a site administrator; that change notifies no campaign."""
    annotator.not_blind_since = clock.now()
    with short_write():
        annotator.save(update_fields=["not_blind_since"])
