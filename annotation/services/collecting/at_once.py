"""Saving a whole sheet by one request (PUT), the fast way: few statements, none composed anew.

The plain case is an annotator's own claimed slot, answers whose versions fit and whose values are
on their scales, and for handing in an open campaign and no answer missing. A repeated request,
whose sheet may be done by now, is answered from its UUIDs by one statement. At anything else,
nothing is written and `Unusual` is raised: `services/sheet_saving.py`, the ordinary way, then
decides. The rows are those that single saves and a submission leave.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError

from annotation.models import Annotator, Campaign, Judgment, Slot
from annotation.models.campaigns.scale import on_scale
from annotation.selectors.collecting.whole import (
    HeldSheet,
    OwnQuestion,
    annotator_in,
    carried_out,
    held,
    questions,
)
from annotation.selectors.people.sessions import login_in, stands
from annotation.services.collecting.next_at_once import next_at_once
from annotation.services.collecting.saving import COMMENT_LENGTH, REASON_LENGTH, Answer
from annotation.services.collecting.written import (
    AnswerChange,
    GivenAnswer,
    Unusual,
    Writing,
    write,
)
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.sight.counted import answers_saved


class StoredVersion(NamedTuple):
    """The version that a request stored; `repeated` if it was carried out before."""

    version: int
    recorded_at: datetime
    repeated: bool


@dataclass(frozen=True, slots=True)
class AtOnce:
    """What is stored, in the order of the answers, and whether the sheet is done.

    `watched` says that quality rules may have something to do after the sheet. `following` is the
    annotator and the id of the next sheet where one was claimed with it.
    """

    answers: tuple[StoredVersion, ...]
    done: bool
    watched: bool
    following: tuple[Annotator, int] | None


def save_at_once(
    *,
    session: str,
    annotator: UUID,
    sheet: UUID,
    answers: Sequence[GivenAnswer],
    done: bool,
    admit: Callable[[int], bool],
    beside: Collection[UUID] | None = None,
) -> AtOnce:
    """Store the answers of the session's user, and with `done` hand the sheet in.

    With `done`, `beside` asks for the next sheet but these, which is claimed in the same
    transaction if that is plain, too.

    `admit` is asked with the user's id whether their requests are within the limit. Raises Unusual,
    having stored nothing, if anything is not plain.
    """
    try:
        with short_write():
            found = held(session=session, annotator=annotator, sheet=sheet, submitting=done)
            if found is None or not _may(found) or not admit(found.user):
                raise Unusual
            if found.state == Slot.State.DONE:
                stored, new, now = _repeated(found, answers), 0, None
            elif found.state == Slot.State.CLAIMED:
                stored, new, now = _store(found, answers, done=done)
            else:
                raise Unusual
            following = None
            if done and beside is not None and not found.watched:
                person = annotator_in(found, annotator)
                at = now or clock.now()
                claimed = next_at_once(annotator=person, beside={sheet, *beside}, now=at)
                following = None if claimed is None else (person, claimed)
    except IntegrityError as error:
        # Another request stored the same place, or has the UUID.
        raise Unusual from error
    answers_saved(new)
    was_done = found.state == Slot.State.DONE
    return AtOnce(stored, done or was_done, found.watched and not was_done, following)


def _store(
    found: HeldSheet, answers: Sequence[GivenAnswer], *, done: bool
) -> tuple[tuple[StoredVersion, ...], int, datetime]:
    """Store what is new among the answers; return all, the number of new ones, and the time."""
    if done and found.status != Campaign.Status.OPEN:
        raise Unusual
    rows = questions(found)
    if not rows:
        raise Unusual
    now = rows[0].clock or clock.now()
    changes, again = _changes(answers, rows, done=done)
    before = dict(zip((one.request_id for one in again), _repeated(found, again), strict=True))
    if changes or done:
        write(_writing(found, rows, changes, done=done, now=now))
    stored = tuple(
        before.get(one.request_id) or StoredVersion(one.base_version + 1, now, repeated=False)
        for one in answers
    )
    return stored, len(changes), now


def _repeated(found: HeldSheet, answers: Sequence[GivenAnswer]) -> tuple[StoredVersion, ...]:
    """Return what these requests stored when they came first; raise Unusual if one did not."""
    before = carried_out(found, [one.request_id for one in answers])
    stored = []
    for one in answers:
        row = before.get(one.request_id)
        if row is None or (row.substitution_key, row.scale_key) != (one.substitution, one.scale):
            raise Unusual
        if one.answer != Answer(row.value, row.reason, row.comment):
            raise Unusual
        stored.append(StoredVersion(row.version, row.recorded_at, repeated=True))
    return tuple(stored)


def _may(found: HeldSheet) -> bool:
    login = login_in(found.session)
    if login is None or not (found.member or found.everywhere):
        return False
    return stands(
        login, user_id=found.user, password=found.password, active=bool(found.active),
        administers=bool(found.everywhere or found.staff),
    )  # fmt: skip


def _changes(
    answers: Sequence[GivenAnswer], rows: list[OwnQuestion], *, done: bool
) -> tuple[list[AnswerChange], list[GivenAnswer]]:
    """Match every answer with its question; after that, nothing required may be missing.

    Return what is to be stored, and what may have been stored before: its version is there.
    """
    at = {(row.substitution_key, row.scale_key): row for row in rows}
    changes: list[AnswerChange] = []
    again: list[GivenAnswer] = []
    for one in answers:
        # Each place once: a second answer would have to follow the first one's version.
        row = at.pop((one.substitution, one.scale), None)
        if row is None:
            raise Unusual
        if one.base_version < (row.version or 0):
            again.append(one)
            continue
        if one.base_version != (row.version or 0):
            raise Unusual
        before = Answer(row.value, row.reason or "", row.comment or "")
        if one.answer == before or not _valid(one.answer, row):
            raise Unusual
        counts = done and one.answer.given
        status = Judgment.Status.COUNTED if counts else Judgment.Status.DRAFT
        changes.append(AnswerChange(row, one, str(status.value)))
    if done:
        given = {(one.row.substitution, one.row.scale): one.given.answer.given for one in changes}
        for row in rows:
            stored = row.value is not None or bool(row.reason)
            if row.required and not given.get((row.substitution, row.scale), stored):
                raise Unusual
    return changes, again


def _valid(answer: Answer, row: OwnQuestion) -> bool:
    if answer.value is not None:
        on = on_scale(answer.value, minimum=row.minimum, maximum=row.maximum, step=row.step)
        if answer.reason or not on:
            return False
    texts = answer.reason + answer.comment
    return (
        len(answer.reason) <= REASON_LENGTH
        and len(answer.comment) <= COMMENT_LENGTH
        and "\0" not in texts
    )


def _writing(
    found: HeldSheet,
    rows: list[OwnQuestion],
    changes: list[AnswerChange],
    *,
    done: bool,
    now: datetime,
) -> Writing:
    changed = {one.row.judgment for one in changes}
    earlier = [
        row.judgment
        for row in rows
        if done and row.judgment is not None and row.judgment not in changed
        and (row.value is not None or row.reason)
        and (row.status != Judgment.Status.COUNTED or row.slot != found.slot)
    ]  # fmt: skip
    whole = timedelta(minutes=found.lease_minutes)
    # As `slots.renew`: once half of the lease has passed.
    stale = found.lease is None or found.lease - now < whole / 2
    lease = now + whole if not done and changes and stale else None
    return Writing(found, changes, earlier, done=done, lease=lease, now=now)
