"""Saving a whole sheet by one request (PUT), the fast way: few statements, none composed anew.

The plain case is an annotator's own claimed slot, answers whose versions fit and whose values are
on their scales, and for handing in an open campaign and no answer missing. A repeated request,
whose sheet may be done by now, is answered from its UUIDs by one statement. At anything else,
nothing is written and `NeedsSlowPath` is raised: `sheet_saving.py`, the ordinary way, then
decides. The rows are those that single saves and a submission leave.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection
from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import CSRFCheck
from rest_framework.renderers import JSONRenderer

from annotation.accounts import login
from annotation.accounts.login import login_in, stands
from annotation.collecting.api import admitted, described, next_sheet
from annotation.collecting.claiming import LAST_KEY
from annotation.collecting.save_queries import (
    LockedSheet,
    OwnQuestion,
    annotator_in,
    carried_out,
    questions,
    sheet_with,
    slot_for_save,
)
from annotation.collecting.saving import COMMENT_LENGTH, REASON_LENGTH, Answer
from annotation.collecting.sheet_saving import (
    MOST_ANSWERS,
    AnswerChange,
    GivenAnswer,
    NeedsSlowPath,
    Writing,
    after_submit,
    write,
)
from annotation.database import short_write
from annotation.models import Annotator, Campaign, Judgment, Slot, SlotEvent
from annotation.models.campaigns import on_scale
from annotation.people.annotators import PEOPLE, annotator_with
from annotation.sheets import slots, sql
from annotation.sheets.slots import starting_point
from paraanno import clock
from paraanno.observability.counted import answers_saved, sheet_claimed

# The next sheet in the transaction that hands one in, in the plain case.
#
# The plain case is a free slot of the pool, or an open sheet whose lease is fresh, where no step,
# repeat or shared sheet comes first. With fixed lists, for groups with a bound and in any other
# case, nothing is claimed, and `claim_next` decides after the transaction.


_TAKEN = """
UPDATE annotation_slot SET state = 'claimed', annotator_id = %s, claimed_at = %s,
  lease_expires_at = %s
WHERE id = %s
"""
_NOTE = "INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at) VALUES (%s, %s, %s, %s)"
# What PostgreSQL finds and takes in one statement. Slots that others are about to take are skipped.
_CLAIM = f"""
WITH claim AS (
  SELECT %s::bigint AS annotator, %s::timestamptz AS at, %s::timestamptz AS until
), free AS (
  {sql.FREE_SLOT_IDS} FOR UPDATE OF slot SKIP LOCKED
), taken AS (
  UPDATE annotation_slot slot SET state = 'claimed', annotator_id = claim.annotator,
    claimed_at = claim.at, lease_expires_at = claim.until
  FROM free, claim
  WHERE slot.id = free.id AND slot.state = 'free'
  RETURNING slot.id, slot.sheet_id
), note AS (
  INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
  SELECT taken.id, claim.annotator, 'claimed', claim.at FROM taken, claim
)
SELECT sheet_id FROM taken
"""  # noqa: S608 constants


def fast_claim(*, annotator: Annotator, beside: Collection[UUID], now: datetime) -> int | None:
    """Claim the annotator's next sheet inside the caller's transaction, which has locked them.

    Returns the sheet's id; None, with nothing written, if anything is not plain.
    """
    if annotator.campaign.status != Campaign.Status.OPEN:
        return None
    if annotator.origin == Annotator.Origin.PARTICIPANT:
        return None  # Their part may be over, which the slow path settles.
    state = sql.claim_state(annotator, locked=True)
    if state.excluded:
        return None
    if state.has_open:
        held = Slot.objects.filter(annotator_id=annotator.pk, state=Slot.State.CLAIMED)
        rows = held.order_by("claimed_at", "pk").values_list(
            "sheet__key", "sheet_id", "lease_expires_at"
        )
        for key, sheet, lease in rows:
            if key not in beside:
                whole = slots.lease(annotator.campaign, now) - now
                return sheet if lease is not None and 2 * (lease - now) >= whole else None
    if state.listed or state.group_bound:
        return None
    if state.stopped:
        return None  # Why, is for `claim_next` to say.
    steps = annotator.origin in PEOPLE and state.waiting.any_step
    if state.has_repeats or state.has_shared or steps:
        return None
    return _free(annotator, now)


def _free(annotator: Annotator, now: datetime) -> int | None:
    tier = sql.next_tier(campaign_id=annotator.campaign_id, above=-1)
    if tier is None:
        return None
    start = starting_point(campaign=annotator.campaign, seed=annotator.seed)
    claim = _claim_in_one if connection.vendor == "postgresql" else _claim
    for first, last in ((start, LAST_KEY), (0, start - 1)):
        sheet = claim(annotator, tier, first, last, now)
        if sheet is not None:
            sheet_claimed()
            return sheet
    return None


def _claim_in_one(
    annotator: Annotator, tier: int, first: int, last: int, now: datetime
) -> int | None:
    """Claim the first free slot with such a scan key; return its sheet's id."""
    until = slots.lease(annotator.campaign, now)
    where = annotator.campaign_id, tier, first, last, annotator.pk, annotator.pk
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [annotator.pk, now, until, *where])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _claim(annotator: Annotator, tier: int, first: int, last: int, now: datetime) -> int | None:
    """As `_claim_in_one`, in the statements that SQLite has for it."""
    ids = sql.free_slot_ids(annotator=annotator, tier=tier, first=first, last=last)
    if ids is None:
        return None
    slot, sheet = ids
    at = clock.stored_time(now)
    until = clock.stored_time(slots.lease(annotator.campaign, now))
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN, [annotator.pk, at, until, slot])
        cursor.execute(_NOTE, [slot, annotator.pk, str(SlotEvent.Kind.CLAIMED.value), at])
    return sheet


