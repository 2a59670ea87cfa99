"""Participants of a panel: how they enter by its link, and how their part ends."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid, NotAllowed
from annotation.models import (
    Annotator,
    Campaign,
    Membership,
    Panel,
    Participant,
    PartOutcome,
    PartRecord,
    PlatformEvent,
    Slot,
    Withdrawal,
)
from annotation.models.fields import text_digest
from annotation.models.panels import participant_login
from annotation.panels.queries import halted_by, outcome_found, payments
from annotation.panels.services import id_fits
from annotation.people.annotators import part_end, part_of, reached, submitted
from annotation.people.membership import annotator_make
from paraanno import clock

# Entering a panel by its link: the same id is always the same annotator.


# Whose seat in the panel is taken; the platform sends somebody else for all others.
SEATED = ("", PartOutcome.COMPLETE, PartOutcome.FAILED_CHECKS, PartOutcome.QUOTA_FULL)


def panel_enter(
    *, panel: Panel, platform_id: str, submission_id: str = "", now: datetime | None = None
) -> Participant:
    """Return the person's part in the panel, made at their first entry.

    People who come when the panel is full or closed get a part with the outcome QUOTA_FULL and no
    sheets. Raises Invalid for an id that the panel does not take, and Conflict for somebody new
    once the platform's ids are erased.
    """
    platform_id = platform_id.strip()
    if not id_fits(platform_id, panel.id_pattern):
        raise Invalid(_("This is not an id of this study: open the link on the platform again."))
    submission_id = submission_id.strip() if id_fits(submission_id.strip(), "") else ""
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
        lock_row(Campaign, panel.campaign_id)
        panel = lock_row(Panel, panel.pk)
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
        panel=panel,
        annotator=annotator,
        platform_id=platform_id,
        submission_id=submission_id,
        entered_at=now,
        quota=0,
    )
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
            campaign=panel.campaign,
            user=annotator.user,
            defaults={"role": Membership.Role.ANNOTATOR},
        )
    return annotator


def _person(panel: Panel) -> Annotator:
    """A login without a password, whose name reveals nothing, and its annotator."""
    user = User(username=participant_login())
    user.set_unusable_password()
    user.save()
    Membership.objects.create(campaign=panel.campaign, user=user, role=Membership.Role.ANNOTATOR)
    return annotator_make(panel.campaign, user, origin=Annotator.Origin.PARTICIPANT)


# The end of a part, which is recorded; ids that are erased.


def part_settle(*, part: Participant, now: datetime) -> Participant:
    """End the part where its end is reached already, without asking for a sheet."""
    if part.outcome:
        return part
    if part.late(now):
        return part_end(part=part, outcome=PartOutcome.TIMED_OUT, now=now)
    outcome = outcome_found(part=part, code=halted_by(part))
    return part if outcome is None else part_end(part=part, outcome=outcome, now=now)


def part_records_update(*, campaign: Campaign) -> None:
    """Record what became of everybody's part, by their codes, for the campaign's archive.

    Records of people without a part stay: the campaign was restored from an archive.
    """
    now = defaultdict(list)
    for panel in Panel.objects.filter(campaign=campaign).order_by("pk"):
        for one in payments(panel=panel):
            now[one.part.annotator_id].append((panel, one))
    records = [
        PartRecord(
            annotator_id=annotator,
            number=number,
            panel=panel.name,
            outcome=one.outcome,
            sheets=one.sheets,
            quota=one.part.quota,
            active_seconds=one.seconds,
        )
        for annotator, parts in now.items()
        for number, (panel, one) in enumerate(sorted(parts, key=lambda of: of[1].part.pk), 1)
    ]
    with short_write():
        PartRecord.objects.filter(annotator__in=list(now)).delete()
        PartRecord.objects.bulk_create(records, batch_size=500)


def ids_erase(*, panel: Panel, now: datetime, actor: Actor) -> int:
    """Close the panel and erase the platform's ids of everybody in it; return of how many."""
    with short_write():
        lock_row(Panel, panel.pk)
        Panel.objects.filter(pk=panel.pk, closed_at=None).update(closed_at=now)
        Panel.objects.filter(pk=panel.pk).update(erased_at=now)
        parts = Participant.objects.filter(panel=panel).exclude(platform_id="", submission_id="")
        count = parts.update(platform_id="", submission_id="")
        audit(actor=actor, verb="erase platform ids", about=panel, campaign=panel.campaign, n=count)
    panel.refresh_from_db(fields=["closed_at", "erased_at"])
    return count


# Events that a platform sends: who returned their part or ran out of time.
#
# The signed bytes are those of Prolific: the header `X-Prolific-Request-Timestamp` (seconds), and
# then the body as it came; HMAC-SHA256 with the secret, in base64, in
# `X-Prolific-Request-Signature`. The id of an event is in `X-Event-ID`;
# https://docs.prolific.com/api-reference/webhooks


