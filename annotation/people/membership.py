"""Memberships, invitations and annotators of a campaign; who of them is blind; and guests, who give
a name and no password, and come back by a link.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import refuse_archived, refuse_participant, takes_part
from annotation.accounts.login import sessions_drop
from annotation.accounts.users import MOST_AT_ONCE, name_free
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.importers.gold import InvitedPerson
from annotation.mail.emails import letter_write, letters_forget, of_campaign
from annotation.models import (
    Annotator,
    Campaign,
    Guest,
    Invitation,
    Letter,
    Membership,
    Withdrawal,
    WorkGroup,
)
from annotation.models.accounts import guest_login
from annotation.models.fields import token_digest
from annotation.people.annotators import invitation_get
from annotation.people.exclusions import annotator_return
from annotation.people.quotas import work_groups_named
from paraanno import clock
from paraanno.http.errors import AnyRequest, full_address
from paraanno.http.middleware import left_to_right

# Blinding: whoever may see systems and scores is marked as not blind, for good.
#
# They may still judge; viewers may not, by their role. Reports leave out what was judged since the
# mark where `blind_only` is chosen.


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


def join_link(request: AnyRequest, token: str) -> str:
    """The link of an invitation, or a guest's way back."""
    return full_address(request, reverse("join", args=[token]))


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
    name_only: bool = False,
) -> tuple[Invitation, str]:
    """Create an invitation; return it with its token, which is shown once and stored only as a
    hash. With `name_only`, annotators give a name and no password: they are guests.
    """
    if name_only and role != Role.ANNOTATOR:
        raise Invalid(_("A name alone is enough for annotators only."))
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
            name_only=name_only,
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
        invitation_spend(invitation)
        member = member or Membership.objects.create(
            campaign=invitation.campaign, user=user, role=invitation.role
        )
        if invitation.role == Role.ANNOTATOR:
            annotator = annotator_make(invitation.campaign, user, invitation=invitation)
            annotator_return(annotator=annotator, actor=user)
        audit(actor=user, verb="accept invitation", about=invitation, campaign=invitation.campaign)
    return member


def invitation_spend(invitation: Invitation) -> None:
    """Count one use, inside the caller's transaction. Raises NotFound where none is left."""
    spent = Invitation.objects.filter(
        pk=invitation.pk,
        uses__lt=F("max_uses"),
        revoked_at=None,
        expires_at__gt=clock.now(),
    ).update(uses=F("uses") + 1)
    if not spent:
        raise NotFound(_("This invitation was used up just now. Ask for a new link."))
    letters_forget(Letter.objects.filter(invitation=invitation, invitation__max_uses=1))


class NameTaken(Invalid):
    """Another login has the name."""


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
    """Set a user's role, or without one remove the membership; judgments stay.

    A member who may see systems is marked as not blind, for good. Raises NotAllowed for the last
    owner, and for a participant or guest of the campaign in any role but annotator.
    """
    comes_by_link = Q(origin=Annotator.Origin.PARTICIPANT) | Q(guest__isnull=False)
    own = Annotator.objects.filter(comes_by_link, campaign=campaign, user=user)
    if role is not None and not (role == Role.ANNOTATOR and own.exists()):
        refuse_participant(user=user)
    with short_write():
        lock_row(Campaign, campaign.pk)
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
    lock_row(Campaign, campaign.pk)
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


# Inviting many people at once, by links or by e-mail, and reminding them.


NOTE = 200


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation with its link, which is known only now, and whether a letter takes it."""

    invitation: Invitation
    link: str
    by_mail: bool


def invite_many(
    *,
    campaign: Campaign,
    people: Sequence[InvitedPerson],
    valid_for: timedelta,
    by_mail: bool,
    link_of: Callable[[str], str],
    actor: Actor,
    name_only: bool = False,
) -> list[Invited]:
    """Make an invitation for one use for each person, all of them or none; groups are made.

    With `by_mail` each is written a letter. `link_of` makes the address of a token.
    """
    if not 1 <= len(people) <= MOST_AT_ONCE:
        raise Invalid(_("Invite from 1 to %(most)s people at once.") % {"most": MOST_AT_ONCE})
    if by_mail and not all(one.email for one in people):
        raise Invalid(_("Nobody can be sent an e-mail without an address."))
    groups = work_groups_named(campaign=campaign, names={one.group for one in people if one.group})
    made = []
    with short_write():
        for one in people:
            invitation, token = invitation_create(
                campaign=campaign,
                actor=actor,
                role=one.role,
                valid_for=valid_for,
                note=one.name[:NOTE],
                email=one.email,
                group=groups.get(one.group),
                name_only=name_only and one.role == Role.ANNOTATOR,
            )
            link = link_of(token)
            if by_mail:
                _write(invitation, link)
            made.append(Invited(invitation, link, by_mail))
    return made


def remind(*, campaign: Campaign, link_of: Callable[[str], str], actor: Actor) -> list[Invited]:
    """Write again to everybody who was invited by e-mail and has not come; at most MOST_AT_ONCE,
    those first who were written to longest ago, and nobody for whom a letter waits.

    Only the hash of a link is stored: a reminder has a new one. The old one stops working when the
    mail server has accepted the letter.
    """
    waits = Letter.objects.filter(invitation=OuterRef("pk"), status=Letter.Status.WAITING)
    to_remind = (
        Invitation.objects.filter(
            campaign=campaign, revoked_at=None, uses=0, expires_at__gt=clock.now(), no_mail_at=None
        )
        .exclude(email="")
        .exclude(Exists(waits))
        .order_by(F("sent_at").asc(nulls_first=True), "pk")
    )
    made = []
    with short_write():
        # Whoever reminds at the same moment waits here, and then finds the letters.
        lock_row(Campaign, campaign.pk)
        for one in to_remind.select_related("campaign")[:MOST_AT_ONCE]:
            token = secrets.token_urlsafe(32)
            link = link_of(token)
            _write(one, link, again=token)
            made.append(Invited(one, link, True))
        audit(actor=actor, verb="remind", about=campaign, campaign=campaign, n=len(made))
    return made


def _write(invitation: Invitation, link: str, *, again: str = "") -> None:
    """`again`: a reminder, with the token of its new link."""
    campaign = invitation.campaign
    with of_campaign(campaign, role=invitation.role):
        day = left_to_right(f"{invitation.expires_at:%Y-%m-%d}")
        title = _("Reminder: %(name)s") if again else _("Invitation: %(name)s")
        text = _(
            "You are invited to take part in “%(name)s”.\n\nOpen this link to begin; it is for you "
            "alone and works until %(day)s:\n\n%(link)s\n"
        ) % {"name": campaign.name, "day": day, "link": link}
    letter_write(
        kind=Letter.Kind.REMINDER if again else Letter.Kind.INVITATION,
        to=invitation.email,
        subject=title % {"name": campaign.name},
        text=text,
        campaign=campaign,
        invitation=invitation,
        until=invitation.expires_at,
        token=again,
    )


# Guests. Their login is that of a participant (`access.takes_part`): it annotates in one campaign,
# and nothing gives it more. Whoever has the link is the guest, so links can be renewed and ended.


LONGEST = 60  # letters of a name


def name_read(name: str) -> str:
    """The name as it is stored. Raises Invalid for none, a long one, or one that is no text."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or len(name) > LONGEST or not name.isprintable():
        raise Invalid(_("Give a name of 1 to %(most)s letters.") % {"most": LONGEST})
    return name


