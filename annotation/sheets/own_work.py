"""An annotator's own time, pace and history, and the rows of a sheet, as shown to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.models import (
    Annotator,
    Campaign,
    Item,
    Judgment,
    JudgmentVersion,
    Phrase,
    Remark,
    Scale,
    ScalePoint,
    Sheet,
    Skip,
    Slot,
)
from annotation.models.texts import around
from annotation.sheets.sql import select
from paraanno import clock

PAUSE = timedelta(minutes=5)  # a longer gap between saves does not count as work
BREAK = timedelta(minutes=30)  # a longer gap starts a new session
RECENT = 1000  # the pace is computed over this many saves


@dataclass(frozen=True, slots=True)
class Stretch:
    """A number of saves, and the time between them without pauses."""

    saves: int = 0
    time: timedelta = timedelta(0)
    began: datetime | None = None

    @property
    def minutes(self) -> int:
        return round(self.time.total_seconds() / 60)

    @property
    def seconds_each(self) -> float | None:
        """Seconds of work for each save after the first; None for fewer than two saves."""
        return self.time.total_seconds() / (self.saves - 1) if self.saves > 1 else None


@dataclass(frozen=True, slots=True)
class OwnWork:
    """Work today, in this session, and over the most recent saves."""

    today: Stretch
    session: Stretch
    recent: Stretch


@dataclass(frozen=True, slots=True)
class Day:
    """What the annotator has done today."""

    work: Stretch
    sheets: int
    substitutions: int
    cannot: int

    @property
    def seconds_each(self) -> float | None:
        """Seconds of work per substitution; None if there are no substitutions or no time."""
        seconds = self.work.time.total_seconds()
        return seconds / self.substitutions if seconds and self.substitutions else None

    @property
    def sheets_an_hour(self) -> float | None:
        """Sheets per hour of work."""
        hours = self.work.time.total_seconds() / 3600
        return self.sheets / hours if hours and self.sheets else None


def own_day(*, annotator: Annotator, work: OwnWork, now: datetime | None = None) -> Day:
    """Return the summary of the day; `work` is the annotator's `own_work`. Two queries."""
    midnight = _midnight(now or clock.now())
    saved = JudgmentVersion.objects.filter(request_id__isnull=False, recorded_at__gte=midnight)
    counted = Judgment.objects.filter(annotator=annotator, versions__in=saved).aggregate(
        texts=Count("substitution", distinct=True),
        cannot=Count("pk", filter=~Q(reason=""), distinct=True),
    )
    done = Slot.objects.filter(
        annotator=annotator, state=Slot.State.DONE, done_at__gte=midnight
    ).count()
    return Day(work.today, done, counted["texts"], counted["cannot"])


def _midnight(now: datetime) -> datetime:
    """Return the start of the day in the time zone of the instance."""
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)


def own_work(*, annotator: Annotator, now: datetime | None = None) -> OwnWork:
    """Compute the annotator's work from the server's times of their saves. Two queries.

    Changing an answer is work too and counts as a save. "Today" starts at midnight in the
    instance's time zone.
    """
    now = now or clock.now()
    midnight = _midnight(now)
    saved = JudgmentVersion.objects.filter(
        judgment__annotator=annotator, request_id__isnull=False
    ).order_by("-recorded_at")
    newest = list(saved.values_list("recorded_at", flat=True)[:RECENT])[::-1]
    today = saved.filter(recorded_at__gte=midnight).values_list("recorded_at", flat=True)
    return OwnWork(work_of(list(today)[::-1]), work_of(_last_session(newest, now)), work_of(newest))


def work_of(times: list[datetime]) -> Stretch:
    """Return the work between times in ascending order."""
    return Stretch(len(times), sum(_gaps(times), timedelta(0)), times[0] if times else None)


def _gaps(times: list[datetime]) -> Iterable[timedelta]:
    return (gap for one, other in pairwise(times) if (gap := other - one) <= PAUSE)


def _last_session(times: list[datetime], now: datetime) -> list[datetime]:
    begin = 0
    for at, (one, other) in enumerate(pairwise(times), 1):
        if other - one > BREAK:
            begin = at
    return times[begin:] if times and now - times[-1] <= BREAK else []


