"""What the board reads at every poll: few statements that read indexes, for any size."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, OuterRef, QuerySet, Subquery
from django.utils import timezone

from annotation.models import (
    Annotator,
    BoardAlarm,
    BoardFigures,
    BoardWatch,
    Campaign,
    Judgment,
    Participant,
    PartOutcome,
    Slot,
)
from annotation.selectors.campaigns.course import DAY, HOUR, done_by_hour, slots_by_state
from annotation.selectors.people.consent import PEOPLE
from annotation.selectors.people.exclusions import excluded
from annotation.selectors.people.withdrawal import withdrawn
from paraanno import clock

AT_WORK = timedelta(minutes=10)  # since the newest save
# Whose saves have the time of their work; those of a file have that of its import.
WORKING = (*PEOPLE, Annotator.Origin.SIMULATED)
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
    known = dict(done_by_hour(campaign=campaign, since=this_hour - DAY - HOUR))
    starts = [this_hour - HOUR * ago for ago in reversed(range(HOURS))]
    midnight = _midnight(now)
    return BoardNow(
        now=now,
        free=states[Slot.State.FREE],
        claimed=states[Slot.State.CLAIMED],
        done=states[Slot.State.DONE],
        hours=tuple((start, known.get(start, 0)) for start in starts),
        last_day=sum(known.get(start, 0) for start in starts),
        today=sum(n for start, n in known.items() if start >= midnight),
        working=working_now(campaign=campaign, now=_minute(now)),
    )  # fmt: skip


def working_now(*, campaign: Campaign, now: datetime) -> tuple[Annotator, ...]:
    """Return annotators whose newest save is at most AT_WORK old and whose part in a panel is not
    over, the newest first, with `last_at`; one query."""
    rows = (
        _with_part(with_last_save(Annotator.objects.filter(campaign=campaign, origin__in=WORKING)))
        .filter(last_at__gte=now - AT_WORK)
        .select_related("user")
        .order_by("-last_at", "pk")
    )
    return tuple(one for one in rows if not part_ended(one, now))


def _minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0)


def _midnight(now: datetime) -> datetime:
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)


def with_last_save(annotators: QuerySet[Annotator]) -> QuerySet[Any]:
    """Annotate `last_at`, the time of the newest save; the end of an index for each annotator."""
    newest = Judgment.objects.filter(annotator=OuterRef("pk")).order_by("-recorded_at")
    return annotators.annotate(
        last_at=Subquery(newest.values("recorded_at")[:1], output_field=DateTimeField())
    )


def board_annotators(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return everybody by code, excluded and withdrawn people too, with `last_at`, `in_force`,
    `left`, and of the newest part in a panel `part_outcome`, `part_began` and `part_minutes` (None
    for people without one); three queries for a page of them."""
    rows = with_last_save(Annotator.objects.filter(campaign=campaign)).select_related("user")
    return excluded(withdrawn(_with_part(rows))).order_by("code")


def _with_part(annotators: QuerySet[Any]) -> QuerySet[Any]:
    parts = Participant.objects.filter(annotator=OuterRef("pk")).order_by("-pk")
    return annotators.annotate(
        part_outcome=Subquery(parts.values("outcome")[:1]),
        part_began=Subquery(parts.values("entered_at")[:1]),
        part_minutes=Subquery(parts.values("panel__minutes")[:1]),
    )


def part_ended(one: Any, now: datetime) -> str:
    """How the annotator's newest part in a panel ended, "complete" or "left": also of those whose
    time is up and who have not come back to be told. "" while it goes on, and without one."""
    outcome, minutes = one.part_outcome, one.part_minutes
    if outcome == "" and minutes is not None:
        return "left" if now > one.part_began + timedelta(minutes=minutes) else ""
    return "complete" if outcome == PartOutcome.COMPLETE else "left" if outcome else ""


def watch_of(*, campaign: Campaign) -> BoardWatch:
    """Return the thresholds of alarms; an unsaved row with the defaults if there is none."""
    return BoardWatch.objects.filter(campaign=campaign).first() or BoardWatch(campaign=campaign)


def figures_of(*, campaign: Campaign) -> BoardFigures | None:
    """Return what was computed last; None before the first time."""
    return BoardFigures.objects.filter(campaign=campaign, made_at__isnull=False).first()


def alarms_in_force(*, campaign: Campaign) -> list[BoardAlarm]:
    """Return the alarms that are not over, newest first, with their annotators and letters; two
    queries."""
    rows = BoardAlarm.objects.filter(campaign=campaign, ended_at=None).prefetch_related("letters")
    return list(rows.select_related("annotator").order_by("-began_at", "-pk"))
