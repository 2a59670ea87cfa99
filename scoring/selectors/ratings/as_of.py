"""Ratings as of a past time, reconstructed from the append-only history.

Every save has a version, every submission an event, every exclusion a start and an end, every
threshold a date. What was excluded or void at that time counts as excluded, even if it was restored
since. Erasing a person does not change this: their code and values are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery

from annotation.models import (
    Campaign,
    Exclusion,
    Judgment,
    JudgmentVersion,
    Scale,
    SheetEntry,
    Slot,
    SlotEvent,
    ThresholdChange,
)
from scoring.selectors.ratings.choice import Choice

CHUNK = 20_000
VALUE = Q(value__isnull=False)
CANNOT = Q(value=None) & ~Q(reason="")  # "cannot judge"; neither is an answer that was cleared.
Answer = tuple[int, int, int, float]


def exclusions_at(rows: QuerySet[Exclusion], moment: datetime) -> QuerySet[Exclusion]:
    """The exclusions in force at that time."""
    return rows.filter(Q(ends_at=None) | Q(ends_at__gt=moment), starts_at__lte=moment)


def thresholds_at(scales: list[Scale], moment: datetime) -> None:
    """Set each scale, in memory, to the threshold that it had at that time; one query."""
    changes = ThresholdChange.objects.filter(scale__in=scales, changed_at__lte=moment)
    # Of several changes of a scale the last one stands.
    found = dict(changes.order_by("pk").values_list("scale_id", "threshold"))
    for one in scales:
        one.threshold = found.get(one.pk)


def with_value(row: tuple[int, int, int, float | None]) -> Answer:
    """(annotator, substitution, scale, value), NaN for no value."""
    annotator, text, scale, value = row
    return annotator, text, scale, math.nan if value is None else value


def answers_at(
    *, campaign: Campaign, choice: Choice, moment: datetime, given: Q = VALUE
) -> Iterator[Answer]:
    """(annotator, substitution, scale, value) of every judgment that counted at that time; three
    queries.

    A judgment counted if its newest version was `given` (a value, or "cannot judge") and its
    annotator had submitted the sheet without reopening it; imported judgments counted at once.
    """
    done, known = _submissions(campaign, moment)
    sheets: dict[tuple[int, int | None], int] = {
        (substitution, annotator): sheet
        for substitution, annotator, sheet in SheetEntry.objects.filter(
            sheet__item__campaign=campaign, occasion=choice.occasion
        )
        .values_list("substitution_id", "for_annotator_id", "sheet_id")
        .iterator(CHUNK)
    }
    newest = JudgmentVersion.objects.filter(
        judgment=OuterRef("judgment"), recorded_at__lte=moment
    ).order_by("-version")
    rows = JudgmentVersion.objects.filter(
        given,
        judgment__campaign=campaign,
        judgment__kind=Judgment.Kind.RATING,
        judgment__occasion=choice.occasion,
        recorded_at__lte=moment,
        pk=Subquery(newest.values("pk")[:1]),
    ).order_by()
    columns = ("annotator_id", "substitution_id", "scale_id")
    for annotator, text, scale, value, status in (
        choice.said(rows, "judgment__")
        .values_list(*(f"judgment__{name}" for name in columns), "value", "status")
        .iterator(CHUNK)
    ):
        sheet = sheets.get((text, None)) or sheets.get((text, annotator))
        place = (annotator, sheet)
        by_import = status == Judgment.Status.COUNTED and place not in known
        kept = choice.surplus and status == Judgment.Status.SURPLUS
        if place in done or by_import or kept:
            yield with_value((annotator, text, scale, value))


def _submissions(
    campaign: Campaign, moment: datetime
) -> tuple[set[tuple[int, int | None]], set[tuple[int, int | None]]]:
    """(annotator, sheet) submitted at that time, and all that had been claimed until then."""
    last: dict[tuple[int, int | None], str] = {}
    known: set[tuple[int, int | None]] = set()
    events = SlotEvent.objects.filter(
        slot__in=Slot.objects.filter(sheet__item__campaign=campaign),
        annotator__isnull=False,
        at__lte=moment,
    )
    for annotator, sheet, kind in (
        events.order_by("pk").values_list("annotator_id", "slot__sheet_id", "kind").iterator(CHUNK)
    ):
        place = (annotator, sheet)
        known.add(place)
        if kind in (SlotEvent.Kind.DONE, SlotEvent.Kind.REOPENED):
            last[place] = kind
    return {place for place, kind in last.items() if kind == SlotEvent.Kind.DONE}, known
