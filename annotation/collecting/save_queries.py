"""What a whole save needs to know, in two statements: who and where, with locks; and the questions.

Every statement's columns are made from the names of the tuple that its rows become, so that no two
can change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from annotation.models import Annotator, Campaign, Sheet, Slot
from annotation.sheets.sql import select
from paraanno import clock


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, or a reason for having none, or neither (cleared)."""

    value: float | None = None
    reason: str = ""
    comment: str = ""

    @property
    def given(self) -> bool:
        return self.value is not None or self.reason != ""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer of a request, with the version that it replaces and its own UUID."""

    request_id: UUID
    substitution: UUID
    scale: UUID
    base_version: int
    answer: Answer

    @property
    def question(self) -> tuple[UUID, UUID]:
        return self.substitution, self.scale

    def follows(self, other: GivenAnswer) -> bool:
        """Whether what becomes of this one depends on what became of the other."""
        return self.question == other.question or self.request_id == other.request_id


@dataclass(slots=True)
class Assignment:
    """A sheet of an annotator with their slot, locked: what a save starts from and changes.

    `models` are there if everything that decides whether an answer counts is locked, and not the
    slot alone. `now` is the time of the save, None to take the database's.
    """

    campaign: int
    annotator: int
    sheet: int
    occasion: int
    slot: int | None
    state: str
    lease: datetime | None
    lease_minutes: int
    status: str
    models: tuple[Annotator, Sheet, Slot | None] | None = None
    by_program: bool = False
    guideline: int | None = None
    now: datetime | None = None


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
    followed: bool

    def assignment(self) -> Assignment:
        """What a save starts from."""
        return Assignment(
            campaign=self.campaign,
            annotator=self.annotator,
            sheet=self.sheet,
            occasion=self.occasion,
            slot=self.slot,
            state=self.state,
            lease=self.lease,
            lease_minutes=self.lease_minutes,
            status=self.status,
        )


class OwnQuestion(NamedTuple):
    """One scale of one substitution of the sheet, with the annotator's stored answer, if any."""

    substitution: int
    substitution_key: UUID
    scale: int
    scale_key: UUID
    scale_name: str
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
    recorded_at: datetime | None
    guideline: int | None
    clock: datetime | None

    @property
    def answer(self) -> Answer:
        return Answer(self.value, self.reason or "", self.comment or "")


class CarriedOut(NamedTuple):
    """A version that a request stored, and its question."""

    request: UUID
    substitution_key: UUID
    scale_key: UUID
    version: int
    value: float | None
    reason: str
    comment: str
    status: str
    recorded_at: datetime

    @property
    def question(self) -> tuple[UUID, UUID]:
        return self.substitution_key, self.scale_key

    @property
    def answer(self) -> Answer:
        return Answer(self.value, self.reason, self.comment)


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
    "scale_name": "scale.name",
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
    "recorded_at": "judgment.recorded_at",
    "guideline": """(
        SELECT guideline.id FROM annotation_guideline guideline
        WHERE guideline.campaign_id = %s ORDER BY guideline.version DESC LIMIT 1)""",
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
    "status": "version.status",
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


def questions(of: Assignment) -> list[OwnQuestion]:
    """Return every question of the sheet with its stored answer.

    A statement of its own: it sees what was committed while the locks were waited for. `clock` is
    the database's time on PostgreSQL.
    """
    at = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            _QUESTION_SQL.replace("{clock}", at),
            [of.campaign, of.campaign, of.annotator, of.occasion, of.sheet],
        )
        rows = cursor.fetchall()
    if connection.features.has_native_uuid_field:
        return [OwnQuestion._make(row) for row in rows]
    return [
        one._replace(
            substitution_key=UUID(str(one.substitution_key)),
            scale_key=UUID(str(one.scale_key)),
            recorded_at=clock.read_time(one.recorded_at),
        )
        for one in map(OwnQuestion._make, rows)
    ]


def carried_out(of: Assignment, ids: Sequence[UUID | None]) -> dict[UUID, CarriedOut]:
    """Return what those of the requests stored that were carried out before, on this sheet, for
    this annotator. A program may save without an id."""
    requests = [one for one in ids if one is not None]
    if not requests:
        return {}
    where = [of.annotator, of.occasion, of.sheet]
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


def stored(key: UUID | None) -> UUID | str | None:
    """Return the UUID as the database stores it; None as it is."""
    return key if key is None or connection.features.has_native_uuid_field else key.hex
