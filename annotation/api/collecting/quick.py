"""The short way of saving a whole sheet: past the framework, where everything is plain.

`put_quickly` answers only what was stored as sent. At anything else it answers nothing, and the
route does it the long way, which also words every refusal.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import CSRFCheck
from rest_framework.renderers import JSONRenderer

from annotation.api.collecting.sheets import described, next_sheet
from annotation.api.collecting.throttles import admitted
from annotation.selectors.collecting.shown import sheet_with
from annotation.selectors.people import sessions
from annotation.selectors.people.annotators import annotator_with
from annotation.services.collecting.at_once import AtOnce, save_at_once
from annotation.services.collecting.saving import Answer
from annotation.services.collecting.written import GivenAnswer, Unusual
from annotation.services.sheet_saving import MOST_ANSWERS, look_after

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
        asked = _asked(request.body)
        stored = save_at_once(
            session=session,
            annotator=asked.annotator,
            sheet=sheet,
            answers=asked.answers,
            done=asked.done,
            admit=lambda user: admitted(request, user),
            beside=asked.beside if asked.next else None,
        )
    except (_Odd, Unusual):
        return None
    data = _told(asked, stored)
    following: dict[str, object] = {"sheet": None}
    if asked.done and stored.watched:
        look_after(annotator=annotator_with(key=asked.annotator), sheet_key=sheet)
    if stored.following is not None:
        person, claimed = stored.following
        following = {"sheet": described(request, person, sheet_with(claimed))}
    elif asked.next and asked.done == stored.done:
        annotator = annotator_with(key=asked.annotator)
        following = next_sheet(request, annotator, beside=[sheet, *asked.beside])
    answer = HttpResponse(JSONRenderer().render({**data, **following}), "application/json")
    answer["Vary"] = "Accept, Cookie"
    return answer


def _plain(request: HttpRequest) -> bool:
    """Whether only the session, checked for forgery, authenticates the sender."""
    meta = request.META
    length = meta.get("CONTENT_LENGTH") or ""
    accepts = meta.get("HTTP_ACCEPT", "*/*")
    return (
        settings.SESSION_ENGINE == sessions.ENGINE
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


def _asked(content: bytes) -> PlainRequest:
    try:
        data = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # Also what is not UTF-8, or nested too deep.
        raise _Odd from error
    if not isinstance(data, dict) or not data.keys() <= FIELDS:
        raise _Odd
    answers, beside = data.get("answers", []), data.get("beside", [])
    state, following = data.get("state", "claimed"), data.get("next", False)
    if (
        not isinstance(answers, list) or len(answers) > MOST_ANSWERS
        or not isinstance(beside, list) or len(beside) > MOST_BESIDE
        or state not in ("claimed", "done") or not isinstance(following, bool)
    ):  # fmt: skip
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


def _told(asked: PlainRequest, stored: AtOnce) -> dict[str, object]:
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
        for one, before in zip(asked.answers, stored.answers, strict=True)
    ]
    return {"answers": answers, "state": "done" if stored.done else "claimed"}