class StoredVersion(NamedTuple):
    """The version that a request stored; `repeated` if it was carried out before."""

    version: int
    recorded_at: datetime
    repeated: bool


@dataclass(frozen=True, slots=True)
class FastSaved:
    """What is stored, in the order of the answers, and whether the sheet is done.

    `followed` says that `submitted` may have something to do after the sheet. `following` is the
    annotator and the id of the next sheet where one was claimed with it.
    """

    answers: tuple[StoredVersion, ...]
    done: bool
    followed: bool
    following: tuple[Annotator, int] | None


def fast_save(
    *,
    session: str,
    annotator: UUID,
    sheet: UUID,
    answers: Sequence[GivenAnswer],
    done: bool,
    admit: Callable[[int], bool],
    beside: Collection[UUID] | None = None,
) -> FastSaved:
    """Store the answers of the session's user, and with `done` hand the sheet in.

    With `done`, `beside` asks for the next sheet but these, which is claimed in the same
    transaction if that is plain, too.

    `admit` says whether the requests of the user with this id are within the limit. Raises
    NeedsSlowPath, with nothing stored, if anything is not plain.
    """
    try:
        with short_write():
            locked_sheet = slot_for_save(
                session=session, annotator=annotator, sheet=sheet, submitting=done
            )
            if locked_sheet is None or not _may(locked_sheet) or not admit(locked_sheet.user):
                raise NeedsSlowPath
            if locked_sheet.state == Slot.State.DONE:
                stored, new, now = _repeated(locked_sheet, answers), 0, None
            elif locked_sheet.state == Slot.State.CLAIMED:
                stored, new, now = _store(locked_sheet, answers, done=done)
            else:
                raise NeedsSlowPath
            following = None
            if done and beside is not None and not locked_sheet.followed:
                person = annotator_in(locked_sheet, annotator)
                at = now or clock.now()
                claimed = fast_claim(annotator=person, beside={sheet, *beside}, now=at)
                following = None if claimed is None else (person, claimed)
    except IntegrityError as error:
        # Another request answered the same question, or has the UUID.
        raise NeedsSlowPath from error
    answers_saved(new)
    was_done = locked_sheet.state == Slot.State.DONE
    return FastSaved(stored, done or was_done, locked_sheet.followed and not was_done, following)


def _store(
    locked_sheet: LockedSheet, answers: Sequence[GivenAnswer], *, done: bool
) -> tuple[tuple[StoredVersion, ...], int, datetime]:
    """Store what is new among the answers; return all, the number of new ones, and the time."""
    if done and locked_sheet.status != Campaign.Status.OPEN:
        raise NeedsSlowPath
    rows = questions(locked_sheet)
    if not rows:
        raise NeedsSlowPath
    now = rows[0].clock or clock.now()
    changes, again = _changes(answers, rows, done=done)
    before = dict(
        zip((one.request_id for one in again), _repeated(locked_sheet, again), strict=True)
    )
    if changes or done:
        write(_writing(locked_sheet, rows, changes, done=done, now=now))
    stored = tuple(
        before.get(one.request_id) or StoredVersion(one.base_version + 1, now, repeated=False)
        for one in answers
    )
    return stored, len(changes), now


