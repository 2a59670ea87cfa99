"""What a whole save needs to know, in two statements: who and where, with locks; and the questions.

Every statement's columns are made from the names of the tuple that its rows become, so that no two
can change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from annotation.models import Annotator, Campaign, Item, Phrase, Scale, ScalePoint, Sheet
from annotation.models.texts import around
from paraanno import clock


class LockedSheet(NamedTuple):
    """The session's account, the annotator, and their slot of the sheet, locked."""

    session: str
    user: int
    password: str
    active: bool
    everywhere: bool
    staff: bool
    member: bool
    annotator: int
    seed: int
    origin: str
    campaign: int
    slug: str
    status: str
    order: str
    language: str
    lease_minutes: int
    sheet: int
    occasion: int
    slot: int
    state: str
    lease: datetime | None
    guideline: int | None
    followed: bool


class OwnQuestion(NamedTuple):
    """One scale of one substitution of the sheet, with the annotator's stored answer, if any."""

    substitution: int
    substitution_key: UUID
    scale: int
    scale_key: UUID
    minimum: float
    maximum: float
    step: float
    required: bool
    judgment: int | None
    version: int | None
    value: float | None
    reason: str | None
    comment: str | None
    status: str | None
    slot: int | None
    clock: datetime | None


class CarriedOut(NamedTuple):
    """A version that a request stored, and its question."""

    request: UUID
    substitution_key: UUID
    scale_key: UUID
    version: int
    value: float | None
    reason: str
    comment: str
    recorded_at: datetime


_HELD = {
    "session": "session.session_data",
    "user": "account.id",
    "password": "account.password",
    "active": "account.is_active",
    "everywhere": "account.is_superuser",
    "staff": "account.is_staff",
    "member": """EXISTS (
        SELECT 1 FROM annotation_membership member
        WHERE member.campaign_id = voice.campaign_id AND member.user_id = voice.user_id
          AND member.role IN ('owner', 'researcher', 'annotator'))""",
    "annotator": "voice.id",
    "seed": "voice.seed",
    "origin": "voice.origin",
    "campaign": "campaign.id",
    "slug": "campaign.slug",
    "status": "campaign.status",
    "order": 'campaign."order"',
    "language": "campaign.language",
    "lease_minutes": "campaign.lease_minutes",
    "sheet": "sheet.id",
    "occasion": "sheet.occasion",
    "slot": "slot.id",
    "state": "slot.state",
    "lease": "slot.lease_expires_at",
    "guideline": """(
        SELECT guideline.id FROM annotation_guideline guideline
        WHERE guideline.campaign_id = campaign.id ORDER BY guideline.version DESC LIMIT 1)""",
    # Whether `submitted` has anything to do after the sheet.
    "followed": """(voice.origin = 'participant' OR
        EXISTS (SELECT 1 FROM annotation_qualityrule rule WHERE rule.campaign_id = campaign.id)
        OR EXISTS (SELECT 1 FROM annotation_qualityplan plan
                   WHERE plan.campaign_id = campaign.id AND plan.repeat_share > 0))""",
}
_HELD_FROM = """
FROM annotation_annotator voice
JOIN auth_user account ON account.id = voice.user_id
JOIN annotation_campaign campaign ON campaign.id = voice.campaign_id
  AND campaign.archived_at IS NULL
JOIN annotation_sheet sheet ON sheet.campaign_id = campaign.id
JOIN annotation_slot slot ON slot.sheet_id = sheet.id AND slot.annotator_id = voice.id
JOIN django_session session ON session.session_key = %s AND session.expire_date > {clock}
WHERE voice.key = %s AND sheet.key = %s
"""
# As `sql.lock_for_save` and then `sql.own_slot` lock, in their order; a draft needs the slot alone.
_LOCKS = {
    True: "FOR KEY SHARE OF campaign FOR NO KEY UPDATE OF voice, sheet FOR UPDATE OF slot",
    False: "FOR UPDATE OF slot",
}
_QUESTION = {
    "substitution": "substitution.id",
    "substitution_key": "substitution.key",
    "scale": "scale.id",
    "scale_key": "scale.key",
    "minimum": "scale.minimum",
    "maximum": "scale.maximum",
    "step": "scale.step",
    "required": "scale.required",
    "judgment": "judgment.id",
    "version": "judgment.version",
    "value": "judgment.value",
    "reason": "judgment.reason",
    "comment": "judgment.comment",
    "status": "judgment.status",
    "slot": "judgment.slot_id",
    "clock": "{clock}",
}
_QUESTION_FROM = """
FROM annotation_sheetentry entry
JOIN annotation_substitution substitution ON substitution.id = entry.substitution_id
JOIN annotation_scale scale ON scale.campaign_id = %s
LEFT JOIN annotation_judgment judgment
  ON judgment.annotator_id = %s AND judgment.substitution_id = substitution.id
  AND judgment.scale_id = scale.id AND judgment.occasion = %s AND judgment.kind = 'rating'
WHERE entry.sheet_id = %s
"""

