"""Saving a whole sheet: its rows, by one statement on PostgreSQL and a few on SQLite, and, below,
the ordinary way through the services of single saves.

What is written must be what was read: where a count differs, `NeedsSlowPath` is raised and the
caller's transaction rolls back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.utils.translation import gettext as _

from annotation.collecting.save_queries import LockedSheet, OwnQuestion, stored
from annotation.collecting.saving import Answer, Saved, judgment_save, sheet_in, slot_for_change
from annotation.collecting.submitting import submit, submitted
from annotation.database import short_write
from annotation.errors import Conflict, DomainError, Invalid
from annotation.models import Annotator, Judgment, Sheet, Slot, SlotEvent
from annotation.sheets import sql
from paraanno import clock


class NeedsSlowPath(Exception):
    """The request is not the plain case: the services decide."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer of a request, with the version that it replaces and its own UUID."""

    request_id: UUID
    substitution: UUID
    scale: UUID
    base_version: int
    answer: Answer


class AnswerChange(NamedTuple):
    """An answer, the question that it answers, and the status that its judgment gets."""

    row: OwnQuestion
    given: GivenAnswer
    status: str

    @property
    def base(self) -> int:
        return self.given.base_version


@dataclass(frozen=True, slots=True)
class Writing:
    """What to write. `earlier` are judgments that count from now on, as they are; `lease` is the
    slot's new expiry, None to leave it."""

    sheet: LockedSheet
    changes: list[AnswerChange]
    earlier: list[int]
    done: bool
    lease: datetime | None
    now: datetime


DRAFT = str(Judgment.Status.DRAFT.value)
DONE = str(SlotEvent.Kind.DONE.value)

# A version's row says `draft`: at its time the sheet was not handed in. Rows come in the order of
# the answers, as single saves leave them.
_POSTGRESQL = """
WITH given AS (
  SELECT * FROM unnest(
    %s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::float8[], %s::text[], %s::text[],
    %s::text[], %s::uuid[]
  ) WITH ORDINALITY
    AS one (judgment, substitution, scale, base, value, reason, comment, status, request, ordinal)
), sheet AS (
  SELECT %s::bigint AS campaign, %s::bigint AS annotator, %s::smallint AS occasion,
    %s::bigint AS slot, %s::bigint AS guideline, %s::timestamptz AS at, %s::boolean AS done,
    %s::timestamptz AS lease, %s::bigint[] AS earlier
), fresh AS (
  INSERT INTO annotation_judgment (campaign_id, annotator_id, substitution_id, scale_id, occasion,
    kind, value, reason, comment, status, version, slot_id, guideline_id, recorded_at)
  SELECT sheet.campaign, sheet.annotator, given.substitution, given.scale, sheet.occasion,
    'rating', given.value, given.reason, given.comment, given.status, 1, sheet.slot,
    sheet.guideline, sheet.at
  FROM given, sheet WHERE given.judgment IS NULL ORDER BY given.ordinal
  RETURNING id, substitution_id, scale_id
), changed AS (
  UPDATE annotation_judgment judgment SET value = given.value, reason = given.reason,
    comment = given.comment, status = given.status, version = given.base + 1,
    slot_id = sheet.slot, guideline_id = sheet.guideline, by_program = FALSE,
    recorded_at = sheet.at
  FROM given, sheet WHERE judgment.id = given.judgment AND judgment.version = given.base
  RETURNING judgment.id, judgment.substitution_id, judgment.scale_id
), history AS (
  INSERT INTO annotation_judgmentversion (judgment_id, version, value, reason, comment, status,
    guideline_id, request_id, recorded_at)
  SELECT saved.id, given.base + 1, given.value, given.reason, given.comment, 'draft',
    sheet.guideline, given.request, sheet.at
  FROM (SELECT * FROM fresh UNION ALL SELECT * FROM changed) saved
  JOIN given ON given.substitution = saved.substitution_id AND given.scale = saved.scale_id, sheet
  ORDER BY given.ordinal
  RETURNING 1
), counted AS (
  UPDATE annotation_judgment judgment SET status = 'counted', slot_id = sheet.slot
  FROM sheet WHERE judgment.id = ANY (sheet.earlier)
  RETURNING 1
), moved AS (
  UPDATE annotation_slot slot SET state = CASE WHEN sheet.done THEN 'done' ELSE slot.state END,
    done_at = CASE WHEN sheet.done THEN sheet.at END,
    lease_expires_at = CASE WHEN sheet.done THEN NULL ELSE sheet.lease END
  FROM sheet
  WHERE slot.id = sheet.slot AND slot.state = 'claimed' AND (sheet.done OR sheet.lease IS NOT NULL)
  RETURNING 1
), note AS (
  INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
  SELECT sheet.slot, sheet.annotator, 'done', sheet.at FROM sheet WHERE sheet.done
  RETURNING 1
)
SELECT (SELECT count(*) FROM history), (SELECT count(*) FROM counted),
  (SELECT count(*) FROM moved), (SELECT count(*) FROM note)
"""

