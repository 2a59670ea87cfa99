"""The stored figures of a board, of each person and of the texts: computed by a worker now and
then, for small campaigns at once.

Everybody's work is in them, also that of people who are excluded or have withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypedDict

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, Value

from annotation.database import short_write
from annotation.models import (
    BoardFigures,
    Campaign,
    Exclusion,
    Judgment,
    SheetEntry,
    Slot,
    Substitution,
)
from annotation.models.fields import text_digest
from annotation.quality.checks import CHECKS, Scope
from annotation.sheets import tally
from annotation.sheets.own_work import PAUSE
from annotation.sheets.progress import DAY, WorkCourse, done_by_hour, figures_of, work_course
from paraanno import clock
from paraanno.common.forecast import MOST_DAYS
from paraanno.jobs.engine import workers

WEEK = 7
DONE, VOID = Slot.State.DONE, Slot.State.VOID


class PersonFigures(TypedDict):
    """One person's work. Seconds are the server's active time while judging, without pauses of
    more than five minutes.

    places, counted           handed in, and how many of these count
    judgments, judgments_counted   likewise
    texts, seconds            judged for the first time on this site, and the time that took
    recent_texts, recent_seconds   the same of the last 24 hours
    week                      places of each of the last seven days of 24 hours, the newest last
    checks, failed            checks with a known answer, and how many of them failed
    """

    places: int
    counted: int
    judgments: int
    judgments_counted: int
    texts: int
    seconds: int
    recent_texts: int
    recent_seconds: int
    week: list[int]
    checks: int
    failed: int


class TextFigures(TypedDict):
    """Output texts of the sheets: all, with every place of their sheet done, with any of them."""

    all: int
    complete: int
    begun: int


def people_figures(*, campaign: Campaign, now: datetime) -> dict[str, PersonFigures]:
    """Return the figures by the annotator's id as a text; everybody who has any work.

    The database does the counting: six queries, whatever the number of people and judgments.
    """
    yesterday = now - DAY
    seconds, texts = _active_seconds(campaign, yesterday), _first_judged(campaign, yesterday)
    judged = Judgment.objects.filter(campaign=campaign).order_by().values_list("annotator")
    counted, late = Judgment.Status.COUNTED, Judgment.Status.SURPLUS
    counts = {
        status: dict(judged.filter(status=status).annotate(n=Count("*")))
        for status in (counted, late)
    }
    slots = _handed_in(campaign, now)
    figures: dict[int, PersonFigures] = {}
    for pk in {*seconds, *texts, *counts[counted], *counts[late], *slots}:
        done, submitted, week = slots.get(pk, (0, 0, [0] * WEEK))
        first, recent = texts.get(pk, (0, 0))
        active, active_recently = seconds.get(pk, (0, 0))
        judgments = counts[counted].get(pk, 0)
        figures[pk] = {
            "places": submitted,
            "counted": done,
            "judgments": judgments + counts[late].get(pk, 0),
            "judgments_counted": judgments,
            "texts": first,
            "seconds": active,
            "recent_texts": recent,
            "recent_seconds": active_recently,
            "week": week,
            "checks": 0,
            "failed": 0,
        }
    for check in CHECKS.values():
        for pk, result in check(Scope(campaign)).items():
            if pk in figures:
                figures[pk]["checks"] += result.n
                figures[pk]["failed"] += result.failed
    return {
        str(pk): one for pk, one in sorted(figures.items()) if one["places"] or one["judgments"]
    }


def _handed_in(campaign: Campaign, now: datetime) -> dict[int, tuple[int, int, list[int]]]:
    """By annotator: places that count, all that were handed in, and these by day; one query."""
    days = {
        f"day_{ago}": Count(
            Value(1), filter=Q(done_at__gt=now - (ago + 1) * DAY, done_at__lte=now - ago * DAY)
        )
        for ago in reversed(range(WEEK))
    }
    slots = Slot.objects.filter(
        campaign=campaign, annotator__isnull=False, state__in=[DONE, VOID]
    ).order_by()
    rows = slots.values_list("annotator").annotate(
        done=Count(Value(1), filter=Q(state=DONE)), submitted=Count("done_at"), **days
    )
    return {person: (done, submitted, week) for person, done, submitted, *week in rows}


# Two sums over groups of groups, which querysets do not express.
ACTIVE_SECONDS = """
    WITH times AS (
        SELECT event.annotator_id AS person, event.at AS at
          FROM annotation_slotevent event
          JOIN annotation_annotator ON annotation_annotator.id = event.annotator_id
         WHERE annotation_annotator.campaign_id = %(campaign)s AND event.actor_id IS NULL
           AND event.kind IN ('claimed', 'done', 'skipped', 'retaken')
         UNION ALL
        SELECT judgment.annotator_id, version.recorded_at
          FROM annotation_judgment judgment
          JOIN annotation_judgmentversion version ON version.judgment_id = judgment.id
         WHERE judgment.campaign_id = %(campaign)s AND version.request_id IS NOT NULL
    ), gaps AS (
        SELECT person, lag(at) OVER one_by_one AS previous,
               {seconds} - lag({seconds}) OVER one_by_one AS gap
          FROM times WINDOW one_by_one AS (PARTITION BY person ORDER BY at)
    )
    SELECT person, sum(gap), sum(CASE WHEN previous >= %(yesterday)s THEN gap ELSE 0 END)
      FROM gaps WHERE gap <= %(pause)s GROUP BY person"""
FIRST_JUDGED = """
    SELECT person, count(*), sum(CASE WHEN at >= %(yesterday)s THEN 1 ELSE 0 END)
      FROM (SELECT judgment.annotator_id AS person, max(version.recorded_at) AS at
              FROM annotation_judgment judgment
              JOIN annotation_judgmentversion version ON version.judgment_id = judgment.id
             WHERE judgment.campaign_id = %(campaign)s AND version.version = 1
               AND version.request_id IS NOT NULL
             GROUP BY judgment.annotator_id, judgment.substitution_id, judgment.occasion) texts
     GROUP BY person"""
# Times are texts on SQLite, to the microsecond.
SECONDS = {
    "postgresql": "extract(epoch FROM at)",
    "sqlite": "(strftime('%%s', at) + CAST('0' || substr(at, 20) AS REAL))",
}


def _active_seconds(campaign: Campaign, yesterday: datetime) -> dict[int, tuple[int, int]]:
    """By annotator: seconds between one step and the next (a claim, a save, a skip, the handing
    in), without gaps of more than PAUSE; and the same since `yesterday`. One query."""
    seconds = SECONDS[connection.vendor]
    rows = _by_person(ACTIVE_SECONDS.format(seconds=seconds), campaign, yesterday)
    return {person: (round(all_of_it), round(recent)) for person, all_of_it, recent in rows}


def _first_judged(campaign: Campaign, yesterday: datetime) -> dict[int, tuple[int, int]]:
    """By annotator: the texts that were wholly judged, at the newest first save of their questions;
    and those since `yesterday`. One query."""
    rows = _by_person(FIRST_JUDGED, campaign, yesterday)
    return {person: (texts, recent) for person, texts, recent in rows}


def _by_person(statement: str, campaign: Campaign, yesterday: datetime) -> list[tuple[Any, ...]]:
    values = {
        "campaign": campaign.pk,
        "yesterday": connection.ops.adapt_datetimefield_value(yesterday),
        "pause": PAUSE.total_seconds(),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def text_figures(*, campaign: Campaign) -> TextFigures:
    """Count output texts; each is on one sheet that is for whoever comes. Two queries.

    Both count by sheet. A list of the sheets that are done does not fit into the memory of a hash
    beyond some 150,000 of them, and PostgreSQL then goes through it for each text.
    """
    entries = SheetEntry.objects.filter(
        sheet__campaign=campaign,
        occasion=1,
        for_annotator=None,
        substitution__role=Substitution.Role.OUTPUT,
    )
    texts = dict(entries.order_by().values_list("sheet").annotate(n=Count("*")).iterator())
    slots = Slot.objects.filter(campaign=campaign).order_by().values_list("sheet")
    left = Q(state__in=[Slot.State.FREE, Slot.State.CLAIMED])
    begun = complete = 0
    for sheet, done, waiting in slots.annotate(
        done=Count(Value(1), filter=Q(state=DONE)), left=Count(Value(1), filter=left)
    ).iterator():
        if done:
            begun += texts.get(sheet, 0)
            complete += 0 if waiting else texts.get(sheet, 0)
    return {"all": sum(texts.values()), "complete": complete, "begun": begun}


def hours_before(*, campaign: Campaign, now: datetime) -> dict[str, int]:
    """Places done in each hour of the last two weeks, by its start in ISO 8601; one query."""
    rows = done_by_hour(campaign=campaign, since=now - MOST_DAYS * DAY)
    return {at.isoformat(): n for at, n in rows}


def figures_state(*, campaign: Campaign) -> str:
    """A text that changes with what the figures are made of; three queries that read counts."""
    counts = tally.campaign_tally(campaign)
    newest = [counts.written, campaign.annotators.count()]
    outs = Exclusion.objects.filter(campaign=campaign)
    excluded = outs.aggregate(n=Count("*"), ended=Count("ends_at"))
    return text_digest(str((sorted(counts.slots.items()), counts.judgments, newest, excluded)))


# Storing them.


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
