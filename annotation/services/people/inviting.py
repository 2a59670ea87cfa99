"""Inviting many people at once, by links or by e-mail, and reminding them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException

from django.core.mail import EmailMessage, get_connection
from django.db.models import F
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.importers.people import InvitedPerson
from annotation.models import Campaign, Invitation
from annotation.models.fields import token_digest
from annotation.services.audit import Actor, audit
from annotation.services.people.membership import invitation_create
from annotation.services.people.quotas import work_groups_named
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.language import left_to_right

log = logging.getLogger(__name__)
MOST_AT_ONCE = 200
NOTE = 200


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation with its link, which is known only now, and whether it was sent."""

    invitation: Invitation
    link: str
    sent: bool


def invite_many(
    *,
    campaign: Campaign,
    people: Sequence[InvitedPerson],
    valid_for: timedelta,
    by_mail: bool,
    link_of: Callable[[str], str],
    actor: Actor,
) -> list[Invited]:
    """Make an invitation for one use for each person, all of them or none; groups are made.

    With `by_mail` each goes to its address afterwards; what could not be sent is said by `sent`,
    and its link can be given by hand. `link_of` makes the address of a token.
    """
    if not 1 <= len(people) <= MOST_AT_ONCE:
        raise Invalid(_("Invite from 1 to %(most)s people at once.") % {"most": MOST_AT_ONCE})
    if by_mail and not all(one.email for one in people):
        raise Invalid(_("Nobody can be sent an e-mail without an address."))
    groups = work_groups_named(campaign=campaign, names={one.group for one in people if one.group})
    made: list[tuple[Invitation, str]] = []
    with short_write():
        for one in people:
            invitation, token = invitation_create(
                campaign=campaign, actor=actor, role=one.role, valid_for=valid_for,
                note=one.name[:NOTE], email=one.email, group=groups.get(one.group),
            )  # fmt: skip
            made.append((invitation, link_of(token)))
    if by_mail:
        return _sent(campaign, made, reminder=False)
    return [Invited(*one, False) for one in made]


def remind(*, campaign: Campaign, link_of: Callable[[str], str], actor: Actor) -> list[Invited]:
    """Write again to everybody who was invited by e-mail and has not come; at most MOST_AT_ONCE,
    those first who were written to longest ago.

    Only the hash of a link is stored: a reminder has a new one, and the old one stops working.
    """
    waiting = list(
        Invitation.objects.filter(
            campaign=campaign, revoked_at=None, uses=0, expires_at__gt=clock.now(), no_mail_at=None
        ).exclude(email="").order_by(F("sent_at").asc(nulls_first=True), "pk")[:MOST_AT_ONCE]
    )  # fmt: skip
    made: list[tuple[Invitation, str]] = []
    with short_write():
        for one in waiting:
            token = secrets.token_urlsafe(32)
            Invitation.objects.filter(pk=one.pk).update(token_hash=token_digest(token))
            made.append((one, link_of(token)))
        audit(actor=actor, verb="remind", about=campaign, campaign=campaign, n=len(made))
    return _sent(campaign, made, reminder=True)


def _sent(
    campaign: Campaign, made: list[tuple[Invitation, str]], *, reminder: bool
) -> list[Invited]:
    """Send the links, outside any transaction, over one connection."""
    title = _("Invitation: %(name)s") if not reminder else _("Reminder: %(name)s")
    subject = " ".join((title % {"name": campaign.name}).split())
    found: list[Invited] = []
    try:
        connection = get_connection()
        connection.open()
    except (SMTPException, OSError) as error:
        log.warning("the e-mail server cannot be reached: %s", type(error).__name__)
        return [Invited(*one, False) for one in made]
    for invitation, link in made:
        message = EmailMessage(
            subject, _letter(campaign, invitation, link), to=[invitation.email],
            connection=connection,
        )  # fmt: skip
        try:
            sent = bool(message.send())
        except (SMTPException, OSError) as error:  # Its text may name the person.
            log.warning("an invitation could not be sent: %s", type(error).__name__)
            sent = False
        if sent:
            with short_write():
                Invitation.objects.filter(pk=invitation.pk).update(sent_at=clock.now())
        found.append(Invited(invitation, link, sent))
    connection.close()
    return found


def _letter(campaign: Campaign, invitation: Invitation, link: str) -> str:
    day = left_to_right(f"{invitation.expires_at:%Y-%m-%d}")
    return _(
        "You are invited to take part in “%(name)s”.\n\nOpen this link to begin; it is for you "
        "alone and works until %(day)s:\n\n%(link)s\n"
    ) % {"name": campaign.name, "day": day, "link": link}