_JUDGMENT = """
INSERT INTO annotation_judgment (campaign_id, annotator_id, substitution_id, scale_id, occasion,
  kind, value, reason, comment, status, version, slot_id, guideline_id, recorded_at)
VALUES {rows} RETURNING id, substitution_id, scale_id
"""
_CHANGED = """
UPDATE annotation_judgment SET value = %s, reason = %s, comment = %s, status = %s, version = %s,
  slot_id = %s, guideline_id = %s, by_program = FALSE, recorded_at = %s
WHERE id = %s AND version = %s
"""
_VERSION = """
INSERT INTO annotation_judgmentversion (judgment_id, version, value, reason, comment, status,
  guideline_id, request_id, recorded_at) VALUES {rows}
"""
_COUNTED = "UPDATE annotation_judgment SET status = 'counted', slot_id = %s WHERE id IN ({marks})"
_SUBMITTED = """
UPDATE annotation_slot SET state = 'done', done_at = %s, lease_expires_at = NULL
WHERE id = %s AND state = 'claimed'
"""
_RENEWED = "UPDATE annotation_slot SET lease_expires_at = %s WHERE id = %s AND state = 'claimed'"
_NOTE = "INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at) VALUES (%s, %s, %s, %s)"


def write(what: Writing) -> None:
    """Write all of it inside the caller's transaction. Raises NeedsSlowPath where a row is not as
    it was read, and IntegrityError."""
    if connection.vendor == "postgresql":
        _write_postgresql(what)
    else:
        _write_sqlite(what)


def _write_postgresql(what: Writing) -> None:
    sheet, given = what.sheet, [one.given for one in what.changes]
    arrays: list[list[Any]] = [
        [one.row.judgment for one in what.changes],
        [one.row.substitution for one in what.changes],
        [one.row.scale for one in what.changes],
        [one.base_version for one in given],
        [one.answer.value for one in given],
        [one.answer.reason for one in given],
        [one.answer.comment for one in given],
        [one.status for one in what.changes],
        [one.request_id for one in given],
    ]
    others = [
        sheet.campaign,
        sheet.annotator,
        sheet.occasion,
        sheet.slot,
        sheet.guideline,
        what.now,
        what.done,
        what.lease,
        what.earlier,
    ]
    with connection.cursor() as cursor:
        cursor.execute(_POSTGRESQL, [*arrays, *others])
        counts = cursor.fetchone()
    moved = what.done or what.lease is not None
    if counts != (len(what.changes), len(what.earlier), int(moved), int(what.done)):
        raise NeedsSlowPath


def _write_sqlite(what: Writing) -> None:
    at, sheet = clock.stored_time(what.now), what.sheet
    with connection.cursor() as cursor:
        _judgments(cursor, what, at)
        if what.earlier:
            marks = ", ".join(["%s"] * len(what.earlier))
            cursor.execute(_COUNTED.format(marks=marks), [sheet.slot, *what.earlier])
        if what.done:
            cursor.execute(_SUBMITTED, [at, sheet.slot])
        elif what.lease is not None:
            cursor.execute(_RENEWED, [clock.stored_time(what.lease), sheet.slot])
        if (what.done or what.lease is not None) and cursor.rowcount != 1:
            raise NeedsSlowPath
        if what.done:
            cursor.execute(_NOTE, [sheet.slot, sheet.annotator, DONE, at])


