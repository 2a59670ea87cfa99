"""The figures of the board that are computed now and then: of each person, and of the texts.

Everybody's work is in them, also that of people who are excluded or have withdrawn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from django.db.models import Count, Exists, Max, OuterRef, Q

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Judgment,
    JudgmentVersion,
    Sheet,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
)
from annotation.models.fields import text_digest
from annotation.selectors.board.live import with_last_save
from annotation.selectors.campaigns.course import DAY, done_by_hour, slots_by_state
from annotation.selectors.people.payments import active_seconds
from annotation.selectors.quality.checks import KNOWN, Scope
from paraanno.plain.forecast import MOST_DAYS

WEEK = 7
AT_ONCE = 500  # people whose times are read together
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

    A constant number of queries for each AT_ONCE people.
    """
    found: dict[int, PersonFigures] = {}
    people = list(Annotator.objects.filter(campaign=campaign).order_by("pk").values_list("pk"))
    for start in range(0, len(people), AT_ONCE):
        _work([pk for (pk,) in people[start : start + AT_ONCE]], now, found)
    for check in KNOWN.values():
        for pk, result in check(Scope(campaign)).items():
            if pk in found:
                found[pk]["checks"] += result.n
                found[pk]["failed"] += result.failed
    return {str(pk): one for pk, one in found.items() if one["places"] or one["judgments"]}


def _work(people: list[int], now: datetime, found: dict[int, PersonFigures]) -> None:
    times, first = _times(people), _first(people)
    given = Judgment.objects.filter(annotator__in=people).order_by().values_list("annotator")
    counted, late = Judgment.Status.COUNTED, Judgment.Status.SURPLUS
    judged = dict(given.filter(status=counted).annotate(Count("pk")))
    surplus = dict(given.filter(status=late).annotate(Count("pk")))
    done, submitted = Counter[int](), Counter[int]()
    weeks: dict[int, list[int]] = defaultdict(lambda: [0] * WEEK)
    slots = Slot.objects.filter(annotator__in=people, state__in=[DONE, VOID]).order_by()
    for pk, state, at in slots.values_list("annotator", "state", "done_at").iterator():
        done[pk] += state == DONE
        submitted[pk] += at is not None
        ago = (now - at) // DAY if at is not None else WEEK
        if 0 <= ago < WEEK:
            weeks[pk][WEEK - 1 - ago] += 1
    yesterday = now - DAY
    for pk in people:
        mine = times[pk]
        recent = mine[bisect_left(mine, yesterday) :]
        found[pk] = {
            "places": submitted[pk], "counted": done[pk],
            "judgments": judged.get(pk, 0) + surplus.get(pk, 0),
            "judgments_counted": judged.get(pk, 0),
            "texts": len(first[pk]), "seconds": active_seconds(mine),
            "recent_texts": sum(at >= yesterday for at in first[pk]),
            "recent_seconds": active_seconds(recent),
            "week": weeks[pk], "checks": 0, "failed": 0,
        }  # fmt: skip


def _times(people: list[int]) -> dict[int, list[datetime]]:
    """When each of them claimed, saved, skipped or handed in, ascending; two queries."""
    kinds = ["claimed", "done", "skipped", "retaken"]
    events = SlotEvent.objects.filter(annotator__in=people, actor=None, kind__in=kinds)
    saves = JudgmentVersion.objects.filter(judgment__annotator__in=people, request_id__isnull=False)
    sources: list[Iterable[tuple[int, datetime]]] = [
        events.order_by().values_list("annotator", "at").iterator(),
        saves.order_by().values_list("judgment__annotator", "recorded_at").iterator(),
    ]
    times: dict[int, list[datetime]] = defaultdict(list)
    for rows in sources:
        for pk, at in rows:
            times[pk].append(at)
    for one in times.values():
        one.sort()
    return times


def _first(people: list[int]) -> dict[int, list[datetime]]:
    """When each text was first wholly judged: the newest first save of its questions; one query."""
    rows = (
        JudgmentVersion.objects.filter(
            judgment__annotator__in=people, version=1, request_id__isnull=False
        )
        .order_by()
        .values_list("judgment__annotator", "judgment__substitution", "judgment__occasion")
        .annotate(at=Max("recorded_at"))
    )
    found: dict[int, list[datetime]] = defaultdict(list)
    for pk, _text, _occasion, at in rows.iterator():
        found[pk].append(at)
    return found


def text_figures(*, campaign: Campaign) -> TextFigures:
    """Count output texts; each is on one sheet that is for whoever comes. One query."""
    slots = Slot.objects.filter(sheet=OuterRef("pk"))
    any_done = Exists(slots.filter(state=DONE))
    left = Exists(slots.filter(state__in=[Slot.State.FREE, Slot.State.CLAIMED]))
    sheets = Sheet.objects.filter(campaign=campaign, occasion=1, for_annotator=None)
    entries = SheetEntry.objects.filter(
        sheet__campaign=campaign, occasion=1, for_annotator=None,
        substitution__role=Substitution.Role.OUTPUT,
    ).order_by()  # fmt: skip
    begun = Q(sheet__in=sheets.filter(any_done).values("pk"))
    complete = Q(sheet__in=sheets.filter(any_done).filter(~left).values("pk"))
    counts = entries.aggregate(
        all=Count("pk"), complete=Count("pk", filter=complete), begun=Count("pk", filter=begun)
    )
    return {"all": counts["all"], "complete": counts["complete"], "begun": counts["begun"]}


def hours_before(*, campaign: Campaign, now: datetime) -> dict[str, int]:
    """Places done in each hour of the last two weeks, by its start in ISO 8601; one query."""
    rows = done_by_hour(campaign=campaign, since=now - MOST_DAYS * DAY)
    return {at.isoformat(): n for at, n in rows}


def figures_state(*, campaign: Campaign) -> str:
    """A text that changes with what the figures are made of; four queries that read indexes."""
    slots = slots_by_state(campaign=campaign)
    judged = Judgment.objects.filter(campaign=campaign).order_by()
    counts = sorted(judged.values_list("scale", "status").annotate(Count("pk")))
    saved = with_last_save(Annotator.objects.filter(campaign=campaign))
    newest = saved.aggregate(at=Max("last_at"), n=Count("pk"))
    outs = Exclusion.objects.filter(campaign=campaign)
    excluded = outs.aggregate(n=Count("pk"), ended=Count("ends_at"))
    return text_digest(str((sorted(slots.items()), counts, newest, excluded)))
