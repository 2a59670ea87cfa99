"""One sheet over HTTP: read, or saved as a whole in one request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.authentication import CSRFCheck
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts import login
from annotation.accounts.login import login_in, stands
from annotation.collecting.api import (
    SheetOut,
    SheetRoute,
    described,
    next_sheet,
    page_of,
)
from annotation.collecting.claiming import fast_claim
from annotation.collecting.save_queries import (
    Answer,
    GivenAnswer,
    LockedSheet,
    annotator_in,
    slot_for_save,
)
from annotation.collecting.saving import (
    MOST_ANSWERS,
    LockMore,
    Saved,
    SheetSaved,
    after_save,
    save_on,
    sheet_in,
    sheet_save,
)
from annotation.collecting.sheets import sheet_before, sheet_get
from annotation.database import short_write
from annotation.errors import DomainError
from annotation.http.routes import admitted
from annotation.people.annotators import annotator_at, annotator_with, own_annotator
from annotation.sheets.own_work import sheet_with
from paraanno import clock
from paraanno.observability.counted import answers_saved, refused

FRAGMENT = OpenApiParameter(
    "fragment", OpenApiTypes.BOOL, description="The sheet as the page's HTML instead of data."
)


class OneAnswerIn(serializers.Serializer[Any]):
    """One answer among those of a sheet. Texts that are too long are refused one by one."""

    id = serializers.UUIDField(help_text="Made by the client: sent twice, stored once.")
    substitution = serializers.UUIDField()
    scale = serializers.UUIDField()
    base_version = serializers.IntegerField(min_value=0)
    value = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, default="", trim_whitespace=False)
    comment = serializers.CharField(allow_blank=True, default="", trim_whitespace=False)


class WholeIn(serializers.Serializer[Any]):
    """What was answered on a sheet, whether it is handed in, and whether the next one is wanted."""

    annotator = serializers.UUIDField()
    answers = serializers.ListField(
        child=OneAnswerIn(), default=list, max_length=MOST_ANSWERS, help_text="In any order."
    )
    state = serializers.ChoiceField(choices=["claimed", "done"], default="claimed")
    next = serializers.BooleanField(default=False, help_text="Answer with the following sheet.")
    beside = serializers.ListField(
        child=serializers.UUIDField(), default=list, max_length=100, help_text="See claim."
    )


class OneAnswerOut(serializers.Serializer[Any]):
    """A stored answer, or with `code` why this one was not stored."""

    id = serializers.UUIDField()
    substitution = serializers.UUIDField()
    scale = serializers.UUIDField()
    value = serializers.FloatField(allow_null=True, required=False)
    reason = serializers.CharField(required=False)
    comment = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)
    recorded_at = serializers.DateTimeField(required=False)
    repeated = serializers.BooleanField(required=False)
    code = serializers.CharField(required=False, help_text="stale, invalid, not_found, ...")
    detail = serializers.CharField(required=False)
    stored = serializers.JSONField(required=False, allow_null=True)


class WholeOut(serializers.Serializer[Any]):
    """The answers in the order sent, the sheet's state, and the following sheet."""

    answers = OneAnswerOut(many=True)
    state = serializers.ChoiceField(choices=["claimed", "done"])
    sheet = serializers.JSONField(allow_null=True)
    code = serializers.CharField(
        required=False,
        help_text="With the state claimed, why it was not handed in (incomplete, closed); with "
        "done, why there is no next sheet.",
    )
    detail = serializers.CharField(required=False)
    missing = serializers.JSONField(required=False, help_text="With incomplete.")
    message = serializers.CharField(required=False)
    url = serializers.CharField(required=False, help_text="The page that comes before, if any.")
    completion = serializers.JSONField(required=False, help_text="See claim.")


# Past the framework: a plain request from a browser is read here, and its session, annotator and
# sheet by one statement. What is not plain is left to the route, which also words refusals of a
# whole request. Both save by `save_on`.


class NotPlain(Exception):
    """The framework must read the request."""


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
    """Store the request's answers and return the response; None, with nothing stored, if the
    framework must read the request, or more than the slot decides."""
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not session or not _plain(request):
        return None
    try:
        body = _plain_request(request.body)
        saved, locked_sheet, claimed = _session_save(request, session, sheet, body)
    except (NotPlain, LockMore, IntegrityError):
        return None
    if saved.finished and locked_sheet.followed:
        annotator = annotator_with(key=body.annotator)
        after_save(saved, annotator=annotator, sheet=sheet_in(annotator, sheet))
    else:
        answers_saved(saved.stored)
    following: dict[str, object] = {"sheet": None}
    if claimed is not None:
        person = annotator_in(locked_sheet, body.annotator)
        following = {"sheet": described(request, person, sheet_with(claimed))}
    elif body.next and body.done == (saved.shown == "done"):
        annotator = annotator_with(key=body.annotator)
        following = next_sheet(request, annotator, beside=[sheet, *body.beside])
    data = {**saved_data(body.answers, saved), **following}
    answer = HttpResponse(JSONRenderer().render(data), "application/json")
    answer["Vary"] = "Accept, Cookie"
    return answer