def _judgments(cursor: Any, what: Writing, at: Any) -> None:
    sheet = what.sheet
    ids: dict[tuple[int, int], int] = {}
    fresh: list[Any] = []
    for row, given, status in what.changes:
        answer = given.answer
        if row.judgment is None:
            fresh += [
                sheet.campaign,
                sheet.annotator,
                row.substitution,
                row.scale,
                sheet.occasion,
                "rating",
                answer.value,
                answer.reason,
                answer.comment,
                status,
                1,
                sheet.slot,
                sheet.guideline,
                at,
            ]
            continue
        ids[row.substitution, row.scale] = row.judgment
        cursor.execute(
            _CHANGED,
            [
                answer.value,
                answer.reason,
                answer.comment,
                status,
                given.base_version + 1,
                sheet.slot,
                sheet.guideline,
                at,
                row.judgment,
                given.base_version,
            ],
        )
        if cursor.rowcount != 1:
            raise NeedsSlowPath
    if fresh:
        cursor.execute(_JUDGMENT.format(rows=_marks(fresh, 14)), fresh)
        # RETURNING promises no order.
        ids |= {(substitution, scale): pk for pk, substitution, scale in cursor.fetchall()}
    versions: list[Any] = []
    for row, given, _status in what.changes:
        answer = given.answer
        versions += [
            ids[row.substitution, row.scale],
            given.base_version + 1,
            answer.value,
            answer.reason,
            answer.comment,
            DRAFT,
            sheet.guideline,
            stored(given.request_id),
            at,
        ]
    if versions:
        cursor.execute(_VERSION.format(rows=_marks(versions, 9)), versions)


def _marks(values: list[Any], width: int) -> str:
    one = f"({', '.join(['%s'] * width)})"
    return ", ".join([one] * (len(values) // width))


# Saving a whole sheet by one request (PUT), the ordinary way: answers and handing in.
#
# All in one transaction, through the services of single saves. The fast way for the plain case is
# `fast_save.py`.


MOST_ANSWERS = 500


@dataclass(frozen=True, slots=True)
class SheetSaved:
    """What a request left: for each answer, in the order sent, what is stored or why it is not.

    `state` is the sheet's state as its annotator may know it, claimed or done. `refusal` says why
    the sheet was not handed in although every answer stands.
    """

    answers: tuple[Saved | DomainError, ...]
    state: str
    refusal: DomainError | None = None


def sheet_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    answers: Sequence[GivenAnswer],
    done: bool,
    by_program: bool = False,
    now: datetime | None = None,
) -> SheetSaved:
    """Store the answers, each under the contract of `judgment_save`, and with `done` hand in.

    An answer that is refused holds back neither the others nor their transaction, but the handing
    in. Repeating the request changes nothing. Raises NotFound if the sheet never was this
    annotator's, and Invalid for more than MOST_ANSWERS answers.
    """
    if len(answers) > MOST_ANSWERS:
        raise Invalid(_("At most %(most)s answers in one request.") % {"most": MOST_ANSWERS})
    now = now or clock.now()
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        # First: the services below would otherwise lock the slot before the campaign.
        slot_for_change(annotator, sheet)
        stored = tuple(_save(annotator, sheet, one, by_program, now) for one in answers)
        state, finished, refusal = "claimed", False, None
        if done and all(isinstance(one, Saved) for one in stored):
            try:
                state, finished = submit(annotator=annotator, sheet=sheet, now=now)
            except Conflict as error:  # It refuses before it writes.
                refusal = error
        else:
            slot = sql.own_slot(annotator, sheet)
            state = slot.state if slot is not None else "claimed"
    if finished:
        submitted(annotator=annotator, sheet=sheet, now=now)
    handed_in = done and refusal is None and state == "surplus"
    shown = "done" if handed_in or state == Slot.State.DONE else "claimed"
    return SheetSaved(stored, shown, refusal)


def _save(
    annotator: Annotator, sheet: Sheet, one: GivenAnswer, by_program: bool, now: datetime
) -> Saved | DomainError:
    try:
        return judgment_save(
            annotator=annotator,
            sheet_key=sheet.key,
            substitution_key=one.substitution,
            scale_key=one.scale,
            answer=one.answer,
            request_id=one.request_id,
            base_version=one.base_version,
            by_program=by_program,
            now=now,
        )
    except DomainError as error:
        return error


def after_submit(*, annotator: Annotator, sheet_key: UUID) -> None:
    """Do what follows a sheet that `fast_save` handed in; see `submitted`."""
    submitted(annotator=annotator, sheet=sheet_in(annotator, sheet_key), now=clock.now())