WINDOW = timedelta(minutes=5)


STATUS = {"RETURNED": PartOutcome.WITHDRAWN, "TIMED-OUT": PartOutcome.TIMED_OUT}


BY_HAND = (PartOutcome.WITHDRAWN, PartOutcome.TIMED_OUT)


def signature_of(*, secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of an event as the platform makes it."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def event_take(
    *,
    panel: Panel,
    body: bytes,
    timestamp: str,
    signature: str,
    event_id: str,
    now: datetime | None = None,
) -> str:
    """Do what the event says, once; return taken, known, or ignored (nothing for this panel).

    Raises NotAllowed for a wrong signature or a time more than WINDOW from now, and Invalid for a
    body that is no JSON object.
    """
    now = now or clock.now()
    if not panel.event_secret or not _genuine(panel, body, timestamp, signature):
        raise NotAllowed(_("The signature does not match."))
    if not _fresh(timestamp, now):
        raise NotAllowed(_("The event is too old, or from the future."))
    event = _read(body)
    if panel.campaign.archived_at is not None:
        return "ignored"
    outcome = STATUS.get(event["status"])
    with short_write():
        lock_row(Panel, panel.pk)
        if not _first_time(panel, event_id, signature, event["status"], now):
            return "known"
        part = _part(panel, event) if outcome is not None else None
        if outcome is None or part is None:
            return "ignored"
        part_end(part=part, outcome=outcome, now=now)
    return "taken"


def _genuine(panel: Panel, body: bytes, timestamp: str, signature: str) -> bool:
    right = signature_of(secret=panel.event_secret, timestamp=timestamp, body=body)
    return hmac.compare_digest(right.encode(), signature.encode())


def _fresh(timestamp: str, now: datetime) -> bool:
    if not timestamp.isascii() or not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    return abs(now.timestamp() - int(timestamp)) <= WINDOW.total_seconds()


def _read(body: bytes) -> dict[str, str]:
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Invalid(_("The event is no JSON object.")) from error
    if not isinstance(data, dict):
        raise Invalid(_("The event is no JSON object."))
    fields = {name: data.get(name) for name in ("status", "participant_id", "resource_id")}
    texts = {name: one if isinstance(one, str) else "" for name, one in fields.items()}
    texts["status"] = texts["status"].upper().replace("_", "-").replace(" ", "-")[:40]
    return texts


def _first_time(panel: Panel, event_id: str, signature: str, status: str, now: datetime) -> bool:
    """Note the event. Its id is not signed, so that the same signature counts as known, too."""
    signed = text_digest("signature", signature)
    named = text_digest("event", event_id) if event_id else signed
    events = PlatformEvent.objects.filter(panel=panel)
    if events.filter(event_hash=named).exists() or events.filter(signature_hash=signed).exists():
        return False
    PlatformEvent.objects.create(
        panel=panel, event_hash=named, signature_hash=signed, status=status, at=now
    )
    return True


def _part(panel: Panel, event: dict[str, str]) -> Participant | None:
    rows = Participant.objects.filter(panel=panel).select_related("annotator__campaign")
    if event["participant_id"]:
        return rows.filter(platform_id=event["participant_id"]).first()
    if event["resource_id"]:
        return rows.filter(submission_id=event["resource_id"]).order_by("-pk").first()
    return None


@dataclass(frozen=True, slots=True)
class EndedByHand:
    """How many parts ended, how many had ended before, and the ids that nobody has."""

    ended: int
    before: int
    unknown: tuple[str, ...]


def ended_by_hand(
    *, panel: Panel, ids: Iterable[str], outcome: str, actor: Actor, now: datetime | None = None
) -> EndedByHand:
    """End the parts of these platform ids, as an event would; WITHDRAWN or TIMED_OUT.

    Each in a transaction of its own, so that people go on saving; repeating it changes nothing.
    """
    if outcome not in BY_HAND:
        raise Invalid(_("Choose withdrawn (returned) or timed_out."))
    now = now or clock.now()
    wanted = list(dict.fromkeys(one.strip() for one in ids if one.strip()))
    rows = Participant.objects.filter(panel=panel).exclude(platform_id="")
    parts = {one.platform_id: one for one in rows.select_related("annotator__campaign")}
    ended = before = 0
    for one in wanted:
        part = parts.get(one)
        if part is None:
            continue
        if part.outcome in ("", PartOutcome.QUOTA_FULL):
            part_end(part=part, outcome=PartOutcome(outcome), now=now, actor=actor)
            ended += 1
        else:
            before += 1
    unknown = tuple(one for one in wanted if one not in parts)
    with short_write():
        audit(
            actor=actor,
            verb="end parts",
            about=panel,
            campaign=panel.campaign,
            outcome=str(outcome),
            n=ended,
        )
    return EndedByHand(ended, before, unknown)
