"""Alarms: their thresholds, and the row of each occurrence from its begin to its end."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from annotation.board.figures import figures_make
from annotation.board.queries import FoundAlarm, alarms_found, alarms_in_force, watch_of
from annotation.campaigns.overview import Need, Urgency
from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid
from annotation.http.charts import interval, number
from annotation.mail.emails import letter_write, letters_state
from annotation.models import AlarmSending, BoardAlarm, BoardWatch, Campaign, Letter
from paraanno import clock
from paraanno.http.errors import at_site
from paraanno.public_web import NoAnswer, NotPublic, checked_url, post_public

# Alarms by e-mail and by webhook: each occurrence once to each.
#
# What is sent has no text that is judged, no scale, no code of a person and no id of a platform: it
# says what kind of thing happened in which campaign, in numbers, and where to look. E-mails are
# letters, written with the alarm.
#
# A webhook gets JSON by POST with `X-Paraanno-Timestamp` (seconds) and `X-Paraanno-Signature`,
# which is `sha256=` and the HMAC-SHA256 (hex) of the timestamp, a dot and the body, with the secret
# that the page of alarms shows. Its `id` stays when it is tried again.


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
            "alarm": kind,
            "campaign": campaign.name,
            "time": f"{alarm.began_at:%Y-%m-%d %H:%M}",
            "url": _board(campaign, watch),
        }
    for to in watch.mail_to.split(","):
        letter_write(
            kind=Letter.Kind.ALARM,
            to=to.strip(),
            subject=f"{campaign.name}: {kind}",
            text=text,
            campaign=campaign,
            alarm=alarm,
        )


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
    return at_site(path, fallback=watch.board_url.removesuffix(path))


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
        "id": str(alarm.key),
        "kind": alarm.kind,
        "campaign": slug,
        "began_at": alarm.began_at.isoformat(),
        "numbers": numbers,
    }
    return json.dumps(about).encode()


# Something that is over and back within this time is the same occurrence: it is not sent again.
REST = timedelta(hours=1)
MOST_ADDRESSES = 5
BOUNDS: dict[str, tuple[float, float]] = {
    "quiet_hours": (1, 1000),
    "fast_seconds": (0.1, 600),
    "agreement_fall": (0.01, 2),
    "expired_times": (1, 100),
}


def watch_set(
    *, campaign: Campaign, given: dict[str, Any], board_url: str, actor: Actor
) -> BoardWatch:
    """Set the thresholds (None: off) and whom alarms are sent to. Raises Invalid with `fields`.

    `board_url` is the board's address, for letters. The webhook gets a secret of its own when it
    is named for the first time.
    """
    watch, wrong = watch_of(campaign=campaign), {}
    for name, (least, most) in BOUNDS.items():
        value = given[name]
        if value is not None and not least <= value <= most:
            wrong[name] = [
                _("A number from %(least)s to %(most)s, or empty: off.")
                % {"least": f"{least:g}", "most": f"{most:g}"}
            ]
        setattr(watch, name, value)
    watch.mail_to, wrong_mail = _addresses(given["mail_to"])
    watch.webhook_url = given["webhook_url"].strip()
    if wrong_mail:
        wrong["mail_to"] = [wrong_mail]
    if watch.webhook_url:
        try:
            checked_url(watch.webhook_url)
        except NotPublic:
            wrong["webhook_url"] = [_("An address that begins with https:// and has no password.")]
        watch.webhook_secret = watch.webhook_secret or secrets.token_urlsafe(32)
    if wrong:
        raise Invalid(" ".join(problems[0] for problems in wrong.values()), fields=wrong)
    watch.board_url, watch.language = board_url[:500], get_language() or ""
    values = {
        name: getattr(watch, name)
        for name in (
            *BOUNDS,
            "mail_to",
            "webhook_url",
            "webhook_secret",
            "board_url",
            "language",
        )
    }
    with short_write():
        watch, _new = BoardWatch.objects.update_or_create(campaign=campaign, defaults=values)
        audit(
            actor=actor,
            verb="set alarms",
            about=campaign,
            campaign=campaign,
            **{name: values[name] for name in BOUNDS},
            mail=bool(watch.mail_to),
            webhook=bool(watch.webhook_url),
        )
    return watch


def _addresses(text: str) -> tuple[str, str]:
    """The addresses, apart by a comma, and what is wrong with them."""
    addresses = [one.strip() for one in text.replace(";", ",").split(",") if one.strip()]
    if len(addresses) > MOST_ADDRESSES or len(", ".join(addresses)) > 500:
        return text[:500], _("At most %(n)s addresses.") % {"n": MOST_ADDRESSES}
    for one in addresses:
        try:
            validate_email(one)
        except ValidationError:
            return text[:500], _("%(address)s is no e-mail address.") % {"address": one}
    return ", ".join(addresses), ""


def board_look(*, campaign_pk: int) -> None:
    """Compute the figures, keep the alarms, and send those that are new: what a worker does every
    few minutes for each campaign. Safe to repeat, also at the same time.
    """
    campaign = Campaign.objects.filter(pk=campaign_pk).first()
    if campaign is None:
        return
    figures = figures_make(campaign=campaign)
    alarms_keep(campaign=campaign, numbers=figures.numbers)
    alarms_send(campaign=campaign)


def alarms_keep(*, campaign: Campaign, numbers: dict[str, Any]) -> list[BoardAlarm]:
    """Begin the alarms that are new, end those that are over; return the new ones."""
    now, watch = clock.now(), watch_of(campaign=campaign)
    detected = {
        (one.kind, one.about): one
        for one in alarms_found(campaign=campaign, watch=watch, numbers=numbers, now=now)
    }
    begun = []
    for alarm in alarms_in_force(campaigns=[campaign])[campaign.pk]:
        still = detected.pop((alarm.kind, alarm.about), None)
        unchanged = BoardAlarm.objects.filter(pk=alarm.pk, ended_at=None)
        with short_write():
            if still is None:
                unchanged.update(ended_at=now)
            elif still.facts != alarm.facts:
                unchanged.update(facts=still.facts)
    for one in detected.values():
        new = _back(campaign, one, now) or _begin(campaign, one, watch, now)
        if new is not None:
            begun.append(new)
    return begun


def _back(campaign: Campaign, detected: FoundAlarm, now: datetime) -> BoardAlarm | None:
    """The same alarm that ended just now, in force again."""
    ended = BoardAlarm.objects.filter(
        campaign=campaign, kind=detected.kind, about=detected.about, ended_at__gt=now - REST
    )
    alarm = ended.order_by("-ended_at").first()
    if alarm is None:
        return None
    try:
        with short_write():
            BoardAlarm.objects.filter(pk=alarm.pk).update(ended_at=None, facts=detected.facts)
    except IntegrityError:  # Another worker has begun one.
        return None
    return alarm


def _begin(
    campaign: Campaign, detected: FoundAlarm, watch: BoardWatch, now: datetime
) -> BoardAlarm | None:
    waiting, unwanted = AlarmSending.WAITING, AlarmSending.NOT_WANTED
    try:
        with short_write():
            alarm = BoardAlarm.objects.create(
                campaign=campaign,
                kind=detected.kind,
                about=detected.about[:200],
                annotator_id=detected.annotator,
                facts=detected.facts,
                began_at=now,
                hook=waiting if watch.webhook_url else unwanted,
            )
            if watch.mail_to:
                alarm_write(campaign=campaign, watch=watch, alarm=alarm)
            return alarm
    except IntegrityError:  # Another worker was first, and sends it.
        return None


# Alarms of a board in words: what happened, in which numbers, and where to look.


Kind = BoardAlarm.Kind
URGENCY: dict[str, Urgency] = {
    Kind.QUIET: "soon",
    Kind.FAST: "now",
    Kind.FALLING: "soon",
    Kind.EXPIRED: "soon",
}


@dataclass(frozen=True, slots=True)
class ShownAlarm:
    """`need` has its sentence, fact and way; `since` and `sent` are shown only on the board."""

    kind: str
    need: Need
    since: datetime
    sent: str


def alarm_need(alarm: BoardAlarm) -> Need:
    """What an alarm asks for: it leads to where the numbers of its fact stand."""
    facts = alarm.facts
    urgency = URGENCY[alarm.kind]
    if alarm.kind == Kind.QUIET:
        since = timezone.localtime(datetime.fromisoformat(facts["since"]))
        return Need(
            urgency,
            _("Nobody has judged since %(time)s") % {"time": f"{since:%Y-%m-%d %H:%M}"},
            ngettext("%(n)s assignment is left", "%(n)s assignments are left", facts["left"])
            % {"n": f"{facts['left']:,}"},
            "people",
            _("Invite"),
            "research",
        )
    if alarm.kind == Kind.FAST:
        code = alarm.annotator.code if alarm.annotator is not None else ""
        return Need(
            urgency,
            _("%(code)s is too fast") % {"code": code},
            _("%(s)s s per text, %(n)s texts in 24 hours; the limit is %(least)s s")
            % {
                "s": f"{facts['seconds']:g}",
                "n": facts["texts"],
                "least": f"{facts['least']:g}",
            },
            "board" if alarm.annotator is None else "quality-record",
            _("Look"),
            "research",
            key="" if alarm.annotator is None else str(alarm.annotator.key),
        )
    if alarm.kind == Kind.FALLING:
        ends = interval(facts["low"], facts["high"], bounded=True)
        return Need(
            urgency,
            _("Agreement on %(scale)s falls") % {"scale": alarm.about},
            _("alpha of the newest %(n)s texts: %(value)s %(ends)s; before: %(before)s")
            % {
                "n": facts["n"],
                "value": number(facts["value"], bounded=True),
                "ends": ends,
                "before": number(facts["before"], bounded=True),
            },
            "agreement",
            _("Look"),
            anchor=f"#time-{quote(alarm.about)}",
        )
    return Need(
        urgency,
        ngettext(
            "%(n)s assignment expires again and again",
            "%(n)s assignments expire again and again",
            facts["places"],
        )
        % {"n": f"{facts['places']:,}"},
        _("lost %(n)s times or more, and not done") % {"n": facts["times"]},
        "board",
        _("Look"),
        "research",
    )


def alarm_shown(alarm: BoardAlarm) -> ShownAlarm:
    """An alarm for the board."""
    by_mail, by_hook = _("by e-mail"), _("to the webhook")
    sent = [f"{by_mail}: {state}" for state in letters_state(alarm.letters.all())]
    if alarm.hook:
        sent.append(f"{by_hook}: {AlarmSending(alarm.hook).label}")
    return ShownAlarm(alarm.kind, alarm_need(alarm), alarm.began_at, "; ".join(sent))
