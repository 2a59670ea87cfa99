"""Events that a platform sends: who returned their part or ran out of time.

The signed bytes are those of Prolific: the header `X-Prolific-Request-Timestamp` (seconds), and
then the body as it came; HMAC-SHA256 with the secret, in base64, in `X-Prolific-Request-Signature`.
The id of an event is in `X-Event-ID`; https://docs.prolific.com/api-reference/webhooks
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotAllowed
from annotation.models import Panel, Participant, PartOutcome, PlatformEvent
from annotation.models.fields import text_digest
from annotation.services.audit import Actor, audit
from annotation.services.people.parts import part_end
from annotation.services.transactions import short_write
from paraanno import clock

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
        Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
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
    found = {name: data.get(name) for name in ("status", "participant_id", "resource_id")}
    texts = {name: one if isinstance(one, str) else "" for name, one in found.items()}
    texts["status"] = texts["status"].upper().replace("_", "-").replace(" ", "-")[:40]
    return texts


def _first_time(panel: Panel, event_id: str, signature: str, status: str, now: datetime) -> bool:
    """Note the event. Its id is not signed, so that the same signature counts as known, too."""
    signed = text_digest("signature", signature)
    named = text_digest("event", event_id) if event_id else signed
    known = PlatformEvent.objects.filter(panel=panel)
    if known.filter(event_hash=named).exists() or known.filter(signature_hash=signed).exists():
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
    known = {one.platform_id: one for one in rows.select_related("annotator__campaign")}
    ended = before = 0
    for one in wanted:
        part = known.get(one)
        if part is None:
            continue
        if part.outcome in ("", PartOutcome.QUOTA_FULL):
            part_end(part=part, outcome=PartOutcome(outcome), now=now, actor=actor)
            ended += 1
        else:
            before += 1
    unknown = tuple(one for one in wanted if one not in known)
    with short_write():
        audit(
            actor=actor, verb="end parts", about=panel, campaign=panel.campaign,
            outcome=str(outcome), n=ended,
        )  # fmt: skip
    return EndedByHand(ended, before, unknown)
