"""Who takes part: memberships, invitations and the voices of a campaign."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Annotator, Campaign, Invitation, Membership, Withdrawal
from annotation.models.fields import token_digest
from annotation.services.audit import Actor, audit
from annotation.services.errors import Invalid, NotAllowed, NotFound
from annotation.services.transactions import short_write
from annotation.services.withdrawal import annotator_return

Role = Membership.Role
SEES_SYSTEMS = (Role.OWNER, Role.RESEARCHER, Role.VIEWER)


def invitation_create(
    *,
    campaign: Campaign,
    actor: Actor,
    role: str = Role.ANNOTATOR,
    valid_for: timedelta = timedelta(days=14),
    max_uses: int = 1,
    note: str = "",
) -> tuple[Invitation, str]:
    """An invitation and its token, which is shown once and kept only as a hash."""
    if role not in (Role.RESEARCHER, Role.ANNOTATOR, Role.VIEWER):
        raise Invalid(
            _("Invite researchers, annotators or viewers; an owner is named by an owner.")
        )
    if max_uses < 1 or valid_for <= timedelta(0):
        raise Invalid(_("An invitation needs at least one use and some time."))
    token = secrets.token_urlsafe(32)
    with short_write():
        invitation = Invitation.objects.create(
            campaign=campaign,
            role=role,
            token_hash=token_digest(token),
            note=note,
            max_uses=max_uses,
            expires_at=timezone.now() + valid_for,
            created_by_id=actor.pk if actor else None,
        )
        audit(actor=actor, verb="invite", about=invitation, campaign=campaign, role=role)
    return invitation, token


def invitation_get(*, token: str, now: datetime | None = None) -> Invitation:
    """The invitation of a token. Raises NotFound where it is unknown, used up, old or revoked."""
    now = now or timezone.now()
    invitation = (
        Invitation.objects.filter(token_hash=token_digest(token)).select_related("campaign").first()
    )
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


def invitation_revoke(*, invitation: Invitation, actor: Actor) -> None:
    """The link stops working; who came by it stays."""
    with short_write():
        Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(
            revoked_at=timezone.now()
        )
        audit(actor=actor, verb="revoke invitation", about=invitation, campaign=invitation.campaign)


def invitation_accept(*, token: str, user: User) -> Membership:
    """Make the user a member. A member already keeps their role, and no use is spent.

    Who had withdrawn is an annotator again, under the code they had; the link must be a new one,
    else NotAllowed is raised.
    """
    invitation = invitation_get(token=token)
    with short_write():
        member = Membership.objects.filter(campaign=invitation.campaign, user=user).first()
        left = Withdrawal.objects.filter(
            campaign=invitation.campaign, annotator__user=user, ended_at=None
        ).first()
        returns = invitation.role == Role.ANNOTATOR and left is not None
        if member is not None and not returns:
            return member
        if left is not None and invitation.created_at <= left.at:
            raise NotAllowed(_("You withdrew from this campaign: ask for a new invitation."))
        spent = Invitation.objects.filter(
            pk=invitation.pk,
            uses__lt=F("max_uses"),
            revoked_at=None,
            expires_at__gt=timezone.now(),
        ).update(uses=F("uses") + 1)
        if not spent:
            raise NotFound(_("This invitation was used up just now. Ask for a new link."))
        member = member or Membership.objects.create(
            campaign=invitation.campaign, user=user, role=invitation.role
        )
        if invitation.role == Role.ANNOTATOR:
            voice = _annotator_make(invitation.campaign, user, invitation=invitation)
            annotator_return(annotator=voice, actor=user)
        audit(actor=user, verb="accept invitation", about=invitation, campaign=invitation.campaign)
    return member


def membership_set(
    *, campaign: Campaign, user: User, role: str | None, actor: Actor
) -> Membership | None:
    """Give a user a role, or none. The last owner stays. Judgments are not touched.

    Whoever may see systems is from then on marked as not blind, for good.
    """
    with short_write():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        member = Membership.objects.filter(campaign=campaign, user=user).first()
        owners = Membership.objects.filter(campaign=campaign, role=Role.OWNER)
        steps_down = member is not None and member.role == Role.OWNER and role != Role.OWNER
        if steps_down and owners.count() == 1:
            raise NotAllowed(_("A campaign needs an owner: name another one first."))
        if role is None:
            Membership.objects.filter(campaign=campaign, user=user).delete()
            member = None
        else:
            member, _new = Membership.objects.update_or_create(
                campaign=campaign, user=user, defaults={"role": role}
            )
        if role in SEES_SYSTEMS:
            Annotator.objects.filter(campaign=campaign, user=user, not_blind_since=None).update(
                not_blind_since=timezone.now()
            )
        audit(actor=actor, verb="set role", about=user, campaign=campaign, role=role or "none")
    return member


def annotator_for(*, campaign: Campaign, user: User) -> Annotator:
    """The user's voice in the campaign, made when they first annotate.

    Raises NotFound for strangers and NotAllowed for viewers. Owners, researchers and site
    administrators may annotate, but are marked as not blind.
    """
    annotator = (
        Annotator.objects.filter(campaign=campaign, user=user).select_related("campaign").first()
    )
    member = Membership.objects.filter(campaign=campaign, user=user).first()
    if member is None and not user.is_superuser:
        raise NotFound(_("There is no such campaign."))
    if member is not None and member.role == Role.VIEWER:
        raise NotAllowed(_("Viewers read; they do not annotate."))
    if annotator is not None:
        if user.is_superuser and annotator.not_blind_since is None:
            _no_longer_blind(annotator)
        return annotator
    try:
        with short_write():
            return _annotator_make(campaign, user, invitation=None)
    except IntegrityError:
        # Another tab made it at the same moment.
        return Annotator.objects.select_related("campaign").get(campaign=campaign, user=user)


def _no_longer_blind(annotator: Annotator) -> None:
    """An annotator who was made a site administrator, which no campaign is told of."""
    annotator.not_blind_since = timezone.now()
    with short_write():
        annotator.save(update_fields=["not_blind_since"])


def _annotator_make(campaign: Campaign, user: User, *, invitation: Invitation | None) -> Annotator:
    # Locked first: somebody may be giving the user a role that sees systems just now.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    member = Membership.objects.filter(campaign=campaign, user=user).first()
    sees = user.is_superuser or (member is not None and member.role in SEES_SYSTEMS)
    annotator, _new = Annotator.objects.get_or_create(
        campaign=campaign,
        user=user,
        defaults={
            "code": _next_code(campaign),
            "origin": Annotator.Origin.INVITED,
            "invitation": invitation,
            "not_blind_since": timezone.now() if sees else None,
        },
    )
    return annotator


def _next_code(campaign: Campaign) -> str:
    """A01, A02 ...: names of people do not get into exports."""
    codes = set(Annotator.objects.filter(campaign=campaign).values_list("code", flat=True))
    number = len(codes) + 1
    while f"A{number:02d}" in codes:
        number += 1
    return f"A{number:02d}"
