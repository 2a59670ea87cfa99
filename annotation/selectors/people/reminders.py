"""Who is to be reminded: people who were invited by e-mail and have work left."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Max, OuterRef, Q, Subquery

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Invitation,
    JudgmentVersion,
    Letter,
    ReminderRule,
    SlotEvent,
    Withdrawal,
)
from annotation.selectors.campaigns.progress import own_progress
from annotation.selectors.collecting import sql


def reminder_rule_of(*, campaign: Campaign) -> ReminderRule | None:
    """Return the campaign's rule, None if nobody is reminded."""
    return ReminderRule.objects.filter(campaign=campaign).first()


def invitations_due(*, rule: ReminderRule, now: datetime) -> list[Invitation]:
    """Return the invitations whose people are to be written to now, longest ago first.

    Days count from the last e-mail and from the last work, whichever is later. Who has come is
    reminded while sheets are left for them and nothing keeps them from these; who has not, while
    the link works. Nobody is reminded unless the campaign is open, or after they said so, or while
    their last letter waits, or after it was refused.
    """
    campaign = rule.campaign
    if campaign.status != Campaign.Status.OPEN or campaign.archived_at is not None:
        return []
    before = now - timedelta(days=rule.days)
    last = Letter.objects.filter(invitation=OuterRef("pk")).order_by("-pk").values("status")[:1]
    rows = (
        Invitation.objects.filter(campaign=campaign, revoked_at=None, no_mail_at=None)
        .filter(sent_at__lte=before, reminders__lt=rule.at_most)
        .filter(Q(reminded_at=None) | Q(reminded_at__lte=before))
        .exclude(email="").annotate(last_letter=Subquery(last))
        .filter(Q(last_letter=None) | Q(last_letter=Letter.Status.SENT)).order_by("sent_at", "pk")
    )  # fmt: skip
    waiting = Q(uses=0, expires_at__gt=now)
    came = Q(uses__gt=0, role="annotator")
    return [one for one in rows.filter(waiting | came) if not one.uses or _has_left(one, before)]


def _has_left(invitation: Invitation, before: datetime) -> bool:
    people = Annotator.objects.filter(invitation=invitation).select_related("campaign")
    annotator = people.first()
    if annotator is None or annotator.ineligible_since is not None or annotator.user_id is None:
        return False
    if Exclusion.objects.filter(annotator=annotator, ends_at=None).exists():
        return False
    if Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists():
        return False
    last = _last_work(annotator)
    if (last is not None and last > before) or annotator.created_at > before:
        return False
    progress = own_progress(campaign=annotator.campaign, annotator=annotator)
    return bool(progress.open + progress.left) and not sql.waiting(annotator).paused


def _last_work(annotator: Annotator) -> datetime | None:
    sheets = SlotEvent.objects.filter(annotator=annotator, actor=None).aggregate(at=Max("at"))["at"]
    saves = JudgmentVersion.objects.filter(
        judgment__annotator=annotator, request_id__isnull=False
    ).aggregate(at=Max("recorded_at"))["at"]
    return max((one for one in (sheets, saves) if one is not None), default=None)