def own_history(*, annotator: Annotator | None) -> QuerySet[Slot]:
    """Return the sheets that the annotator has done, newest first, with `answers` and `cannot`;
    empty for None.
    """
    if annotator is None:
        return Slot.objects.none()
    given = (
        Judgment.objects.filter(
            annotator=annotator,
            kind=Judgment.Kind.RATING,
            occasion=OuterRef("sheet__occasion"),
            substitution__entries__sheet=OuterRef("sheet"),
        )
        .order_by()
        .values("annotator")
    )
    return (
        Slot.objects.filter(annotator=annotator, state=Slot.State.DONE)
        .select_related("sheet__item__phrase")
        .annotate(
            answers=Coalesce(
                Subquery(
                    given.annotate(n=Count(Value(1), filter=Q(value__isnull=False))).values("n")
                ),
                0,
            ),
            cannot=Coalesce(
                Subquery(given.annotate(n=Count(Value(1), filter=~Q(reason=""))).values("n")), 0
            ),
        )
        .order_by("-done_at", "-pk")
    )


# Flags and comments of annotators, and skipped sheets.


# Written, since every sheet that is shown asks it.
_OWN = """
SELECT substitution_id, flagged, text FROM annotation_remark
WHERE annotator_id = %s AND sheet_id = %s ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class RemarkView:
    """The annotator's current remark on one place."""

    flagged: bool = False
    text: str = ""


def own_remarks(*, annotator: Annotator, sheet: Sheet) -> dict[int | None, RemarkView]:
    """Return the annotator's remarks by substitution; the key None is the sheet itself. One
    query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OWN, [annotator.pk, sheet.pk])
        rows = cursor.fetchall()
    return {place: RemarkView(bool(flagged), text) for place, flagged, text in rows}


def remarks_of(*, campaign: Campaign) -> QuerySet[Remark]:
    """Return the current remarks of a campaign, newest first."""
    newer = Remark.objects.filter(
        annotator=OuterRef("annotator"), sheet=OuterRef("sheet"), pk__gt=OuterRef("pk")
    )
    # In SQL, NULL does not equal NULL.
    on_sheet = Q(~Exists(newer.filter(substitution=None)), substitution=None)
    on_text = Q(
        ~Exists(newer.filter(substitution=OuterRef("substitution"))), substitution__isnull=False
    )
    has_content = Q(flagged=True) | ~Q(text="")
    return (
        Remark.objects.filter(on_sheet | on_text, has_content, campaign=campaign)
        .select_related("annotator", "substitution", "sheet__item__phrase")
        .order_by("-pk")
    )


def skips_of(*, campaign: Campaign) -> QuerySet[Skip]:
    """Return the skipped sheets, newest first."""
    return (
        Skip.objects.filter(campaign=campaign)
        .select_related("annotator", "sheet__item__phrase")
        .order_by("-pk")
    )


def remarks_since(
    *, campaigns: Collection[Campaign], since: datetime
) -> dict[int, tuple[int, datetime]]:
    """How many remarks were made since a time and when the newest was, of each campaign that has
    any; one query."""
    rows = Remark.objects.filter(
        Q(flagged=True) | ~Q(text=""), campaign__in=campaigns, at__gte=since
    )
    counts = rows.order_by().values_list("campaign_id").annotate(n=Count("*"), newest=Max("at"))
    return {pk: (n, newest) for pk, n, newest in counts}


def done_sheets(annotator: Annotator) -> QuerySet[Slot]:
    """Return the slots that the annotator has done."""
    return Slot.objects.filter(annotator=annotator, state=Slot.State.DONE)


# The rows that a sheet on the screen is made of, in a statement for each kind.
#
# Nothing is kept between requests but what rows of scales have been made into, by those very rows.


_SCALE = (
    "id",
    "key",
    "name",
    "question",
    "level",
    "minimum",
    "maximum",
    "step",
    "required",
    "position",
)
_POINT = ("id", "value", "label", "anchor")
SCALES = f"""
SELECT {", ".join(f"scale.{one}" for one in _SCALE)}, {", ".join(f"point.{one}" for one in _POINT)}
FROM annotation_scale scale
LEFT JOIN annotation_scalepoint point ON point.scale_id = scale.id
WHERE scale.campaign_id = %s ORDER BY scale.position, point.value DESC
"""  # noqa: S608 constants
_SHEET = ("id", "campaign_id", "key", "occasion", "for_annotator_id", "shared")
_ITEM = ("id", "sentence", "start", "end", "language")
SHEET = f"""
SELECT {", ".join(f"sheet.{one}" for one in _SHEET)},
  {", ".join(f'item."{one}"' for one in _ITEM)}, phrase.text
