"""Entering a panel by its link: the same id is always the same annotator."""

from __future__ import annotations

import time
from datetime import datetime

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, TooManyFailures
from annotation.models import (
    Annotator,
    Campaign,
    Membership,
    Panel,
    Participant,
    PartOutcome,
    Slot,
    Withdrawal,
)
from annotation.models.fields import text_digest
from annotation.models.people.panel import participant_login
from annotation.selectors.people.parts import part_of, reached, submitted
from annotation.services.audit import audit
from annotation.services.people.id_pattern import fits
from annotation.services.people.membership import annotator_make
from annotation.services.people.parts import part_end
from annotation.services.transactions import short_write
from paraanno import clock

PER_ADDRESS, WINDOW = 300, 60  # entries, seconds
# Whose seat in the panel is taken; the platform sends somebody else for all others.
SEATED = ("", PartOutcome.COMPLETE, PartOutcome.FAILED_CHECKS, PartOutcome.QUOTA_FULL)


def entry_count(*, address: str) -> None:
    """Count an entry from the address; raises TooManyFailures beyond PER_ADDRESS a minute.

    Entries have a count of their own: a class behind one router enters at once, and nobody's
    password is tried here.
    """
    key = f"entries-{text_digest(address)}-{int(time.time()) // WINDOW}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        count = cache.incr(key)
    except ValueError:  # The cache was full and evicted the counter between the two calls.
        return
    if count > PER_ADDRESS:
        raise TooManyFailures(
            _("Too many people are entering from your network: wait a minute, then try again.")
        )


def panel_enter(
    *, panel: Panel, platform_id: str, submission_id: str = "", now: datetime | None = None
) -> Participant:
    """Return the person's part in the panel, made at their first entry.

    People who come when the panel is full or closed get a part with the outcome QUOTA_FULL and no
    sheets. Raises Invalid for an id that the panel does not take, and Conflict for somebody new
    once the platform's ids are erased.
    """
    platform_id = platform_id.strip()
    if not fits(platform_id, panel.id_pattern):
        raise Invalid(_("This is not an id of this study: open the link on the platform again."))
    submission_id = submission_id.strip() if fits(submission_id.strip(), "") else ""
    now = now or clock.now()
    part = _existing(panel, platform_id)
    if panel.campaign.archived_at is not None:
        if part is None:
            raise Conflict(_("This study has ended."))
        return part
    if part is not None and part.quota > 0:
        _note_submission(part, submission_id)
        return part
    with short_write():
        # Two entries with the same id wait for each other here.
        Campaign.objects.select_for_update(no_key=True).get(pk=panel.campaign_id)
        panel = Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
        if panel.erased_at is not None:
            raise Conflict(_("This study has ended."))
        part = _existing(panel, platform_id)
        if part is None:
            part = _new(panel, platform_id, submission_id, now)
        elif part.quota == 0 and _room(panel):
            _seat(part, panel, part.annotator)
            part.outcome, part.ended_at = "", None
            part.save(update_fields=["quota", "outcome", "ended_at", "sheets_before"])
    return part


def _existing(panel: Panel, platform_id: str) -> Participant | None:
    rows = Participant.objects.filter(panel=panel, platform_id=platform_id)
    return rows.select_related("panel__campaign", "annotator__campaign", "annotator__user").first()


def _note_submission(part: Participant, submission_id: str) -> None:
    if submission_id and submission_id != part.submission_id:
        part.submission_id = submission_id
        with short_write():
            part.save(update_fields=["submission_id"])


def _room(panel: Panel) -> bool:
    if panel.closed_at is not None or panel.needs_code:
        return False
    if panel.campaign.status == Campaign.Status.CLOSED:
        return False
    if panel.max_participants is None:
        return True
    seated = Participant.objects.filter(panel=panel, quota__gt=0, outcome__in=SEATED)
    return seated.count() < panel.max_participants


def _new(panel: Panel, platform_id: str, submission_id: str, now: datetime) -> Participant:
    annotator = _known_in_campaign(panel, platform_id, now) or _person(panel)
    part = Participant(
        panel=panel, annotator=annotator, platform_id=platform_id, submission_id=submission_id,
        entered_at=now, quota=0,
    )  # fmt: skip
    if _room(panel):
        _seat(part, panel, annotator)
    else:
        part.outcome, part.ended_at = PartOutcome.QUOTA_FULL, now
        Annotator.objects.filter(pk=annotator.pk).update(sheets_at_most=0)
    part.save()
    audit(actor=None, verb="enter panel", about=part, campaign=panel.campaign, name=panel.name)
    return part


def _seat(part: Participant, panel: Panel, annotator: Annotator) -> None:
    """Give the part its quota, on top of what the annotator did in other parts."""
    part.quota = panel.sheets_per_person
    part.sheets_before = submitted(annotator)
    held = Slot.objects.filter(annotator=annotator, state__in=["claimed", "done"]).count()
    annotator.sheets_at_most = held + part.quota
    annotator.save(update_fields=["sheets_at_most"])


def _known_in_campaign(panel: Panel, platform_id: str, now: datetime) -> Annotator | None:
    """The annotator with this id in another panel of the campaign; their part there ends."""
    others = Participant.objects.filter(panel__campaign=panel.campaign_id, platform_id=platform_id)
    other = others.select_related("annotator__campaign").order_by("-pk").first()
    if other is None:
        return None
    annotator = other.annotator
    last = part_of(annotator=annotator)
    if last is not None and not last.outcome:
        outcome = PartOutcome.COMPLETE if reached(last) else PartOutcome.WITHDRAWN
        part_end(part=last, outcome=outcome, now=now)
    left = Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists()
    if annotator.user is not None and not left:
        Membership.objects.get_or_create(
            campaign=panel.campaign, user=annotator.user,
            defaults={"role": Membership.Role.ANNOTATOR},
        )  # fmt: skip
    return annotator


def _person(panel: Panel) -> Annotator:
    """A login without a password, whose name reveals nothing, and its annotator."""
    user = User(username=participant_login())
    user.set_unusable_password()
    user.save()
    Membership.objects.create(campaign=panel.campaign, user=user, role=Membership.Role.ANNOTATOR)
    return annotator_make(panel.campaign, user, origin=Annotator.Origin.PARTICIPANT)
