"""What gives an alarm now, by the thresholds of the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q

from annotation.models import (
    Annotator,
    BoardAlarm,
    BoardWatch,
    Campaign,
    Exclusion,
    Slot,
    SlotEvent,
)
from annotation.selectors.board.live import with_last_save
from annotation.selectors.campaigns.course import DAY
from annotation.selectors.quality.pace import too_fast

LEAST_TEXTS = 10  # of the last 24 hours, before somebody's pace is told
Kind = BoardAlarm.Kind


@dataclass(frozen=True, slots=True)
class FoundAlarm:
    """Something that asks for somebody; `about` as in BoardAlarm."""

    kind: str
    about: str = ""
    annotator: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def alarms_found(
    *, campaign: Campaign, watch: BoardWatch, numbers: dict[str, Any], now: datetime
) -> list[FoundAlarm]:
    """Return what gives an alarm; nothing while the campaign is not open. At most seven
    queries, and two for each person who looks too fast.

    `numbers` are the stored figures.
    """
    if campaign.status != Campaign.Status.OPEN:
        return []
    return [
        *_quiet(campaign, watch, now),
        *_fast(campaign, watch, numbers, now),
        *_falling(watch, numbers),
        *_expired(campaign, watch, now),
    ]


def _quiet(campaign: Campaign, watch: BoardWatch, now: datetime) -> Iterator[FoundAlarm]:
    """Nobody has saved for some hours, though places are left."""
    if watch.quiet_hours is None:
        return
    waiting = Q(state__in=[Slot.State.FREE, Slot.State.CLAIMED])
    left = Slot.objects.filter(waiting, campaign=campaign).count()
    if not left:
        return
    saved = with_last_save(Annotator.objects.filter(campaign=campaign)).order_by()
    newest = saved.filter(last_at__isnull=False).order_by("-last_at").values_list("last_at")[:1]
    since = max([*(at for (at,) in newest), *filter(None, [campaign.opened_at])], default=now)
    if now - since >= timedelta(hours=watch.quiet_hours):
        yield FoundAlarm(Kind.QUIET, facts={"since": since.isoformat(), "left": left})


def _fast(
    campaign: Campaign, watch: BoardWatch, numbers: dict[str, Any], now: datetime
) -> Iterator[FoundAlarm]:
    """People whose active time for a text of the last 24 hours is below the limit, and at least
    half of whose sheets are; not of excluded people.

    Active time alone would accuse who judged without a network: all answers come at once then.
    """
    if watch.fast_seconds is None:
        return
    people: dict[str, dict[str, Any]] = numbers.get("people", {})
    fast = {
        int(pk): one
        for pk, one in people.items()
        if one["recent_texts"] >= LEAST_TEXTS
        and one["recent_seconds"] < watch.fast_seconds * one["recent_texts"]
    }
    if not fast:
        return
    out = Exclusion.objects.filter(annotator__in=fast, ends_at=None).values("annotator")
    each = watch.fast_seconds / max(1, campaign.scales.count())
    known = Annotator.objects.filter(campaign=campaign, pk__in=fast).exclude(pk__in=out)
    for one in known.order_by("pk"):
        sheets = too_fast(annotator=one, least=each, since=now - DAY)
        if not sheets.n or 2 * sheets.failed < sheets.n:
            continue
        texts, seconds = fast[one.pk]["recent_texts"], fast[one.pk]["recent_seconds"]
        yield FoundAlarm(
            Kind.FAST, str(one.pk), one.pk,
            {"seconds": round(seconds / texts, 1), "texts": texts, "least": watch.fast_seconds},
        )  # fmt: skip


def _falling(watch: BoardWatch, numbers: dict[str, Any]) -> Iterator[FoundAlarm]:
    """Agreement on the newest texts is lower than before by the threshold, and its interval does
    not reach what it was: a fall within the noise is none."""
    if watch.agreement_fall is None:
        return
    for scale, one in numbers.get("course", {}).items():
        value, before, high = one["value"], one["before"], one["high"]
        if value is None or before is None:
            continue
        if before - value >= watch.agreement_fall and (high is None or high < before):
            yield FoundAlarm(Kind.FALLING, scale, None, one)


def _expired(campaign: Campaign, watch: BoardWatch, now: datetime) -> Iterator[FoundAlarm]:
    """Places that were lost to the lease so often, and are not done."""
    if watch.expired_times is None:
        return
    lost = (
        SlotEvent.objects.filter(
            slot__campaign=campaign, kind=SlotEvent.Kind.LOST,
            slot__state__in=[Slot.State.FREE, Slot.State.CLAIMED],
        )
        .order_by()
        .values_list("slot")
        .annotate(n=Count("pk"))
    )  # fmt: skip
    times = dict(lost)
    # Nobody has come for these yet, which would be written down as lost.
    now_out = Slot.objects.filter(
        campaign=campaign, state=Slot.State.CLAIMED, lease_expires_at__lte=now
    )
    for pk in now_out.order_by().values_list("pk", flat=True):
        times[pk] = times.get(pk, 0) + 1
    often = [n for n in times.values() if n >= watch.expired_times]
    if often:
        yield FoundAlarm(Kind.EXPIRED, facts={"places": len(often), "times": watch.expired_times})
