"""Saving a whole sheet by one request (PUT), the fast way: few statements, none composed anew.

The plain case is an annotator's own claimed slot, answers whose versions fit and whose values are
on their scales, and for handing in an open campaign and no answer missing. A repeated request,
whose sheet may be done by now, is answered from its UUIDs by one statement. At anything else,
nothing is written and `Unusual` is raised: `sheet_saving.py`, the ordinary way, then
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
from annotation.collecting import slots, sql
from annotation.collecting.api import admitted, described, next_sheet
from annotation.collecting.claiming import LAST_KEY
from annotation.collecting.save_queries import (
    HeldSheet,
    OwnQuestion,
    annotator_in,
    carried_out,
    held,
    questions,
    sheet_with,
)
from annotation.collecting.saving import COMMENT_LENGTH, REASON_LENGTH, Answer
from annotation.collecting.sheet_saving import (
    MOST_ANSWERS,
    AnswerChange,
    GivenAnswer,
    Unusual,
    Writing,
    look_after,
    write,
)
from annotation.collecting.slots import starting_point
from annotation.database import short_write
from annotation.models import Annotator, Campaign, Judgment, Slot, SlotEvent
from annotation.models.campaigns import on_scale
from annotation.people.annotators import PEOPLE, annotator_with
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
# What PostgreSQL finds and takes in one statement. Who else is about to take a place is passed by.
_AT_ONCE = f"""
WITH asked AS (
  SELECT %s::bigint AS annotator, %s::timestamptz AS at, %s::timestamptz AS until
), place AS (
  {sql.FREE_PLACE} FOR UPDATE OF slot SKIP LOCKED
), taken AS (
  UPDATE annotation_slot slot SET state = 'claimed', annotator_id = asked.annotator,
    claimed_at = asked.at, lease_expires_at = asked.until
  FROM place, asked
  WHERE slot.id = place.id AND slot.state = 'free'
  RETURNING slot.id, slot.sheet_id
), note AS (
  INSERT INTO annotation_slotevent (slot_id, annotator_id, kind, at)
  SELECT taken.id, asked.annotator, 'claimed', asked.at FROM taken, asked
)
SELECT sheet_id FROM taken
"""  # noqa: S608 constants


def next_at_once(*, annotator: Annotator, beside: Collection[UUID], now: datetime) -> int | None:
    """Claim the annotator's next sheet inside the caller's transaction, which has locked them.

    Returns the sheet's id; None, with nothing written, if anything is not plain.
    """
    if annotator.campaign.status != Campaign.Status.OPEN:
        return None
    if annotator.origin == Annotator.Origin.PARTICIPANT:
        return None  # Their part may be over, which is settled the long way.
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
                fresh = (
                    lease is not None
                    and 2 * (lease - now) >= slots.lease(annotator.campaign, now) - now
                )
                return sheet if fresh else None
    if state.listed or state.group_bound:
        return None
    if state.stopped:
        return None  # Why, is for `claim_next` to say.
    waits = state.waiting
    steps = (waits.consent, waits.background, waits.practice, waits.paused, waits.warned)
    if state.has_repeats or state.has_shared or (annotator.origin in PEOPLE and any(steps)):
        return None
    return _free(annotator, now)


def _free(annotator: Annotator, now: datetime) -> int | None:
    tier = sql.next_tier(campaign_id=annotator.campaign_id, above=-1)
    if tier is None:
        return None
    start = starting_point(campaign=annotator.campaign, seed=annotator.seed)
    claim = _claim_at_once if connection.vendor == "postgresql" else _claim
    for first, last in ((start, LAST_KEY), (0, start - 1)):
        sheet = claim(annotator, tier, first, last, now)
        if sheet is not None:
            sheet_claimed()
            return sheet
    return None


def _claim_at_once(
    annotator: Annotator, tier: int, first: int, last: int, now: datetime
) -> int | None:
    """Claim the first free slot with such a scan key; return its sheet's id."""
    until = slots.lease(annotator.campaign, now)
    where = annotator.campaign_id, tier, first, last, annotator.pk, annotator.pk
    with connection.cursor() as cursor:
        cursor.execute(_AT_ONCE, [annotator.pk, now, until, *where])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _claim(annotator: Annotator, tier: int, first: int, last: int, now: datetime) -> int | None:
    """As `_claim_at_once`, in the statements that SQLite has for it."""
    place = sql.free_place(annotator=annotator, tier=tier, first=first, last=last)
    if place is None:
        return None
    slot, sheet = place
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
            held_sheet = held(session=session, annotator=annotator, sheet=sheet, submitting=done)
            if held_sheet is None or not _may(held_sheet) or not admit(held_sheet.user):
                raise Unusual
            if held_sheet.state == Slot.State.DONE:
                stored, new, now = _repeated(held_sheet, answers), 0, None
            elif held_sheet.state == Slot.State.CLAIMED:
                stored, new, now = _store(held_sheet, answers, done=done)
            else:
                raise Unusual
            following = None
            if done and beside is not None and not held_sheet.watched:
                person = annotator_in(held_sheet, annotator)
                at = now or clock.now()
                claimed = next_at_once(annotator=person, beside={sheet, *beside}, now=at)
                following = None if claimed is None else (person, claimed)
    except IntegrityError as error:
        # Another request stored the same place, or has the UUID.
        raise Unusual from error
    answers_saved(new)
    was_done = held_sheet.state == Slot.State.DONE
    return AtOnce(stored, done or was_done, held_sheet.watched and not was_done, following)


