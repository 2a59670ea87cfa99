"""The administrators' overview of all campaigns, in a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Campaign, Slot, Substitution
from paraanno import clock
from scoring.models import Run, TrendPoint
from scoring.stats.agreement.verdict import TENTATIVE

DAYS = 28
QUIET_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class TrendNumber:
    """A coefficient of the newest report, and its values in the reports of earlier days."""

    scale: str
    value: float | None
    low: float | None
    high: float | None
    name: str
    day: date
    course: tuple[float, ...]

    @property
    def too_low(self) -> bool:
        """Whether it is below the alpha needed for tentative conclusions (Krippendorff)."""
        return self.value is not None and self.value < TENTATIVE


@dataclass(frozen=True, slots=True)
class Row:
    """One campaign. `per_day` counts the sheets submitted on each of the last 28 days, today
    last."""

    campaign: Campaign
    alphas: tuple[TrendNumber, ...] = ()
    best: tuple[TrendNumber, ...] = ()
    per_day: tuple[int, ...] = ()
    last_run: Run | None = None
    outdated: tuple[Run, ...] = ()
    quiet_since: datetime | None = None

    @property
    def low_alphas(self) -> list[TrendNumber]:
        return [one for one in self.alphas if one.too_low]


@dataclass(slots=True)
class _Found:
    """The results of the queries, by campaign."""

    trend: dict[tuple[int, str], list[TrendPoint]] = field(
        default_factory=lambda: defaultdict(list)
    )
    days: dict[int, dict[date, int]] = field(default_factory=lambda: defaultdict(dict))
    runs: dict[int, list[Run]] = field(default_factory=lambda: defaultdict(list))
    newest_text: dict[int, int] = field(default_factory=dict)
    quiet: dict[int, datetime] = field(default_factory=dict)


def overview_rows(campaigns: Iterable[Campaign]) -> list[Row]:
    """A row for each campaign, in order; five queries for any number of them.

    A metric run is outdated if outputs were added after it. A campaign is quiet if it is open, has
    free slots, and no slot was claimed or submitted for seven days.
    """
    shown = list(campaigns)
    found = _find([one.pk for one in shown])
    return [_row(one, found) for one in shown]


def _find(pks: list[int]) -> _Found:
    found = _Found()
    for point in TrendPoint.objects.filter(campaign__in=pks).order_by("day"):
        found.trend[point.campaign_id, point.kind].append(point)
    slots = Slot.objects.filter(campaign__in=pks)
    since = clock.now() - timedelta(days=DAYS)
    done = slots.filter(state=Slot.State.DONE, done_at__gte=since).order_by()
    for pk, day, n in (
        done.annotate(day=TruncDate("done_at"))
        .values_list("campaign", "day")
        .annotate(n=Count("pk"))
    ):
        found.days[pk][day] = n
    finished = Run.objects.filter(campaign__in=pks).defer("state", "signature").order_by("pk")
    for run in finished:
        found.runs[run.campaign_id].append(run)
    outputs = Substitution.objects.filter(campaign__in=pks, role=Substitution.Role.OUTPUT)
    found.newest_text = dict(outputs.order_by().values_list("campaign").annotate(newest=Max("pk")))
    found.quiet = dict(_quiet(slots))
    return found


def _quiet(slots: QuerySet[Slot, Any]) -> Iterator[tuple[int, datetime]]:
    """Campaigns with free slots and no activity for a week, with the time of the last activity."""
    waiting = Q(state__in=[Slot.State.FREE, Slot.State.CLAIMED])
    rows = (
        slots.filter(campaign__status=Campaign.Status.OPEN)
        .order_by()
        .values_list("campaign", "campaign__opened_at")
        .annotate(left=Count("pk", filter=waiting), done=Max("done_at"), taken=Max("claimed_at"))
        .filter(left__gt=0)
    )
    before = clock.now() - QUIET_FOR
    for pk, opened, _left, done, taken in rows:
        last = max((at for at in (opened, done, taken) if at is not None), default=None)
        if last is not None and last < before:
            yield pk, last


def _row(campaign: Campaign, found: _Found) -> Row:
    pk = campaign.pk
    today = timezone.localdate()
    newest: dict[str, Run] = {
        run.options_hash: run for run in found.runs[pk] if run.status == Run.Status.DONE
    }
    return Row(
        campaign=campaign,
        alphas=_numbers(found.trend[pk, "agreement"]),
        best=_numbers(found.trend[pk, "correlation"]),
        per_day=tuple(
            found.days[pk].get(today - timedelta(days=ago), 0) for ago in reversed(range(DAYS))
        ),
        last_run=found.runs[pk][-1] if found.runs[pk] else None,
        outdated=tuple(
            run for run in newest.values() if run.last_substitution < found.newest_text.get(pk, 0)
        ),
        quiet_since=found.quiet.get(pk),
    )


def _numbers(points: list[TrendPoint]) -> tuple[TrendNumber, ...]:
    if not points:
        return ()
    last = points[-1]
    found = []
    for scale, (value, low, high, name) in last.numbers.items():
        said = (point.numbers.get(scale, [None])[0] for point in points)
        course = tuple(one for one in said if one is not None)
        found.append(TrendNumber(scale, value, low, high, name, last.day, course))
    return tuple(found)
