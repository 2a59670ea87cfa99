"""Alarms by e-mail and by webhook: each occurrence once on each way.

What is sent has no text that is judged, no scale, no code of a person and no id of a platform: it
says what kind of thing happened in which campaign, in numbers, and where to look.

A webhook gets JSON by POST with `X-Paraanno-Timestamp` (seconds) and `X-Paraanno-Signature`, which
is `sha256=` and the HMAC-SHA256 (hex) of the timestamp, a dot and the body, with the secret that
the page of alarms shows. Its `id` stays when it is tried again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from django.core.mail import EmailMessage
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.models import AlarmSending, BoardAlarm, BoardWatch, Campaign
from annotation.selectors.board.live import watch_of
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.answers.site_address import at_site
from paraanno.public_web import NoAnswer, NotPublic, post_public

log = logging.getLogger(__name__)
TRIES = 3
# A process that was killed while it sent; what it sent may come a second time, with the same id.
LOST_AFTER = timedelta(minutes=10)
NUMBERS = ("seconds", "least", "texts", "places", "times", "left", "value", "before", "n")


def alarms_send(*, campaign: Campaign) -> int:
    """Send what waits; return how many were sent. A compare-and-set gives each to one process.

    What fails is tried again when the board is looked at next, TRIES times in all.
    """
    watch, sent = watch_of(campaign=campaign), 0
    for way in ("mail", "hook"):
        for alarm in _waiting(campaign, way):
            if not _claim(alarm, way):
                continue
            done = _mail(campaign, watch, alarm) if way == "mail" else _hook(watch, alarm, campaign)
            _note(alarm, way, done)
            sent += done
    return sent


def _waiting(campaign: Campaign, way: str) -> list[BoardAlarm]:
    lost = clock.now() - LOST_AFTER
    wanted = Q(**{way: AlarmSending.WAITING}) | Q(
        **{way: AlarmSending.SENDING, f"{way}_at__lte": lost}
    )
    return list(BoardAlarm.objects.filter(wanted, campaign=campaign).order_by("pk"))


def _claim(alarm: BoardAlarm, way: str) -> bool:
    """Whether it is this process that sends it."""
    tries = getattr(alarm, f"{way}_tries")
    same = BoardAlarm.objects.filter(
        pk=alarm.pk, **{way: getattr(alarm, way), f"{way}_tries": tries}
    )
    claimed: dict[str, Any] = {
        way: AlarmSending.SENDING,
        f"{way}_tries": F(f"{way}_tries") + 1,
        f"{way}_at": clock.now(),
    }
    with short_write():
        return bool(same.update(**claimed))


def _note(alarm: BoardAlarm, way: str, done: bool) -> None:
    again = getattr(alarm, f"{way}_tries") + 1 < TRIES
    state = AlarmSending.WAITING if again else AlarmSending.FAILED
    with short_write():
        BoardAlarm.objects.filter(pk=alarm.pk).update(
            **{way: AlarmSending.SENT if done else state, f"{way}_at": clock.now()}
        )


def _board(campaign: Campaign, watch: BoardWatch) -> str:
    path = reverse("board", args=[campaign.slug])
    return at_site(path, told=watch.board_url.removesuffix(path))


def _mail(campaign: Campaign, watch: BoardWatch, alarm: BoardAlarm) -> bool:
    if not watch.mail_to:
        return False
    subject = " ".join(f"{campaign.name}: {alarm.get_kind_display()}".split())
    said = _(
        "%(alarm)s in the campaign “%(campaign)s”, since %(time)s (UTC).\n\nMore on the board: "
        "%(url)s\n"
    ) % {
        "alarm": alarm.get_kind_display(), "campaign": campaign.name,
        "time": f"{alarm.began_at:%Y-%m-%d %H:%M}", "url": _board(campaign, watch),
    }  # fmt: skip
    to = [one.strip() for one in watch.mail_to.split(",")]
    try:
        return bool(EmailMessage(subject, said, to=to).send())
    except (SMTPException, OSError, ValueError) as error:  # Its text may name the person.
        log.warning("an alarm could not be sent by e-mail: %s", type(error).__name__)
        return False


def _hook(watch: BoardWatch, alarm: BoardAlarm, campaign: Campaign) -> bool:
    if not watch.webhook_url:
        return False
    body = hook_body(alarm, campaign.slug)
    timestamp = str(int(clock.now().timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "paraanno",
        "X-Paraanno-Timestamp": timestamp,
        "X-Paraanno-Signature": signature_of(watch.webhook_secret, timestamp, body),
    }
    try:
        post_public(watch.webhook_url, body=body, headers=headers)
    except (NotPublic, NoAnswer) as error:
        log.warning("an alarm could not be sent to the webhook: %s", error)
        return False
    return True


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a webhook's body."""
    signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={signed.hexdigest()}"


def hook_body(alarm: BoardAlarm, slug: str) -> bytes:
    """Return the body: id, kind, campaign (slug), began_at and numbers."""
    numbers = {name: alarm.facts[name] for name in NUMBERS if name in alarm.facts}
    about = {
        "id": str(alarm.key), "kind": alarm.kind, "campaign": slug,
        "began_at": alarm.began_at.isoformat(), "numbers": numbers,
    }  # fmt: skip
    return json.dumps(about).encode()