def _repeated(
    locked_sheet: LockedSheet, answers: Sequence[GivenAnswer]
) -> tuple[StoredVersion, ...]:
    """Return what these requests stored when they came first. Raises NeedsSlowPath if one did
    not."""
    before = carried_out(locked_sheet, [one.request_id for one in answers])
    stored = []
    for one in answers:
        row = before.get(one.request_id)
        if row is None or (row.substitution_key, row.scale_key) != (one.substitution, one.scale):
            raise NeedsSlowPath
        if one.answer != Answer(row.value, row.reason, row.comment):
            raise NeedsSlowPath
        stored.append(StoredVersion(row.version, row.recorded_at, repeated=True))
    return tuple(stored)


def _may(locked_sheet: LockedSheet) -> bool:
    login = login_in(locked_sheet.session)
    if login is None or not (locked_sheet.member or locked_sheet.everywhere):
        return False
    return stands(
        login,
        user_id=locked_sheet.user,
        password=locked_sheet.password,
        active=bool(locked_sheet.active),
        administers=bool(locked_sheet.everywhere or locked_sheet.staff),
    )


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
        # Each question once: a second answer would have to follow the first one's version.
        row = at.pop((one.substitution, one.scale), None)
        if row is None:
            raise NeedsSlowPath
        if one.base_version < (row.version or 0):
            again.append(one)
            continue
        if one.base_version != (row.version or 0):
            raise NeedsSlowPath
        before = Answer(row.value, row.reason or "", row.comment or "")
        if one.answer == before or not _valid(one.answer, row):
            raise NeedsSlowPath
        counts = done and one.answer.given
        status = Judgment.Status.COUNTED if counts else Judgment.Status.DRAFT
        changes.append(AnswerChange(row, one, str(status.value)))
    if done:
        given = {(one.row.substitution, one.row.scale): one.given.answer.given for one in changes}
        for row in rows:
            stored = row.value is not None or bool(row.reason)
            if row.required and not given.get((row.substitution, row.scale), stored):
                raise NeedsSlowPath
    return changes, again


def _valid(answer: Answer, row: OwnQuestion) -> bool:
    if answer.value is not None:
        on = on_scale(answer.value, minimum=row.minimum, maximum=row.maximum, step=row.step)
        if answer.reason or not on:
            return False
    return (
        len(answer.reason) <= REASON_LENGTH
        and len(answer.comment) <= COMMENT_LENGTH
        and "\0" not in answer.reason + answer.comment
    )


def _writing(
    locked_sheet: LockedSheet,
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
        if done
        and row.judgment is not None
        and row.judgment not in changed
        and (row.value is not None or row.reason)
        and (row.status != Judgment.Status.COUNTED or row.slot != locked_sheet.slot)
    ]
    lease_length = timedelta(minutes=locked_sheet.lease_minutes)
    # As `slots.renew`: once half of the lease has passed.
    stale = locked_sheet.lease is None or locked_sheet.lease - now < lease_length / 2
    lease = now + lease_length if not done and changes and stale else None
    return Writing(locked_sheet, changes, earlier, done=done, lease=lease, now=now)


# The fast path of saving a whole sheet: past the framework, where everything is plain.
#
# `fast_put` answers only what was stored as sent. Anything else is left to the route, the slow
# path, which also words every refusal.


MOST_BYTES = 200_000
MOST_BESIDE = 100
HIGHEST = 2**31 - 2
FIELDS = frozenset({"annotator", "answers", "state", "next", "beside"})
OF_ANSWER = frozenset({"id", "substitution", "scale", "base_version", "value", "reason", "comment"})


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """The body of a plain request."""

    annotator: UUID
    answers: tuple[GivenAnswer, ...]
    done: bool
    next: bool
    beside: tuple[UUID, ...]


