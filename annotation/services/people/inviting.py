"""Inviting many people at once, by links or by e-mail, and reminding them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.importers.people import InvitedPerson
from annotation.models import Campaign, Invitation, Letter
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letter_write, of_campaign
from annotation.services.people.membership import invitation_create
from annotation.services.people.quotas import work_groups_named
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.language import left_to_right

MOST_AT_ONCE = 200
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
                campaign=campaign, actor=actor, role=one.role, valid_for=valid_for,
                note=one.name[:NOTE], email=one.email, group=groups.get(one.group),
            )  # fmt: skip
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
        ).exclude(email="").exclude(Exists(waits))
        .order_by(F("sent_at").asc(nulls_first=True), "pk")
    )  # fmt: skip
    made = []
    with short_write():
        # Whoever reminds at the same moment waits here, and then finds the letters.
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
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
        kind=Letter.Kind.REMINDER if again else Letter.Kind.INVITATION, to=invitation.email,
        subject=title % {"name": campaign.name}, text=text, campaign=campaign,
        invitation=invitation, until=invitation.expires_at, token=again,
    )  # fmt: skip
