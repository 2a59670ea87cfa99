"""Reminders by e-mail that workers send by themselves."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta
from smtplib import SMTPException
from uuid import UUID

from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.errors import Invalid, NotFound
from annotation.models import Campaign, Invitation, ReminderRule
from annotation.models.fields import token_digest
from annotation.selectors.people.reminders import invitations_due
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.answers.site_address import at_site

log = logging.getLogger(__name__)
TASK = "annotation.tasks.reminders_send"
AGAIN = timedelta(hours=1)
SALT = "annotation.no-mail"
MOST_DAYS, MOST_TIMES = 90, 10


def reminders_set(
    *, campaign: Campaign, days: int | None, at_most: int, site: str, actor: Actor
) -> None:
    """Remind everybody after this many days without work, at most so often; None: nobody.

    `site` is the address that links begin with. Raises Invalid.
    """
    if days is not None and not (1 <= days <= MOST_DAYS and 1 <= at_most <= MOST_TIMES):
        raise Invalid(_("Remind after 1 to %(days)s days, and 1 to %(times)s times.")
                      % {"days": MOST_DAYS, "times": MOST_TIMES})  # fmt: skip
    with short_write():
        if days is None:
            ReminderRule.objects.filter(campaign=campaign).delete()
        else:
            ReminderRule.objects.update_or_create(
                campaign=campaign,
                defaults={
                    "days": days, "at_most": at_most, "site": site.rstrip("/"),
                    "next_at": clock.now(),
                },
            )  # fmt: skip
        audit(
            actor=actor, verb="set reminders", about=campaign, campaign=campaign,
            days=days, at_most=at_most,
        )  # fmt: skip


def rules_due(*, now: datetime | None = None) -> list[int]:
    """Take the rules that are to be looked at now, each for one worker; return their ids."""
    now = now or clock.now()
    taken = []
    for rule in ReminderRule.objects.filter(next_at__lte=now):
        mine = ReminderRule.objects.filter(pk=rule.pk, next_at=rule.next_at)
        with short_write():
            if mine.update(next_at=now + AGAIN):
                taken.append(rule.pk)
    return taken


def reminders_send(*, rule_pk: int, now: datetime | None = None) -> int:
    """Write to everybody who is due by the rule; return of how many e-mails.

    Each is counted before it is sent, so that nobody gets one twice when workers die: one that
    cannot be sent is logged and counts, too.
    """
    now = now or clock.now()
    rule = ReminderRule.objects.filter(pk=rule_pk).select_related("campaign").first()
    if rule is None:
        return 0
    sent = 0
    for invitation in invitations_due(rule=rule, now=now):
        link = _counted(rule, invitation, now)
        if link is not None:
            sent += _send(rule, invitation, link)
    return sent


def _counted(rule: ReminderRule, invitation: Invitation, now: datetime) -> str | None:
    """Count the reminder and return its link; None if somebody else was first.

    Only the hash of an invitation's link is stored: a reminder has a new one.
    """
    same = Invitation.objects.filter(
        pk=invitation.pk, reminders=invitation.reminders, uses=invitation.uses, no_mail_at=None
    )
    counted = {"reminders": F("reminders") + 1, "reminded_at": now}
    if invitation.uses:
        path = reverse("rate", args=[rule.campaign.slug])
    else:
        token = secrets.token_urlsafe(32)
        counted["token_hash"] = token_digest(token)
        path = reverse("join", args=[token])
    with short_write():
        if not same.update(**counted):
            return None
        audit(actor=None, verb="remind", about=invitation, campaign=rule.campaign, n=1)
    return at_site(path, told=rule.site)


def _send(rule: ReminderRule, invitation: Invitation, link: str) -> bool:
    campaign = rule.campaign
    key = signing.dumps(str(invitation.key), salt=SALT)
    with override(campaign.language if campaign.language in ("ko", "en") else "en"):
        stop = at_site(reverse("no-mail", args=[key]), told=rule.site)
        subject = " ".join((_("Reminder: %(name)s") % {"name": campaign.name}).split())
        text = _(
            "“%(name)s” still has texts for you to judge.\n\nOpen this link to go on:\n\n%(link)s"
            "\n\nNo more e-mails about this study:\n\n%(stop)s\n"
        ) % {"name": campaign.name, "link": link, "stop": stop}
    message = EmailMessage(
        subject, text, to=[invitation.email], headers={"List-Unsubscribe": f"<{stop}>"}
    )
    try:
        return bool(message.send())
    except (SMTPException, OSError) as error:  # Its text may name the person.
        log.warning("a reminder could not be sent: %s", type(error).__name__)
        return False


def invitation_of_mail(*, key: str) -> Invitation:
    """Return the invitation that a link in an e-mail is about. Raises NotFound."""
    try:
        found = UUID(signing.loads(key, salt=SALT))
    except (signing.BadSignature, ValueError) as error:
        raise NotFound(_("There is no such page.")) from error
    invitation = Invitation.objects.filter(key=found).select_related("campaign").first()
    if invitation is None:
        raise NotFound(_("There is no such page."))
    return invitation


def mail_stop(*, invitation: Invitation) -> None:
    """Send no reminder to the person any more, manually or automatically. Repeatable."""
    with short_write():
        changed = Invitation.objects.filter(pk=invitation.pk, no_mail_at=None).update(
            no_mail_at=clock.now()
        )
        if changed:
            audit(
                actor=None, verb="stop reminders", about=invitation, campaign=invitation.campaign
            )  # fmt: skip