def fast_put(request: HttpRequest, sheet: UUID) -> HttpResponse | None:
    """Store the request's answers and return the response; None, with nothing stored, if it is for
    the slow path."""
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not session or not _plain(request):
        return None
    try:
        body = _plain_request(request.body)
        stored = fast_save(
            session=session,
            annotator=body.annotator,
            sheet=sheet,
            answers=body.answers,
            done=body.done,
            admit=lambda user: admitted(request, user),
            beside=body.beside if body.next else None,
        )
    except NeedsSlowPath:
        return None
    data = _response_of(body, stored)
    following: dict[str, object] = {"sheet": None}
    if body.done and stored.followed:
        after_submit(annotator=annotator_with(key=body.annotator), sheet_key=sheet)
    if stored.following is not None:
        person, claimed = stored.following
        following = {"sheet": described(request, person, sheet_with(claimed))}
    elif body.next and body.done == stored.done:
        annotator = annotator_with(key=body.annotator)
        following = next_sheet(request, annotator, beside=[sheet, *body.beside])
    answer = HttpResponse(JSONRenderer().render({**data, **following}), "application/json")
    answer["Vary"] = "Accept, Cookie"
    return answer


def _plain(request: HttpRequest) -> bool:
    """Whether only the session, checked for forgery, authenticates the sender."""
    meta = request.META
    length = meta.get("CONTENT_LENGTH") or ""
    accepts = meta.get("HTTP_ACCEPT", "*/*")
    return (
        settings.SESSION_ENGINE == login.ENGINE
        and "HTTP_AUTHORIZATION" not in meta
        and meta.get("CONTENT_TYPE") == "application/json"
        and ("*/*" in accepts or "application/json" in accepts)
        and request.GET.keys() <= {"fragment"}
        and length.isdecimal()
        and int(length) <= MOST_BYTES
        and CSRFCheck(_no_view).process_view(request, _no_view, (), {}) is None
    )


def _no_view(*_: Any) -> HttpResponse:
    raise AssertionError("only the check of the token is wanted")


def _plain_request(content: bytes) -> PlainRequest:
    try:
        data = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # Also what is not UTF-8, or nested too deep.
        raise NeedsSlowPath from error
    if not isinstance(data, dict) or not data.keys() <= FIELDS:
        raise NeedsSlowPath
    answers, beside = data.get("answers", []), data.get("beside", [])
    state, following = data.get("state", "claimed"), data.get("next", False)
    if (
        not isinstance(answers, list)
        or len(answers) > MOST_ANSWERS
        or not isinstance(beside, list)
        or len(beside) > MOST_BESIDE
        or state not in ("claimed", "done")
        or not isinstance(following, bool)
    ):
        raise NeedsSlowPath
    return PlainRequest(
        _key(data.get("annotator")),
        tuple(_given(one) for one in answers),
        state == "done",
        following,
        tuple(_key(one) for one in beside),
    )


def _no_number(name: str) -> float:
    raise NeedsSlowPath


def _given(data: Any) -> GivenAnswer:
    if not isinstance(data, dict) or not data.keys() <= OF_ANSWER:
        raise NeedsSlowPath
    base, value = data.get("base_version"), data.get("value", "")
    if type(base) is not int or not 0 <= base <= HIGHEST:
        raise NeedsSlowPath
    if value is not None:
        if type(value) not in (int, float) or abs(value) > 1e15:
            raise NeedsSlowPath
        value = float(value)
    answer = Answer(value, _text(data.get("reason", "")), _text(data.get("comment", "")))
    request, substitution, scale = (_key(data.get(one)) for one in ("id", "substitution", "scale"))
    return GivenAnswer(request, substitution, scale, base, answer)


def _key(text: Any) -> UUID:
    if not isinstance(text, str) or len(text) != 36:
        raise NeedsSlowPath
    try:
        return UUID(text)
    except ValueError as error:
        raise NeedsSlowPath from error


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise NeedsSlowPath
    try:
        text.encode()
    except UnicodeEncodeError as error:  # Half of a pair: no database stores it.
        raise NeedsSlowPath from error
    return text


def _response_of(body: PlainRequest, stored: FastSaved) -> dict[str, object]:
    answers = [
        {
            "id": one.request_id,
            "substitution": one.substitution,
            "scale": one.scale,
            "value": one.answer.value,
            "reason": one.answer.reason,
            "comment": one.answer.comment,
            "version": before.version,
            "recorded_at": before.recorded_at,
            "repeated": before.repeated,
        }
        for one, before in zip(body.answers, stored.answers, strict=True)
    ]
    return {"answers": answers, "state": "done" if stored.done else "claimed"}
