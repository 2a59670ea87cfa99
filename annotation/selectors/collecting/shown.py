"""The rows that a sheet on the screen is made of, in a statement for each kind.

Nothing is kept between requests but what rows of scales have been made into, by those very rows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from annotation.models import Annotator, Item, Phrase, Scale, ScalePoint, Sheet
from annotation.models.campaigns.substitution import around
from annotation.selectors.collecting.whole import select
from paraanno import clock

_SCALE = ("id", "key", "name", "question", "level", "minimum", "maximum", "step", "required",
          "position")  # fmt: skip
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
KEPT = 512


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


@lru_cache(maxsize=KEPT)
def _scales(rows: tuple[tuple[Any, ...], ...]) -> tuple[Scale, ...]:
    found: dict[int, Scale] = {}
    points: dict[int, list[ScalePoint]] = {}
    for row in rows:
        named = dict(zip(_SCALE, row, strict=False))
        if named["id"] not in found:
            named["key"] = _uuid(named["key"])
            found[named["id"]] = Scale(**named)
            points[named["id"]] = []
        point = dict(zip(_POINT, row[len(_SCALE) :], strict=True))
        if point["id"] is not None:
            points[named["id"]].append(ScalePoint(scale_id=named["id"], **point))
    for pk, scale in found.items():
        _prefetched(scale, points[pk])
    return tuple(found.values())


def _prefetched(scale: Scale, points: list[ScalePoint]) -> None:
    """As `prefetch_related` leaves it: `scale.points.all()` asks nothing."""
    known = scale.points.all()
    known._result_cache = points
    known._prefetch_done = True  # type: ignore[attr-defined]
    scale._prefetched_objects_cache = {"points": known}  # type: ignore[attr-defined]


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
