"""What the board reads at every poll: few statements that read indexes, for any size."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Count,
    Q,
    QuerySet,
)
from django.utils import timezone

from annotation.models import (
    Annotator,
    BoardAlarm,
    BoardWatch,
    Campaign,
    Exclusion,
    Slot,
    SlotEvent,
)
from annotation.people.annotators import excluded, with_last_save, with_part, withdrawn, working_now
from annotation.quality.checks import too_fast
from annotation.sheets.progress import DAY, HOUR, done_by_hour, slots_by_state
from annotation.sheets.slots import expired
from paraanno import clock

HOURS = 24


@dataclass(frozen=True, slots=True)
class BoardNow:
    """Places (void ones do not count), and who is at work.

    hours     places done in each of the last HOURS hours of the clock, the current one last
    last_day  places done in the last 24 hours; `today` since midnight where the site is
    working   see `working_now`, when the minute began
    """

    now: datetime
    free: int
    claimed: int
    done: int
    hours: tuple[tuple[datetime, int], ...]
    last_day: int
    today: int
    working: tuple[Annotator, ...]

    @property
    def places(self) -> int:
        return self.free + self.claimed + self.done

    @property
    def minute(self) -> datetime:
        """When the minute began: what is counted from it moves all at once, at its turn, and a
        poll between finds nothing new."""
        return _minute(self.now)

    @property
    def hours_today(self) -> float:
        """Hours since midnight, at least one."""
        return max(1.0, (self.minute - _midnight(self.now)) / HOUR)


def board_now(*, campaign: Campaign) -> BoardNow:
    """Return what is live; three queries, and one for the clock on PostgreSQL."""
    now = clock.now()
    states = slots_by_state(campaign=campaign)
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    # A day of the clock can have 25 hours, and no time zone is more than 14 hours ahead.
    counts = dict(done_by_hour(campaign=campaign, since=this_hour - DAY - HOUR))
    starts = [this_hour - HOUR * ago for ago in reversed(range(HOURS))]
    midnight = _midnight(now)
    return BoardNow(
        now=now,
        free=states[Slot.State.FREE],
        claimed=states[Slot.State.CLAIMED],
        done=states[Slot.State.DONE],
        hours=tuple((start, counts.get(start, 0)) for start in starts),
        last_day=sum(counts.get(start, 0) for start in starts),
        today=sum(n for start, n in counts.items() if start >= midnight),
        working=working_now(campaign=campaign, now=_minute(now)),
    )


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)


def _midnight(now: datetime) -> datetime:
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)


def board_annotators(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return everybody by code, excluded and withdrawn people too, with `last_at`, `in_force`,
    `left`, and of the newest part in a panel `part_outcome`, `part_began` and `part_minutes` (None
    for people without one); three queries for a page of them."""
    rows = with_last_save(Annotator.objects.filter(campaign=campaign)).select_related("user")
    return excluded(withdrawn(with_part(rows))).order_by("code")


def watch_of(*, campaign: Campaign) -> BoardWatch:
    """Return the thresholds of alarms; an unsaved row with the defaults if there is none."""
    return BoardWatch.objects.filter(campaign=campaign).first() or BoardWatch(campaign=campaign)


def alarms_in_force(*, campaigns: Collection[Campaign]) -> dict[int, list[BoardAlarm]]:
    """Return the alarms of each campaign that are not over, newest first, with their annotators and
    letters; two queries."""
    rows = BoardAlarm.objects.filter(campaign__in=campaigns, ended_at=None)
    alarms: dict[int, list[BoardAlarm]] = {one.pk: [] for one in campaigns}
    for alarm in (
        rows.prefetch_related("letters").select_related("annotator").order_by("-began_at", "-pk")
    ):
        alarms[alarm.campaign_id].append(alarm)
    return alarms


# What gives an alarm now, by the thresholds of the campaign.


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
    annotators = Annotator.objects.filter(campaign=campaign, pk__in=fast).exclude(pk__in=out)
    for one in annotators.order_by("pk"):
        sheets = too_fast(annotator=one, least=each, since=now - DAY)
        if not sheets.n or 2 * sheets.failed < sheets.n:
            continue
        texts, seconds = fast[one.pk]["recent_texts"], fast[one.pk]["recent_seconds"]
        yield FoundAlarm(
            Kind.FAST,
            str(one.pk),
            one.pk,
            {"seconds": round(seconds / texts, 1), "texts": texts, "least": watch.fast_seconds},
        )


def _falling(watch: BoardWatch, numbers: dict[str, Any]) -> Iterator[FoundAlarm]:
    """Agreement on the newest texts is lower than before by the threshold, and its interval does
    not reach what it was: a fall within the noise is none, nor one from too few phrases."""
    if watch.agreement_fall is None:
        return
    for scale, one in numbers.get("course", {}).items():
        value, before, high = one["value"], one["before"], one["high"]
        if value is None or before is None or high is None:
            continue
        if before - value >= watch.agreement_fall and high < before:
            yield FoundAlarm(Kind.FALLING, scale, None, one)


def _expired(campaign: Campaign, watch: BoardWatch, now: datetime) -> Iterator[FoundAlarm]:
    """Places that were lost to the lease so often, and are not done."""
    if watch.expired_times is None:
        return
    lost = (
        SlotEvent.objects.filter(
            slot__campaign=campaign,
            kind=SlotEvent.Kind.LOST,
            slot__state__in=[Slot.State.FREE, Slot.State.CLAIMED],
        )
        .order_by()
        .values_list("slot")
        .annotate(n=Count("*"))
    )
    times = dict(lost)
    # Nobody has come for these yet, which would be written down as lost.
    now_out = Slot.objects.filter(expired(now), campaign=campaign)
    for pk in now_out.order_by().values_list("pk", flat=True):
        times[pk] = times.get(pk, 0) + 1
    often = [n for n in times.values() if n >= watch.expired_times]
    if often:
        yield FoundAlarm(Kind.EXPIRED, facts={"places": len(often), "times": watch.expired_times})
