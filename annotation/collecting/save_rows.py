"""What a save writes: its rows, by one statement on PostgreSQL and a few on SQLite.

What is written must be what was read: where a count differs, `IntegrityError` is raised and the
caller's transaction rolls back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, connection

from annotation.collecting.save_queries import Assignment, GivenAnswer, OwnQuestion, stored
from annotation.models import SlotEvent
from paraanno import clock


class AnswerChange(NamedTuple):
    """An answer, the question that it answers, and its status until the sheet is handed in."""

    row: OwnQuestion
    given: GivenAnswer
    status: str

    def judgment_status(self, *, done: bool) -> str:
        """The status of the judgment; its version keeps that of its time."""
        return COUNTED if done and self.given.answer.given else self.status


@dataclass(frozen=True, slots=True)
class Writing:
    """What to write. `earlier` are judgments that count from now on, as they are; `lease` is the
    slot's new expiry, None to leave it."""

    sheet: Assignment
    changes: list[AnswerChange]
    earlier: list[int]
    done: bool
    lease: datetime | None
    now: datetime


COUNTED = "counted"
DONE = str(SlotEvent.Kind.DONE.value)

# A version's row has the status of its time, before the sheet was handed in. Rows come in the order
# of the answers, as single saves leave them.
_POSTGRESQL = """
WITH given AS (
  SELECT * FROM unnest(
    %s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::float8[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::uuid[]
  ) WITH ORDINALITY AS one
    (judgment, substitution, scale, base, value, reason, comment, status, version_status, request,
     ordinal)
), sheet AS (
  SELECT %s::bigint AS campaign, %s::bigint AS annotator, %s::smallint AS occasion,
    %s::bigint AS slot, %s::bigint AS guideline, %s::boolean AS by_program,
    %s::timestamptz AS at, %s::boolean AS done, %s::timestamptz AS lease, %s::bigint[] AS earlier
), fresh AS (
  INSERT INTO annotation_judgment (campaign_id, annotator_id, substitution_id, scale_id, occasion,
    kind, value, reason, comment, status, version, slot_id, guideline_id, by_program, recorded_at)
  SELECT sheet.campaign, sheet.annotator, given.substitution, given.scale, sheet.occasion,
    'rating', given.value, given.reason, given.comment, given.status, 1, sheet.slot,
    sheet.guideline, sheet.by_program, sheet.at
  FROM given, sheet WHERE given.judgment IS NULL ORDER BY given.ordinal
  RETURNING id, substitution_id, scale_id
), changed AS (
  UPDATE annotation_judgment judgment SET value = given.value, reason = given.reason,
    comment = given.comment, status = given.status, version = given.base + 1,
    slot_id = sheet.slot, guideline_id = sheet.guideline, by_program = sheet.by_program,
    recorded_at = sheet.at
  FROM given, sheet WHERE judgment.id = given.judgment AND judgment.version = given.base
  RETURNING judgment.id, judgment.substitution_id, judgment.scale_id
), history AS (
  INSERT INTO annotation_judgmentversion (judgment_id, version, value, reason, comment, status,
    guideline_id, request_id, recorded_at)
  SELECT saved.id, given.base + 1, given.value, given.reason, given.comment, given.version_status,
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
  kind, value, reason, comment, status, version, slot_id, guideline_id, by_program, recorded_at)
VALUES {rows} RETURNING id, substitution_id, scale_id
"""
_CHANGED = """
UPDATE annotation_judgment SET value = %s, reason = %s, comment = %s, status = %s, version = %s,
  slot_id = %s, guideline_id = %s, by_program = %s, recorded_at = %s
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
    """Write all of it inside the caller's transaction. Raises IntegrityError, also where a row is
    not as it was read."""
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
        [one.judgment_status(done=what.done) for one in what.changes],
        [one.status for one in what.changes],
        [one.request_id for one in given],
    ]
    others = [
        sheet.campaign,
        sheet.annotator,
        sheet.occasion,
        sheet.slot,
        sheet.guideline,
        sheet.by_program,
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
        raise IntegrityError("a row is not as it was read")


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
            raise IntegrityError("a row is not as it was read")
        if what.done:
            cursor.execute(_NOTE, [sheet.slot, sheet.annotator, DONE, at])


def _judgments(cursor: Any, what: Writing, at: Any) -> None:
    sheet = what.sheet
    ids: dict[tuple[int, int], int] = {}
    fresh: list[Any] = []
    for one in what.changes:
        row, given, status = one.row, one.given, one.judgment_status(done=what.done)
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
                sheet.by_program,
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
                sheet.by_program,
                at,
                row.judgment,
                given.base_version,
            ],
        )
        if cursor.rowcount != 1:
            raise IntegrityError("a row is not as it was read")
    if fresh:
        cursor.execute(_JUDGMENT.format(rows=_marks(fresh, 15)), fresh)
        # RETURNING promises no order.
        ids |= {(substitution, scale): pk for pk, substitution, scale in cursor.fetchall()}
    versions: list[Any] = []
    for row, given, status in what.changes:
        answer = given.answer
        versions += [
            ids[row.substitution, row.scale],
            given.base_version + 1,
            answer.value,
            answer.reason,
            answer.comment,
            status,
            sheet.guideline,
            stored(given.request_id),
            at,
        ]
    if versions:
        cursor.execute(_VERSION.format(rows=_marks(versions, 9)), versions)


def _marks(values: list[Any], width: int) -> str:
    one = f"({', '.join(['%s'] * width)})"
    return ", ".join([one] * (len(values) // width))