def _session_save(
    request: HttpRequest, session: str, sheet: UUID, body: PlainRequest
) -> tuple[SheetSaved, LockedSheet, int | None]:
    """Save what the session's user sent, and claim the next sheet where that is plain.

    Raises NotPlain if the session is not the annotator's, or above the limit.
    """
    with short_write():
        locked_sheet = slot_for_save(
            session=session, annotator=body.annotator, sheet=sheet, submitting=body.done
        )
        if locked_sheet is None or not _may(locked_sheet):
            raise NotPlain
        if not admitted(request, locked_sheet.user):
            raise NotPlain
        assignment = locked_sheet.assignment()
        saved = save_on(assignment, body.answers, done=body.done)
        claimed = None
        if body.done and body.next and saved.shown == "done" and not locked_sheet.followed:
            claimed = fast_claim(
                annotator=annotator_in(locked_sheet, body.annotator),
                beside={sheet, *body.beside},
                now=assignment.now or clock.now(),
            )
    return saved, locked_sheet, claimed


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
        raise NotPlain from error
    if not isinstance(data, dict) or not data.keys() <= FIELDS:
        raise NotPlain
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
        raise NotPlain
    return PlainRequest(
        _key(data.get("annotator")),
        tuple(_given(one) for one in answers),
        state == "done",
        following,
        tuple(_key(one) for one in beside),
    )


def _no_number(name: str) -> float:
    raise NotPlain


def _given(data: Any) -> GivenAnswer:
    if not isinstance(data, dict) or not data.keys() <= OF_ANSWER:
        raise NotPlain
    base, value = data.get("base_version"), data.get("value", "")
    if type(base) is not int or not 0 <= base <= HIGHEST:
        raise NotPlain
    if value is not None:
        if type(value) not in (int, float) or abs(value) > 1e15:
            raise NotPlain
        value = float(value)
    answer = Answer(value, _text(data.get("reason", "")), _text(data.get("comment", "")))
    request, substitution, scale = (_key(data.get(one)) for one in ("id", "substitution", "scale"))
    return GivenAnswer(request, substitution, scale, base, answer)


def _key(text: Any) -> UUID:
    if not isinstance(text, str) or len(text) != 36:
        raise NotPlain
    try:
        return UUID(text)
    except ValueError as error:
        raise NotPlain from error


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise NotPlain
    try:
        text.encode()
    except UnicodeEncodeError as error:  # Half of a pair: no database stores it.
        raise NotPlain from error
    return text


@extend_schema(tags=["sheets"], parameters=[FRAGMENT])
class OneSheetRoute(SheetRoute):
    """One of the annotator's sheets with their answers."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer a plain PUT past the framework, everything else as any route does."""
        if request.method == "PUT":
            answer = fast_put(request, kwargs["sheet"])
            if answer is not None:
                return answer
        return super().dispatch(request, *args, **kwargs)

    @extend_schema(responses={200: SheetOut})
    def get(self, request: Request, sheet: UUID) -> Response:
        annotator = annotator_at(user=request.user, sheet=sheet)
        one = sheet_get(annotator=annotator, key=sheet)
        before = sheet_before(annotator=annotator, sheet=one)
        data = described(request, annotator, one)
        data["before"] = before and page_of(annotator, before)
        return Response({"sheet": data})

    @extend_schema(request=WholeIn, responses={200: WholeOut})
    def put(self, request: Request, sheet: UUID) -> Response:
        """Save answers, hand the sheet in and get the next one, in one request.

        An answer that is refused has a `code` and holds back only the handing in.
        """
        data = self.checked(WholeIn)
        annotator = own_annotator(user=request.user, key=data["annotator"])
        given = [_validated(one) for one in data["answers"]]
        done = data["state"] == "done"
        stored = sheet_save(
            annotator=annotator,
            sheet_key=sheet,
            answers=given,
            done=done,
            by_program=request.auth is not None,
        )
        following: dict[str, object] = {"sheet": None}
        if data["next"] and stored.shown == data["state"]:
            following = next_sheet(request, annotator, beside=[sheet, *data["beside"]])
        return Response({**saved_data(given, stored), **following})


def _validated(data: dict[str, Any]) -> GivenAnswer:
    answer = Answer(data["value"], data["reason"], data["comment"])
    return GivenAnswer(
        data["id"], data["substitution"], data["scale"], data["base_version"], answer
    )


def saved_data(given: Sequence[GivenAnswer], stored: SheetSaved) -> dict[str, object]:
    """Return what became of the request, as data."""
    pairs = zip(given, stored.answers, strict=True)
    data: dict[str, object] = {
        "answers": [_answer(one, outcome) for one, outcome in pairs],
        "state": stored.shown,
    }
    if stored.refusal is not None:
        data |= {
            "code": stored.refusal.code,
            "detail": stored.refusal.message,
            **stored.refusal.data,
        }
    return data


def _answer(given: GivenAnswer, outcome: Saved | DomainError) -> dict[str, object]:
    question: dict[str, object] = {
        "id": given.request_id,
        "substitution": given.substitution,
        "scale": given.scale,
    }
    if isinstance(outcome, DomainError):
        refused(outcome.code)
        refusal = {"code": outcome.code, "detail": outcome.message, "stored": None}
        return {**question, **refusal, **outcome.data}
    return {
        **question,
        "value": outcome.answer.value,
        "reason": outcome.answer.reason,
        "comment": outcome.answer.comment,
        "version": outcome.version,
        "recorded_at": outcome.recorded_at,
        "repeated": outcome.repeated,
    }


urlpatterns = [path("sheets/<uuid:sheet>", OneSheetRoute.as_view(), name="api-sheet")]