FROM annotation_sheet sheet
JOIN annotation_item item ON item.id = sheet.item_id
JOIN annotation_phrase phrase ON phrase.id = item.phrase_id
WHERE sheet.id = %s
"""  # noqa: S608 constants
CACHE_SIZE = 512


class TextRow(NamedTuple):
    """A substitution of the sheet with one of the annotator's answers, if they have any."""

    id: int
    key: UUID
    text: str
    own_sentence: str | None
    own_start: int | None
    own_end: int | None
    scale: int | None
    value: float | None
    reason: str
    comment: str
    version: int
    recorded_at: Any
    slot: str | None

    def context(self, item: Item) -> tuple[str, str]:
        """As `Substitution.context`."""
        if self.own_sentence is None:
            return item.before, item.after
        return around(self.own_sentence, self.own_start, self.own_end)


_TEXT = {
    "id": "substitution.id",
    "key": "substitution.key",
    "text": "substitution.text",
    "own_sentence": "substitution.own_sentence",
    "own_start": "substitution.own_start",
    "own_end": "substitution.own_end",
    "scale": "judgment.scale_id",
    "value": "judgment.value",
    "reason": "judgment.reason",
    "comment": "judgment.comment",
    "version": "judgment.version",
    "recorded_at": "judgment.recorded_at",
    "slot": """(SELECT slot.state FROM annotation_slot slot
        WHERE slot.sheet_id = entry.sheet_id AND slot.annotator_id = %s)""",
}
_TEXT_FROM = """
FROM annotation_sheetentry entry
JOIN annotation_substitution substitution ON substitution.id = entry.substitution_id
LEFT JOIN annotation_judgment judgment
  ON judgment.annotator_id = %s AND judgment.substitution_id = substitution.id
  AND judgment.occasion = %s AND judgment.kind = 'rating'
WHERE entry.sheet_id = %s ORDER BY substitution.key
"""
TEXTS = select(_TEXT, TextRow, _TEXT_FROM)


def _rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [tuple(row) for row in cursor.fetchall()]


def scales_of(campaign_id: int) -> tuple[Scale, ...]:
    """Return the campaign's scales in their order with their points, to be read only."""
    return _scales(tuple(_rows(SCALES, campaign_id)))


@lru_cache(maxsize=CACHE_SIZE)
def _scales(rows: tuple[tuple[Any, ...], ...]) -> tuple[Scale, ...]:
    scales: dict[int, Scale] = {}
    points: dict[int, list[ScalePoint]] = {}
    for row in rows:
        named = dict(zip(_SCALE, row, strict=False))
        if named["id"] not in scales:
            named["key"] = _uuid(named["key"])
            scales[named["id"]] = Scale(**named)
            points[named["id"]] = []
        point = dict(zip(_POINT, row[len(_SCALE) :], strict=True))
        if point["id"] is not None:
            points[named["id"]].append(ScalePoint(scale_id=named["id"], **point))
    for pk, scale in scales.items():
        _prefetched(scale, points[pk])
    return tuple(scales.values())


def _prefetched(scale: Scale, points: list[ScalePoint]) -> None:
    """As `prefetch_related` leaves it: `scale.points.all()` asks nothing."""
    queryset = scale.points.all()
    queryset._result_cache = points
    queryset._prefetch_done = True  # type: ignore[attr-defined]
    scale._prefetched_objects_cache = {"points": queryset}  # type: ignore[attr-defined]


def sheet_with(pk: int) -> Sheet:
    """Return the sheet with its item and phrase."""
    [row] = _rows(SHEET, pk)
    sheet = dict(zip(_SHEET, row, strict=False))
    sheet["key"] = _uuid(sheet["key"])
    item = dict(zip(_ITEM, row[len(_SHEET) :], strict=False))
    return Sheet(**sheet, item=Item(**item, phrase=Phrase(text=row[-1])))


def texts_of(*, annotator: Annotator, sheet: Sheet) -> list[TextRow]:
    """Return the sheet's substitutions in the order of their random keys, which reveals nothing,
    each once for every answer of the annotator's, or once without one."""
    rows = _rows(TEXTS, annotator.pk, annotator.pk, sheet.occasion, sheet.pk)
    return [
        one._replace(key=_uuid(one.key), recorded_at=clock.read_time(one.recorded_at))
        for one in map(TextRow._make, rows)
    ]


def _uuid(key: Any) -> UUID:
    return key if isinstance(key, UUID) else UUID(str(key))
