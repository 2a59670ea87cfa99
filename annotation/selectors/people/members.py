"""Members and invitations of a campaign."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Case, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Annotator, Campaign, Invitation, Letter, Membership
from annotation.models.fields import token_digest
from paraanno import clock

RANK = (
    Membership.Role.OWNER,
    Membership.Role.RESEARCHER,
    Membership.Role.VIEWER,
    Membership.Role.ANNOTATOR,
)


def members(*, campaign: Campaign) -> QuerySet[Membership]:
    """Return the members of the campaign, owners first; one query.

    Each has `code`, the annotator code used in exports, and `annotator_key`.
    """
    annotator = Annotator.objects.filter(campaign=campaign, user=OuterRef("user"))
    rank = Case(
        *(When(role=role, then=Value(place)) for place, role in enumerate(RANK)),
        output_field=IntegerField(),
    )
    return (
        campaign.memberships.select_related("user")
        .annotate(
            code=Subquery(annotator.values("code")[:1]),
            annotator_key=Subquery(annotator.values("key")[:1]),
            rank=rank,
        )
        .order_by("rank", "user__username")
    )


def invitation_get(*, token: str, now: datetime | None = None) -> Invitation:
    """Return the invitation of a token. Raises NotFound if it is unknown, used up, expired or
    revoked.
    """
    now = now or clock.now()
    invitation = _invitation_of(token_digest(token))
    if (
        invitation is None
        or invitation.revoked_at is not None
        or invitation.expires_at <= now
        or invitation.uses >= invitation.max_uses
    ):
        raise NotFound(
            _("This invitation is not valid (any more). Ask whoever sent it for a new link.")
        )
    return invitation


def _invitation_of(digest: str) -> Invitation | None:
    """The one with this link, or with the one in a letter on its way: nobody knows whether it has
    arrived."""
    rows = Invitation.objects.select_related("campaign")
    on_the_way = Q(letters__token_hash=digest, letters__status=Letter.Status.WAITING)
    return rows.filter(token_hash=digest).first() or rows.filter(on_the_way).first()


def member_get(*, campaign: Campaign, user: int) -> User:
    """Return the member with this user id. Raises NotFound for non-members."""
    found = User.objects.filter(pk=user, memberships__campaign=campaign).first()
    if found is None:
        raise NotFound(_("There is no such member."))
    return found
