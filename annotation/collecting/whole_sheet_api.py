"""One sheet over HTTP: read, or saved as a whole in one request."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.collecting.api import SheetOut, SheetRoute, body, described, next_sheet, page_of
from annotation.collecting.fast_save import fast_put
from annotation.collecting.saving import Answer, Saved
from annotation.collecting.sheet_saving import MOST_ANSWERS, GivenAnswer, SheetSaved, sheet_save
from annotation.collecting.sheets import sheet_before, sheet_get
from annotation.errors import DomainError
from annotation.people.annotators import annotator_at, own_annotator
from paraanno.observability.counted import refused

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
        data = body(WholeIn, request)
        annotator = own_annotator(user=request.user, key=data["annotator"])
        given = [_given(one) for one in data["answers"]]
        done = data["state"] == "done"
        stored = sheet_save(
            annotator=annotator,
            sheet_key=sheet,
            answers=given,
            done=done,
            by_program=request.auth is not None,
        )
        following: dict[str, object] = {"sheet": None}
        if data["next"] and stored.state == data["state"]:
            following = next_sheet(request, annotator, beside=[sheet, *data["beside"]])
        return Response({**saved_data(given, stored), **following})


def _given(data: dict[str, Any]) -> GivenAnswer:
    answer = Answer(data["value"], data["reason"], data["comment"])
    return GivenAnswer(
        data["id"], data["substitution"], data["scale"], data["base_version"], answer
    )


def saved_data(given: list[GivenAnswer], stored: SheetSaved) -> dict[str, object]:
    """Return what became of the request, as data."""
    pairs = zip(given, stored.answers, strict=True)
    data: dict[str, object] = {
        "answers": [_answer(one, outcome) for one, outcome in pairs],
        "state": stored.state,
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
