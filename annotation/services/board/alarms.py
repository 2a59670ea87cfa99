"""Alarms: their thresholds, and the row of each occurrence from its begin to its end."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import AlarmSending, BoardAlarm, BoardWatch, Campaign
from annotation.selectors.board.alarms import FoundAlarm, alarms_found
from annotation.selectors.board.live import alarms_in_force, watch_of
from annotation.services.audit import Actor, audit
from annotation.services.board.figures import figures_make
from annotation.services.board.sending import alarm_write, alarms_send
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.public_web import NotPublic, checked_url

# Something that is over and back within this time is the same occurrence: it is not sent again.
REST = timedelta(hours=1)
MOST_ADDRESSES = 5
BOUNDS: dict[str, tuple[float, float]] = {
    "quiet_hours": (1, 1000), "fast_seconds": (0.1, 600), "agreement_fall": (0.01, 2),
    "expired_times": (1, 100),
}  # fmt: skip


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
    values = {name: getattr(watch, name) for name in (
        *BOUNDS, "mail_to", "webhook_url", "webhook_secret", "board_url", "language",
    )}  # fmt: skip
    with short_write():
        watch, _new = BoardWatch.objects.update_or_create(campaign=campaign, defaults=values)
        audit(
            actor=actor, verb="set alarms", about=campaign, campaign=campaign,
            **{name: values[name] for name in BOUNDS}, mail=bool(watch.mail_to),
            webhook=bool(watch.webhook_url),
        )  # fmt: skip
    return watch


def _addresses(text: str) -> tuple[str, str]:
    """The addresses, apart by a comma, and what is wrong with them."""
    found = [one.strip() for one in text.replace(";", ",").split(",") if one.strip()]
    if len(found) > MOST_ADDRESSES or len(", ".join(found)) > 500:
        return text[:500], _("At most %(n)s addresses.") % {"n": MOST_ADDRESSES}
    for one in found:
        try:
            validate_email(one)
        except ValidationError:
            return text[:500], _("%(address)s is no e-mail address.") % {"address": one}
    return ", ".join(found), ""


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
    found = {
        (one.kind, one.about): one
        for one in alarms_found(campaign=campaign, watch=watch, numbers=numbers, now=now)
    }
    begun = []
    for alarm in alarms_in_force(campaign=campaign):
        still = found.pop((alarm.kind, alarm.about), None)
        mine = BoardAlarm.objects.filter(pk=alarm.pk, ended_at=None)
        with short_write():
            if still is None:
                mine.update(ended_at=now)
            elif still.facts != alarm.facts:
                mine.update(facts=still.facts)
    for one in found.values():
        new = _back(campaign, one, now) or _begin(campaign, one, watch, now)
        if new is not None:
            begun.append(new)
    return begun


def _back(campaign: Campaign, found: FoundAlarm, now: datetime) -> BoardAlarm | None:
    """The same alarm that ended just now, in force again."""
    ended = BoardAlarm.objects.filter(
        campaign=campaign, kind=found.kind, about=found.about, ended_at__gt=now - REST
    )
    alarm = ended.order_by("-ended_at").first()
    if alarm is None:
        return None
    try:
        with short_write():
            BoardAlarm.objects.filter(pk=alarm.pk).update(ended_at=None, facts=found.facts)
    except IntegrityError:  # Another worker has begun one.
        return None
    return alarm


def _begin(
    campaign: Campaign, found: FoundAlarm, watch: BoardWatch, now: datetime
) -> BoardAlarm | None:
    waiting, unwanted = AlarmSending.WAITING, AlarmSending.NOT_WANTED
    try:
        with short_write():
            alarm = BoardAlarm.objects.create(
                campaign=campaign, kind=found.kind, about=found.about[:200],
                annotator_id=found.annotator, facts=found.facts, began_at=now,
                hook=waiting if watch.webhook_url else unwanted,
            )  # fmt: skip
            if watch.mail_to:
                alarm_write(campaign=campaign, watch=watch, alarm=alarm)
            return alarm
    except IntegrityError:  # Another worker was first, and sends it.
        return None