def _name_key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def guest_join(*, token: str, name: str) -> tuple[Guest, str]:
    """Make a guest by an invitation that asks for a name alone; return the token of the link back.

    It is "" for a link for one person: the link that was opened brings them back. Raises NotFound
    for a link that is not valid (any more), and NameTaken for the name of another guest here.
    """
    invitation = invitation_get(token=token)
    if not invitation.name_only:
        raise NotAllowed(_("This invitation asks for an account with a password."))
    refuse_archived(invitation.campaign)
    name = name_read(name)
    personal = invitation.max_uses == 1
    back = token if personal else secrets.token_urlsafe(32)
    campaign = invitation.campaign
    user = User(username=guest_login())
    user.set_unusable_password()
    try:
        with short_write():
            if Guest.objects.filter(campaign=campaign, name_key=_name_key(name)).exists():
                raise _taken()
            invitation_spend(invitation)
            user.save()
            Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR)
            guest = Guest.objects.create(
                campaign=campaign,
                annotator=annotator_make(campaign, user, invitation=invitation),
                name=name,
                name_key=_name_key(name),
                token_hash=token_digest(back),
            )
            audit(actor=user, verb="join by name", about=guest.annotator, campaign=campaign)
    except IntegrityError as error:
        raise _taken() from error
    return guest, "" if personal else back


def _taken() -> NameTaken:
    return NameTaken(
        _(
            "Somebody here has this name. If it was you, open the link that you got when you "
            "began; otherwise add something to the name."
        )
    )


def guest_with(*, token: str) -> Guest | None:
    """The guest whose link back has the token, while it brings anybody back."""
    rows = Guest.objects.select_related("campaign", "annotator__user")
    guest = rows.filter(token_hash=token_digest(token), revoked_at=None).first()
    if guest is None or guest.annotator.user is None or not guest.annotator.user.is_active:
        return None
    return guest


def guest_of(*, user: User | AnonymousUser) -> Guest | None:
    """The guest whom the login is of."""
    if not user.is_authenticated or not takes_part(user=user):
        return None
    return Guest.objects.select_related("campaign").filter(annotator__user_id=user.pk).first()


def guest_stays(*, guest: Guest) -> bool:
    """Whether the guest still takes part: whoever withdrew, or was removed, does not."""
    members = Membership.objects.filter(campaign=guest.campaign_id)
    return members.filter(user__annotators__guest=guest).exists()


def guest_renew(*, guest: Guest, actor: Actor) -> str:
    """Return the token of a new link back; the old one, also an invitation for one person, stops
    bringing anybody back."""
    refuse_archived(guest.campaign)
    token, now = secrets.token_urlsafe(32), clock.now()
    with short_write():
        changed = Guest.objects.filter(pk=guest.pk).update(
            token_hash=token_digest(token), renewed_at=now, revoked_at=None
        )
        if not changed:
            raise NotFound(_("There is no such guest."))
        audit(actor=actor, verb="renew link back", about=guest.annotator, campaign=guest.campaign)
    return token


def guest_end(*, guest: Guest, actor: Actor) -> None:
    """End the link back, and where the guest is signed in; what they judged stays."""
    with short_write():
        Guest.objects.filter(pk=guest.pk, revoked_at=None).update(revoked_at=clock.now())
        if guest.annotator.user is not None:
            sessions_drop(user=guest.annotator.user)
        audit(actor=actor, verb="end link back", about=guest.annotator, campaign=guest.campaign)


def guests_of(*, campaign: Campaign) -> dict[int | None, Guest]:
    """The campaign's guests by their logins."""
    rows = Guest.objects.filter(campaign=campaign).select_related("annotator")
    return {guest.annotator.user_id: guest for guest in rows}
