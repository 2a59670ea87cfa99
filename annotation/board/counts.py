"""The figures of the board that are computed now and then: of each person, and of the texts.

Everybody's work is in them, also that of people who are excluded or have withdrawn.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict

from django.db import connection
from django.db.models import Count, Q, Value

from annotation.models import (
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
from annotation.sheets.progress import DAY, done_by_hour
from paraanno.common.forecast import MOST_DAYS

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
