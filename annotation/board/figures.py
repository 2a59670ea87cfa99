"""The stored figures of a board: computed by a worker now and then, for small campaigns at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from annotation.board.counts import figures_state, hours_before, people_figures, text_figures
from annotation.board.queries import figures_of
from annotation.database import short_write
from annotation.models import BoardFigures, Campaign, Exclusion, Slot
from annotation.sheets.progress import WorkCourse, work_course
from paraanno import clock
from paraanno.jobs.engine import workers

TASK = "annotation.tasks.board_look"
FRESH = timedelta(minutes=5)
FRESH_AT_ONCE = timedelta(minutes=1)
SMALL = 1000  # places done: figures of so few take no longer than a page may
FEW = 20_000  # judgments of it all, for places are not all: those of a file may have none
RARELY = timedelta(hours=1)  # Campaigns that are not open change seldom.
LOST = timedelta(minutes=20)  # A look that has not ended in this time never will.

# What other apps compute for the board, by campaign: parts of `numbers`.
MAKERS: list[Callable[[Campaign], dict[str, Any]]] = []


def figures_get(*, campaign: Campaign, done: int) -> BoardFigures | None:
    """Return the stored figures; None where no worker has computed them yet.

    Where no worker looks at the board, those of a campaign with few places `done` and few judgments
    are computed if they are more than a minute old.
    """
    figures = figures_of(campaign=campaign)
    if done > SMALL:
        return figures
    if figures is not None and figures.made_at and clock.now() - figures.made_at < FRESH_AT_ONCE:
        return figures
    return figures if _left_to_workers(campaign) else figures_make(campaign=campaign)


def _left_to_workers(campaign: Campaign) -> bool:
    """Whether a worker computes the figures: a page that is only read then writes nothing. Those of
    many judgments wait for one."""
    if campaign.archived_at is not None or campaign.status == Campaign.Status.DRAFT:
        return False  # No worker looks at these.
    at = workers()
    alive = at is not None and at.alive()
    return alive or campaign.judgments.order_by()[: FEW + 1].count() > FEW


def figures_make(*, campaign: Campaign) -> BoardFigures:
    """Compute and store the figures, unless what they are made of is as it was."""
    now, state = clock.now(), figures_state(campaign=campaign)
    figures, _new = BoardFigures.objects.get_or_create(campaign=campaign)
    # The last day and week go on without anybody.
    computed = figures.numbers.get("computed", "")
    if figures.state == state and computed > (now - RARELY).astimezone(UTC).isoformat():
        BoardFigures.objects.filter(pk=figures.pk).update(made_at=now)
        figures.made_at = now
        return figures
    course = work_course(campaign=campaign)
    numbers: dict[str, Any] = {
        "computed": now.astimezone(UTC).isoformat(),
        "people": people_figures(campaign=campaign, now=now),
        "texts": text_figures(campaign=campaign),
        "hours": hours_before(campaign=campaign, now=now),
        "end": _end(campaign, course),
        "missing": [course.missing, course.per_sheet],
    }
    for make in MAKERS:
        numbers |= make(campaign)
    with short_write():
        BoardFigures.objects.filter(pk=figures.pk).update(numbers=numbers, state=state, made_at=now)
    figures.numbers, figures.state, figures.made_at = numbers, state, now
    return figures


def _end(campaign: Campaign, course: WorkCourse) -> dict[str, Any] | None:
    """The forecast: places a day and days until the end, with their 80 % ranges. None where too few
    annotators have joined to reach it."""
    if course.missing:
        return None
    forecast = course.forecast() if campaign.status == Campaign.Status.OPEN else None
    if forecast is None:
        return None
    return {
        "at": course.now.isoformat(),
        "per_day": forecast.per_day,
        "low": forecast.low,
        "high": forecast.high,
        "days": forecast.days,
        "early": forecast.early,
        "late": forecast.late,
    }


def boards_ask() -> int:
    """Ask workers to look at the boards whose time has come; return how many. Called on the timer
    of each worker: a compare-and-set sees to it that one of them asks.

    An open campaign is looked at every five minutes, a paused or closed one every hour; one with
    few places done a minute after news. None is looked at again while the last look may still run.
    """
    now, at = clock.now(), workers()
    if at is None:
        return 0
    alive = Campaign.objects.filter(archived_at=None).exclude(status=Campaign.Status.DRAFT)
    for campaign in alive.filter(board_figures=None):
        BoardFigures.objects.get_or_create(campaign=campaign)
    old = Q(asked_at=None) | Q(asked_at__lte=now - RARELY)
    recent = Q(campaign__status=Campaign.Status.OPEN, asked_at__lte=now - FRESH)
    minute_ago = Q(asked_at__lte=now - FRESH_AT_ONCE)
    ended = Q(asked_at=None) | Q(made_at__gte=F("asked_at")) | Q(asked_at__lte=now - LOST)
    due = BoardFigures.objects.filter(
        ended, old | recent | (minute_ago & _news()), campaign__in=alive
    )
    late = now - FRESH
    notified = 0
    for pk, campaign_pk, before in due.values_list("pk", "campaign", "asked_at"):
        if before is not None and before > late and _is_large(campaign_pk):
            continue
        unchanged = BoardFigures.objects.filter(asked_at=before, pk=pk)
        if before is None:
            unchanged = BoardFigures.objects.filter(asked_at__isnull=True, pk=pk)
        with short_write():
            if unchanged.update(asked_at=now):
                at.notify(TASK, campaign_pk)
                notified += 1
    return notified


def _news() -> Q:
    """Places done, or an exclusion, since a worker was last asked; two ends of indexes."""
    lookup = {"campaign": OuterRef("campaign")}
    done = Slot.objects.filter(**lookup, state=Slot.State.DONE, done_at__gt=OuterRef("asked_at"))
    since = OuterRef("asked_at")
    out = Exclusion.objects.filter(Q(starts_at__gt=since) | Q(ends_at__gt=since), **lookup)
    return Q(Exists(done)) | Q(Exists(out))


def _is_large(campaign_pk: int) -> bool:
    done = Slot.objects.filter(campaign=campaign_pk, state=Slot.State.DONE)
    return done[: SMALL + 1].count() > SMALL
