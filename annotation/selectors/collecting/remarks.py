"""Flags and comments of annotators, and skipped sheets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from annotation.models import Annotator, Campaign, Remark, Sheet, Skip

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
    said = Q(flagged=True) | ~Q(text="")
    return (
        Remark.objects.filter(on_sheet | on_text, said, campaign=campaign)
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


def remarks_since(*, campaign: Campaign, since: datetime) -> tuple[int, datetime | None]:
    """How many remarks were made since a time, and when the newest was; one query."""
    said = Remark.objects.filter(Q(flagged=True) | ~Q(text=""), campaign=campaign, at__gte=since)
    found = said.order_by().aggregate(n=Count("pk"), newest=Max("at"))
    return found["n"], found["newest"]
