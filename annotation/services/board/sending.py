"""Alarms by e-mail and by webhook: each occurrence once to each.

What is sent has no text that is judged, no scale, no code of a person and no id of a platform: it
says what kind of thing happened in which campaign, in numbers, and where to look. E-mails are
letters, written with the alarm.

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

from django.conf import settings
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.models import AlarmSending, BoardAlarm, BoardWatch, Campaign, Letter
from annotation.selectors.board.live import watch_of
from annotation.services.letters.writing import letter_write
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.answers.site_address import at_site
from paraanno.public_web import NoAnswer, NotPublic, post_public

log = logging.getLogger(__name__)
TRIES = 3
# A process that was killed while it sent; what it sent may come a second time, with the same id.
LOST_AFTER = timedelta(minutes=10)
NUMBERS = ("seconds", "least", "texts", "places", "times", "left", "value", "before", "n")


def alarm_write(*, campaign: Campaign, watch: BoardWatch, alarm: BoardAlarm) -> None:
    """Write a letter to each address, in the language of whoever chose them, inside the transaction
    that makes the alarm."""
    with override(watch.language or settings.LANGUAGE_CODE):
        kind = alarm.get_kind_display()
        text = _(
            "%(alarm)s in the campaign “%(campaign)s”, since %(time)s (UTC).\n\nMore on the board: "
            "%(url)s\n"
        ) % {
            "alarm": kind, "campaign": campaign.name,
            "time": f"{alarm.began_at:%Y-%m-%d %H:%M}", "url": _board(campaign, watch),
        }  # fmt: skip
    for to in watch.mail_to.split(","):
        letter_write(
            kind=Letter.Kind.ALARM, to=to.strip(), subject=f"{campaign.name}: {kind}", text=text,
            campaign=campaign, alarm=alarm,
        )  # fmt: skip


def alarms_send(*, campaign: Campaign) -> int:
    """Send what waits for the webhook; return how many. A compare-and-set gives each to one
    process.

    What fails is tried again when the board is looked at next, TRIES times in all.
    """
    watch, sent = watch_of(campaign=campaign), 0
    for alarm in _waiting(campaign):
        if _claim(alarm):
            done = _hook(watch, alarm, campaign)
            _note(alarm, done)
            sent += done
    return sent


def _waiting(campaign: Campaign) -> list[BoardAlarm]:
    lost = clock.now() - LOST_AFTER
    wanted = Q(hook=AlarmSending.WAITING) | Q(hook=AlarmSending.SENDING, hook_at__lte=lost)
    return list(BoardAlarm.objects.filter(wanted, campaign=campaign).order_by("pk"))


def _claim(alarm: BoardAlarm) -> bool:
    """Whether it is this process that sends it."""
    same = BoardAlarm.objects.filter(pk=alarm.pk, hook=alarm.hook, hook_tries=alarm.hook_tries)
    with short_write():
        return bool(
            same.update(
                hook=AlarmSending.SENDING, hook_tries=F("hook_tries") + 1, hook_at=clock.now()
            )
        )


def _board(campaign: Campaign, watch: BoardWatch) -> str:
    path = reverse("board", args=[campaign.slug])
    return at_site(path, told=watch.board_url.removesuffix(path))


def _note(alarm: BoardAlarm, done: bool) -> None:
    again = alarm.hook_tries + 1 < TRIES
    state = AlarmSending.WAITING if again else AlarmSending.FAILED
    with short_write():
        BoardAlarm.objects.filter(pk=alarm.pk).update(
            hook=AlarmSending.SENT if done else state, hook_at=clock.now()
        )


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