_CARRIED_OUT = {
    "request": "version.request_id",
    "substitution_key": "substitution.key",
    "scale_key": "scale.key",
    "version": "version.version",
    "value": "version.value",
    "reason": "version.reason",
    "comment": "version.comment",
    "recorded_at": "version.recorded_at",
}
_CARRIED_OUT_FROM = """
FROM annotation_judgmentversion version
JOIN annotation_judgment judgment ON judgment.id = version.judgment_id
  AND judgment.annotator_id = %s AND judgment.occasion = %s AND judgment.kind = 'rating'
JOIN annotation_sheetentry entry ON entry.substitution_id = judgment.substitution_id
  AND entry.sheet_id = %s
JOIN annotation_substitution substitution ON substitution.id = judgment.substitution_id
JOIN annotation_scale scale ON scale.id = judgment.scale_id
WHERE version.request_id {among}
"""


def select(columns: dict[str, str], row: type[Any], rest: str) -> str:
    """Return the statement whose columns are the fields of the named tuple, in its order."""
    if tuple(columns) != row._fields:
        raise TypeError(f"the columns of {row.__name__} must be named in its order")
    named = ", ".join(f'{what} AS "{name}"' for name, what in columns.items())
    return f"SELECT {named} {rest}"


_HELD_SQL = select(_HELD, LockedSheet, _HELD_FROM)
_QUESTION_SQL = select(_QUESTION, OwnQuestion, _QUESTION_FROM)
_CARRIED_OUT_SQL = select(_CARRIED_OUT, CarriedOut, _CARRIED_OUT_FROM)


def slot_for_save(
    *, session: str, annotator: UUID, sheet: UUID, submitting: bool
) -> LockedSheet | None:
    """Return the session's account and the annotator's own slot of the sheet, locked; None if
    there is no such session or slot.

    Whether the session is this account's, and may act as the annotator, is for the caller to see.
    """
    if connection.vendor == "postgresql":
        statement = _HELD_SQL.replace("{clock}", "clock_timestamp()") + _LOCKS[submitting]
        now: list[Any] = []
    else:
        statement, now = _HELD_SQL.replace("{clock}", "%s"), [clock.stored_time(clock.now())]
    with connection.cursor() as cursor:
        cursor.execute(statement, [session, *now, stored(annotator), stored(sheet)])
        row = cursor.fetchone()
    if row is None:
        return None
    locked_sheet = LockedSheet._make(row)
    return locked_sheet._replace(lease=clock.read_time(locked_sheet.lease))


def annotator_in(locked_sheet: LockedSheet, key: UUID) -> Annotator:
    """Return the annotator and their campaign as models, with the columns that are known here."""
    campaign = Campaign(
        id=locked_sheet.campaign,
        slug=locked_sheet.slug,
        status=locked_sheet.status,
        order=locked_sheet.order,
        language=locked_sheet.language,
        lease_minutes=locked_sheet.lease_minutes,
    )
    return Annotator(
        id=locked_sheet.annotator,
        key=key,
        seed=locked_sheet.seed,
        origin=locked_sheet.origin,
        campaign=campaign,
        user_id=locked_sheet.user,
    )


def questions(locked_sheet: LockedSheet) -> list[OwnQuestion]:
    """Return every question of the sheet with its stored answer.

    A statement of its own: it sees what was committed while the locks were waited for. `clock` is
    the database's time on PostgreSQL.
    """
    at = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            _QUESTION_SQL.replace("{clock}", at),
            [
                locked_sheet.campaign,
                locked_sheet.annotator,
                locked_sheet.occasion,
                locked_sheet.sheet,
            ],
        )
        rows = cursor.fetchall()
    if connection.features.has_native_uuid_field:
        return [OwnQuestion._make(row) for row in rows]
    return [
        one._replace(
            substitution_key=UUID(str(one.substitution_key)), scale_key=UUID(str(one.scale_key))
        )
        for one in map(OwnQuestion._make, rows)
    ]


def carried_out(locked_sheet: LockedSheet, requests: Sequence[UUID]) -> dict[UUID, CarriedOut]:
    """Return what those of the requests stored that were carried out before, on this sheet, for
    this annotator."""
    if not requests:
        return {}
    where = [locked_sheet.annotator, locked_sheet.occasion, locked_sheet.sheet]
    given: list[Any]
    if connection.features.has_native_uuid_field:
        among, given = "= ANY (%s)", [list(requests)]
    else:
        among, given = f"IN ({', '.join(['%s'] * len(requests))})", [one.hex for one in requests]
    with connection.cursor() as cursor:
        cursor.execute(_CARRIED_OUT_SQL.replace("{among}", among), [*where, *given])
        rows = [CarriedOut._make(row) for row in cursor.fetchall()]
    if not connection.features.has_native_uuid_field:
        rows = [
            one._replace(
                request=UUID(str(one.request)),
                substitution_key=UUID(str(one.substitution_key)),
                scale_key=UUID(str(one.scale_key)),
                recorded_at=clock.read_time(one.recorded_at) or one.recorded_at,
            )
            for one in rows
        ]
    return {one.request: one for one in rows}


def stored(key: UUID) -> UUID | str:
    """Return the UUID as the database stores it."""
    return key if connection.features.has_native_uuid_field else key.hex


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
