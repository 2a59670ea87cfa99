"""How the work of a campaign went on: places done, hour by hour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import CharField, Count, Func

from annotation.models import Campaign, Slot
from annotation.selectors.row_count import row_counts
from paraanno import clock
from paraanno.plain.forecast import MOST_DAYS, Forecast, forecast

STATES = [Slot.State.FREE, Slot.State.CLAIMED, Slot.State.DONE]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class _UtcHour(Func):
    """The hour of a time in UTC: a time on PostgreSQL, a text on SQLite, where `TruncHour` calls
    Python for every row."""

    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="substr(%(expressions)s, 1, 13)")

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(
            compiler, connection,
            template="date_trunc('hour', %(expressions)s, 'UTC')",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorkCourse:
    """Places of a campaign now, and when they were done.

    places, done   void places do not count
    hours          the start of each hour in which some were done, and how many: oldest first
    """

    now: datetime
    places: int
    done: int
    hours: tuple[tuple[datetime, int], ...]

    @property
    def left(self) -> int:
        return self.places - self.done

    @property
    def newest(self) -> datetime | None:
        """The end of the newest hour with work, at most now."""
        return min(self.now, self.hours[-1][0] + HOUR) if self.hours else None

    def last_days(self) -> list[int]:
        """Places done in each of the last days of 24 hours, the newest last: as many whole days as
        there are since the first place, at most 14."""
        if not self.hours:
            return []
        whole = min(MOST_DAYS, (self.now - self.hours[0][0]) // DAY)
        days = [0] * whole
        for hour, n in self.hours:
            # An hour counts where its middle is.
            ago = (self.now - hour - HOUR / 2) // DAY
            if 0 <= ago < whole:
                days[whole - 1 - ago] += n
        return days

    def forecast(self) -> Forecast | None:
        """When the places that are left will be done."""
        return forecast(self.last_days(), self.left)


def work_course(*, campaign: Campaign) -> WorkCourse:
    """Return the course; two queries that read the places once each."""
    states = slots_by_state(campaign=campaign)
    return WorkCourse(
        now=clock.now(),
        places=sum(states[state] for state in STATES),
        done=states[Slot.State.DONE],
        hours=tuple(done_by_hour(campaign=campaign)),
    )


def slots_by_state(*, campaign: Campaign) -> dict[str, int]:
    """How many slots the campaign has in each state; one query."""
    slots = Slot.objects.filter(campaign=campaign).order_by()
    numbers = row_counts(slots, "state", Slot.State.values)
    rows = Campaign.objects.annotate(**numbers).values(*numbers)
    return dict(rows.get(pk=campaign.pk))


def done_by_hour(
    *, campaign: Campaign, since: datetime | None = None
) -> list[tuple[datetime, int]]:
    """The start of each hour (UTC) in which places were done, and how many, oldest first; one
    query. `since`: only what was done then or later, which reads no more than that."""
    done = Slot.objects.filter(campaign=campaign, state=Slot.State.DONE, done_at__isnull=False)
    if since is not None:
        done = done.filter(done_at__gte=since)
    hours = (
        done.order_by()
        .annotate(hour=_UtcHour("done_at"))
        .values_list("hour")
        .annotate(n=Count("pk"))
        .order_by("hour")
    )
    return [(_time(hour), n) for hour, n in hours]


def _time(hour: str | datetime) -> datetime:
    if isinstance(hour, datetime):
        return hour
    return datetime.strptime(hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
