"""Memberships, invitations and annotators of a campaign; who of them is blind: `blinding.py`."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import F
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.models import (
    Annotator,
    Campaign,
    Invitation,
    Letter,
    Membership,
    Withdrawal,
    WorkGroup,
)
from annotation.models.fields import token_digest
from annotation.models.people.panel import PARTICIPANT_LOGIN
from annotation.selectors.access import refuse_archived, refuse_participant
from annotation.selectors.people.members import invitation_get
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letters_forget
from annotation.services.people.blinding import (
    SEES_SYSTEMS,
    administrator_mark,
    not_blind_mark,
    sees_systems,
)
from annotation.services.people.withdrawal import annotator_return
from annotation.services.transactions import short_write
from paraanno import clock

Role = Membership.Role


def invitation_create(
    *,
    campaign: Campaign,
    actor: Actor,
    role: str = Role.ANNOTATOR,
    valid_for: timedelta = timedelta(days=14),
    max_uses: int = 1,
    note: str = "",
    email: str = "",
    group: WorkGroup | None = None,
) -> tuple[Invitation, str]:
    """Create an invitation; return it with its token, which is shown once and stored only as a
    hash.
    """
    if role not in (Role.RESEARCHER, Role.ANNOTATOR, Role.VIEWER):
        raise Invalid(
            _("Invite researchers, annotators or viewers; only an owner can name an owner.")
        )
    if max_uses < 1 or valid_for <= timedelta(0):
        raise Invalid(_("An invitation needs at least one use and a period of validity."))
    token = secrets.token_urlsafe(32)
    with short_write():
        invitation = Invitation.objects.create(
            campaign=campaign,
            role=role,
            token_hash=token_digest(token),
            note=note,
            email=email,
            group=group,
            max_uses=max_uses,
            expires_at=clock.now() + valid_for,
            created_by_id=actor.pk if actor else None,
        )
        audit(actor=actor, verb="invite", about=invitation, campaign=campaign, role=role)
    return invitation, token


def invitation_revoke(*, invitation: Invitation, actor: Actor) -> None:
    """Revoke the link; members who joined by it stay."""
    with short_write():
        Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=clock.now())
        letters_forget(Letter.objects.filter(invitation=invitation))
        audit(actor=actor, verb="revoke invitation", about=invitation, campaign=invitation.campaign)


def invitation_accept(*, token: str, user: User) -> Membership:
    """Make the user a member. Existing members keep their role, and the invitation is not used up.

    An annotator who had withdrawn continues under the same code. This needs a new link; otherwise
    NotAllowed is raised, as it is for participants of a panel.
    """
    refuse_participant(user=user)
    invitation = invitation_get(token=token)
    refuse_archived(invitation.campaign)
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
            expires_at__gt=clock.now(),
        ).update(uses=F("uses") + 1)
        if not spent:
            raise NotFound(_("This invitation was used up just now. Ask for a new link."))
        letters_forget(Letter.objects.filter(invitation=invitation, invitation__max_uses=1))
        member = member or Membership.objects.create(
            campaign=invitation.campaign, user=user, role=invitation.role
        )
        if invitation.role == Role.ANNOTATOR:
            annotator = annotator_make(invitation.campaign, user, invitation=invitation)
            annotator_return(annotator=annotator, actor=user)
        audit(actor=user, verb="accept invitation", about=invitation, campaign=invitation.campaign)
    return member


class NameTaken(Invalid):
    """Another login has the name."""


def name_free(name: str) -> bool:
    """Whether a login can have the name: nobody has it, in whatever case, nor is it of the kind
    that participants of a panel get."""
    if PARTICIPANT_LOGIN.fullmatch(name.casefold()):
        return False
    return not User.objects.filter(username__iexact=name).exists()


def sign_up(*, token: str, username: str, password: str) -> Membership:
    """Create a login for the holder of an invitation and make it a member, atomically.

    Raises NotFound if the invitation is not valid (any more), and NameTaken if somebody has the
    name, in whatever case.
    """
    campaign = invitation_get(token=token).campaign
    user = User(username=username)
    user.set_password(password)  # Slow by design, so it is done before the transaction.
    if not name_free(username):
        raise NameTaken(_("This name is taken: choose another one."))
    try:
        with short_write():
            user.save()
            audit(actor=user, verb="sign up", about=user, campaign=campaign)
            return invitation_accept(token=token, user=user)
    except IntegrityError as error:
        raise NameTaken(_("This name is taken: choose another one.")) from error


def membership_set(
    *, campaign: Campaign, user: User, role: str | None, actor: Actor
) -> Membership | None:
    """Set a user's role, or remove the membership. The last owner stays. Judgments are not changed.

    A member who may see systems is permanently marked as not blind (`blinding.py`). A participant
    of a panel of the campaign is its annotator, or no member: NotAllowed for any other role.
    """
    own = Annotator.objects.filter(
        campaign=campaign, user=user, origin=Annotator.Origin.PARTICIPANT
    )
    if role is not None and not (role == Role.ANNOTATOR and own.exists()):
        refuse_participant(user=user)
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
            not_blind_mark(annotators=Annotator.objects.filter(campaign=campaign, user=user))
        audit(actor=actor, verb="set role", about=user, campaign=campaign, role=role or "none")
    return member


def annotator_for(*, campaign: Campaign, user: User) -> Annotator:
    """Return the user's annotator in the campaign, created when they first annotate.

    Raises NotFound for non-members and NotAllowed for viewers. Owners, researchers and site
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
            administrator_mark(annotator=annotator)
        return annotator
    try:
        with short_write():
            return annotator_make(campaign, user)
    except IntegrityError:
        # A concurrent request created it.
        return Annotator.objects.select_related("campaign").get(campaign=campaign, user=user)


def annotator_make(
    campaign: Campaign,
    user: User,
    *,
    invitation: Invitation | None = None,
    origin: str = Annotator.Origin.INVITED,
) -> Annotator:
    """Return the user's annotator inside the caller's transaction, made under the next code."""
    # Locked first: the user may be getting a role that sees systems concurrently.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    member = Membership.objects.filter(campaign=campaign, user=user).first()
    annotator, _new = Annotator.objects.get_or_create(
        campaign=campaign,
        user=user,
        defaults={
            "code": _next_code(campaign),
            "origin": origin,
            "invitation": invitation,
            "group_id": invitation.group_id if invitation else None,
            "not_blind_since": clock.now() if sees_systems(user=user, member=member) else None,
        },
    )
    return annotator


def _next_code(campaign: Campaign) -> str:
    """Return the next code, A01, A02 ...: names of people do not appear in exports."""
    codes = set(Annotator.objects.filter(campaign=campaign).values_list("code", flat=True))
    number = len(codes) + 1
    while f"A{number:02d}" in codes:
        number += 1
    return f"A{number:02d}"
