"""Reminders by e-mail that workers send by themselves."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.core import signing
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.models import Campaign, Invitation, Letter, ReminderRule
from annotation.selectors.people.reminders import invitations_due
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letter_write, letters_forget, of_campaign
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.answers.site_address import at_site

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
    """Write to everybody who is due by the rule; return how many letters there are."""
    now = now or clock.now()
    rule = ReminderRule.objects.filter(pk=rule_pk).select_related("campaign").first()
    if rule is None:
        return 0
    return sum(_remind(rule, one, now) for one in invitations_due(rule=rule, now=now))


def _remind(rule: ReminderRule, invitation: Invitation, now: datetime) -> bool:
    """Count the reminder and write its letter; False if somebody else was first.

    Only the hash of an invitation's link is stored: a reminder to somebody who has not come has a
    new one.
    """
    campaign = rule.campaign
    same = Invitation.objects.filter(
        pk=invitation.pk, reminders=invitation.reminders, uses=invitation.uses, no_mail_at=None
    )
    token = "" if invitation.uses else secrets.token_urlsafe(32)
    path = reverse("join", args=[token]) if token else reverse("rate", args=[campaign.slug])
    key = signing.dumps(str(invitation.key), salt=SALT)
    with of_campaign(campaign):
        stop = at_site(reverse("no-mail", args=[key]), told=rule.site)
        subject = _("Reminder: %(name)s") % {"name": campaign.name}
        text = _(
            "“%(name)s” still has texts for you to judge.\n\nOpen this link to go on:\n\n%(link)s"
            "\n\nNo more e-mails about this study:\n\n%(stop)s\n"
        ) % {"name": campaign.name, "link": at_site(path, told=rule.site), "stop": stop}
    with short_write():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # As `remind` does.
        waiting = Letter.objects.filter(invitation=invitation, status=Letter.Status.WAITING)
        counted = {"reminders": F("reminders") + 1, "reminded_at": now}
        if waiting.exists() or not same.update(**counted):
            return False
        letter_write(
            kind=Letter.Kind.REMINDER, to=invitation.email, subject=subject, text=text,
            campaign=campaign, invitation=invitation, token=token,
            headers={"List-Unsubscribe": f"<{stop}>"},
            until=invitation.expires_at if token else None,
        )  # fmt: skip
        audit(actor=None, verb="remind", about=invitation, campaign=campaign, n=1)
    return True


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
        letters_forget(Letter.objects.filter(invitation=invitation, kind=Letter.Kind.REMINDER))
        if changed:
            audit(
                actor=None, verb="stop reminders", about=invitation, campaign=invitation.campaign
            )  # fmt: skip