def _store(
    held_sheet: HeldSheet, answers: Sequence[GivenAnswer], *, done: bool
) -> tuple[tuple[StoredVersion, ...], int, datetime]:
    """Store what is new among the answers; return all, the number of new ones, and the time."""
    if done and held_sheet.status != Campaign.Status.OPEN:
        raise Unusual
    rows = questions(held_sheet)
    if not rows:
        raise Unusual
    now = rows[0].clock or clock.now()
    changes, again = _changes(answers, rows, done=done)
    before = dict(zip((one.request_id for one in again), _repeated(held_sheet, again), strict=True))
    if changes or done:
        write(_writing(held_sheet, rows, changes, done=done, now=now))
    stored = tuple(
        before.get(one.request_id) or StoredVersion(one.base_version + 1, now, repeated=False)
        for one in answers
    )
    return stored, len(changes), now


def _repeated(held_sheet: HeldSheet, answers: Sequence[GivenAnswer]) -> tuple[StoredVersion, ...]:
    """Return what these requests stored when they came first; raise Unusual if one did not."""
    before = carried_out(held_sheet, [one.request_id for one in answers])
    stored = []
    for one in answers:
        row = before.get(one.request_id)
        if row is None or (row.substitution_key, row.scale_key) != (one.substitution, one.scale):
            raise Unusual
        if one.answer != Answer(row.value, row.reason, row.comment):
            raise Unusual
        stored.append(StoredVersion(row.version, row.recorded_at, repeated=True))
    return tuple(stored)


def _may(held_sheet: HeldSheet) -> bool:
    login = login_in(held_sheet.session)
    if login is None or not (held_sheet.member or held_sheet.everywhere):
        return False
    return stands(
        login,
        user_id=held_sheet.user,
        password=held_sheet.password,
        active=bool(held_sheet.active),
        administers=bool(held_sheet.everywhere or held_sheet.staff),
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
    held_sheet: HeldSheet,
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
        and (row.status != Judgment.Status.COUNTED or row.slot != held_sheet.slot)
    ]
    whole = timedelta(minutes=held_sheet.lease_minutes)
    # As `slots.renew`: once half of the lease has passed.
    stale = held_sheet.lease is None or held_sheet.lease - now < whole / 2
    lease = now + whole if not done and changes and stale else None
    return Writing(held_sheet, changes, earlier, done=done, lease=lease, now=now)


# The short way of saving a whole sheet: past the framework, where everything is plain.
#
# `put_quickly` answers only what was stored as sent. At anything else it answers nothing, and the
# route does it the long way, which also words every refusal.


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


class _Odd(Exception):
    """The request is not in the form that the rating screen sends."""


def put_quickly(request: HttpRequest, sheet: UUID) -> HttpResponse | None:
    """Store the request's answers and return the response; None, with nothing stored, if it is for
    the long way."""
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not session or not _plain(request):
        return None
    try:
        body = _plain_request(request.body)
        stored = save_at_once(
            session=session,
            annotator=body.annotator,
            sheet=sheet,
            answers=body.answers,
            done=body.done,
            admit=lambda user: admitted(request, user),
            beside=body.beside if body.next else None,
        )
    except (_Odd, Unusual):
        return None
    data = _response_of(body, stored)
    following: dict[str, object] = {"sheet": None}
    if body.done and stored.watched:
        look_after(annotator=annotator_with(key=body.annotator), sheet_key=sheet)
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
        raise _Odd from error
    if not isinstance(data, dict) or not data.keys() <= FIELDS:
        raise _Odd
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
        raise _Odd
    return PlainRequest(
        _key(data.get("annotator")),
        tuple(_given(one) for one in answers),
        state == "done",
        following,
        tuple(_key(one) for one in beside),
    )


def _no_number(name: str) -> float:
    raise _Odd


def _given(data: Any) -> GivenAnswer:
    if not isinstance(data, dict) or not data.keys() <= OF_ANSWER:
        raise _Odd
    base, value = data.get("base_version"), data.get("value", _Odd)
    if type(base) is not int or not 0 <= base <= HIGHEST:
        raise _Odd
    if value is not None:
        if type(value) not in (int, float) or abs(value) > 1e15:
            raise _Odd
        value = float(value)
    answer = Answer(value, _text(data.get("reason", "")), _text(data.get("comment", "")))
    request, substitution, scale = (_key(data.get(one)) for one in ("id", "substitution", "scale"))
    return GivenAnswer(request, substitution, scale, base, answer)


def _key(text: Any) -> UUID:
    if not isinstance(text, str) or len(text) != 36:
        raise _Odd
    try:
        return UUID(text)
    except ValueError as error:
        raise _Odd from error


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise _Odd
    try:
        text.encode()
    except UnicodeEncodeError as error:  # Half of a pair: no database stores it.
        raise _Odd from error
    return text


def _response_of(body: PlainRequest, stored: AtOnce) -> dict[str, object]:
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
