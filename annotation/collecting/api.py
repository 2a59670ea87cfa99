"""The save contract over HTTP, as used by an annotator's browser.

Responses contain random ids and the annotator's own answers, nothing else: neither whether an
answer counts nor the role of a text.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import campaign_get, logged_in
from annotation.collecting.claiming import NotClaimable, claim_next
from annotation.collecting.save_queries import Answer
from annotation.collecting.saving import COMMENT_LENGTH, REASON_LENGTH, judgment_save, sheet_submit
from annotation.collecting.sheets import (
    SheetView,
    remark_add,
    sheet_release,
    sheet_skip,
    sheet_take_back,
    sheet_view,
)
from annotation.http.routes import KnownFieldsView, SheetThrottle
from annotation.models import Annotator, Sheet, Slot
from annotation.people.annotators import own_annotator
from annotation.people.membership import annotator_for


class SheetRoute(KnownFieldsView):
    """A route with frequent requests from annotators' browsers."""

    of_campaigns = True
    throttle_classes = [SheetThrottle]


class AnswerIn(serializers.Serializer[Any]):
    """One save: the new state, the version it replaces, and the UUID of the request."""

    id = serializers.UUIDField()
    annotator = serializers.UUIDField()
    base_version = serializers.IntegerField(min_value=0)
    value = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(
        allow_blank=True, default="", max_length=REASON_LENGTH, trim_whitespace=False
    )
    comment = serializers.CharField(
        allow_blank=True, default="", max_length=COMMENT_LENGTH, trim_whitespace=False
    )


class AnswerOut(serializers.Serializer[Any]):
    """The stored answer; only this response confirms a save."""

    id = serializers.UUIDField()
    value = serializers.FloatField(allow_null=True)
    reason = serializers.CharField()
    comment = serializers.CharField()
    version = serializers.IntegerField()
    recorded_at = serializers.DateTimeField()
    sheet_state = serializers.ChoiceField(choices=["claimed", "done"])
    repeated = serializers.BooleanField()


class StateIn(serializers.Serializer[Any]):
    """Submit a sheet, give it back with a reason or take it back, or release a prefetched sheet
    without answers.
    """

    state = serializers.ChoiceField(choices=["done", "skipped", "claimed", "released"])
    annotator = serializers.UUIDField()
    next = serializers.BooleanField(default=True, help_text="Answer with the next sheet.")
    beside = serializers.ListField(
        child=serializers.UUIDField(),
        default=list,
        max_length=100,
        help_text="See claim. With `released` these are released, too.",
    )
    reason = serializers.CharField(
        allow_blank=True, default="", max_length=REASON_LENGTH, help_text="For skipped."
    )


class ClaimIn(serializers.Serializer[Any]):
    """The annotator, and the sheets they are working on if they want to prefetch the next one."""

    annotator = serializers.UUIDField(default=None, allow_null=True)
    beside = serializers.ListField(child=serializers.UUIDField(), default=list, max_length=100)


class SheetOut(serializers.Serializer[Any]):
    """A sheet, or the reason why there is none."""

    state = serializers.CharField(required=False)
    sheet = serializers.JSONField(allow_null=True)
    message = serializers.CharField(required=False)
    code = serializers.CharField(
        required=False,
        help_text="Why there is none: not_open, consent, background, ..., or a participant's "
        "outcome, as complete.",
    )
    completion = serializers.JSONField(
        required=False, help_text="Of a participant whose part is over: {code, url}."
    )
    url = serializers.CharField(required=False, help_text="The page that comes before, if any.")


@extend_schema(tags=["sheets"])
class JudgmentRoute(SheetRoute):
    """One answer on one of the annotator's sheets."""

    @extend_schema(request=AnswerIn, responses={200: AnswerOut, 409: None})
    def put(self, request: Request, sheet: UUID, substitution: UUID, scale: UUID) -> Response:
        data = self.checked(AnswerIn)
        saved = judgment_save(
            annotator=own_annotator(user=request.user, key=data["annotator"]),
            sheet_key=sheet,
            substitution_key=substitution,
            scale_key=scale,
            answer=Answer(data["value"], data["reason"], data["comment"]),
            request_id=data["id"],
            base_version=data["base_version"],
            by_program=request.auth is not None,
        )
        return Response(
            {
                "id": data["id"],
                "value": saved.answer.value,
                "reason": saved.answer.reason,
                "comment": saved.answer.comment,
                "version": saved.version,
                "recorded_at": saved.recorded_at,
                "sheet_state": shown_state(saved.sheet_state),
                "repeated": saved.repeated,
            }
        )


class RemarkIn(serializers.Serializer[Any]):
    """A flag or a comment; with neither, the previous remark is withdrawn."""

    id = serializers.UUIDField(help_text="Made by the client: sent twice, kept once.")
    annotator = serializers.UUIDField()
    substitution = serializers.UUIDField(allow_null=True, help_text="null: the whole sheet.")
    flagged = serializers.BooleanField()
    text = serializers.CharField(allow_blank=True, max_length=COMMENT_LENGTH)


class RemarkOut(serializers.Serializer[Any]):
    """The stored remark."""

    id = serializers.UUIDField()
    flagged = serializers.BooleanField()
    text = serializers.CharField()


@extend_schema(tags=["sheets"])
class RemarkRoute(SheetRoute):
    """Flag or comment on a sheet or one of its texts."""

    @extend_schema(request=RemarkIn, responses={200: RemarkOut})
    def post(self, request: Request, sheet: UUID) -> Response:
        data = self.checked(RemarkIn)
        remark = remark_add(
            annotator=own_annotator(user=request.user, key=data["annotator"]),
            sheet_key=sheet,
            substitution_key=data["substitution"],
            flagged=data["flagged"],
            text=data["text"],
            request_id=data["id"],
        )
        return Response({"id": data["id"], "flagged": remark.flagged, "text": remark.text})


def shown_state(state: str) -> str:
    """Return the displayed state: surplus looks like work in progress, because the annotator's
    part is the same.
    """
    return "done" if state == Slot.State.DONE else "claimed"


@extend_schema(tags=["sheets"])
class SheetStateRoute(SheetRoute):
    """Submit a sheet, or give it back, and get the next one in the same request."""

    @extend_schema(request=StateIn, responses={200: SheetOut, 409: None})
    def put(self, request: Request, sheet: UUID) -> Response:
        data = self.checked(StateIn)
        annotator = own_annotator(user=request.user, key=data["annotator"])
        if data["state"] == "skipped":
            sheet_skip(annotator=annotator, sheet_key=sheet, reason=data["reason"])
        elif data["state"] == "claimed":
            sheet_take_back(annotator=annotator, sheet_key=sheet)
        elif data["state"] == "released":
            for key in (sheet, *data["beside"]):
                sheet_release(annotator=annotator, sheet_key=key)
        else:
            sheet_submit(annotator=annotator, sheet_key=sheet)
        following: dict[str, object] = {"sheet": None}
        if data["next"]:
            following = next_sheet(request, annotator, beside=data["beside"])
        return Response({"state": data["state"], **following})


@extend_schema(tags=["sheets"])
class ClaimRoute(SheetRoute):
    """The sheet to judge now, or the one after it; repeated calls return the same sheet."""

    @extend_schema(request=ClaimIn, responses={200: SheetOut})
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(ClaimIn)
        campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
        if data["annotator"] is not None:
            own_annotator(user=request.user, key=data["annotator"])
        annotator = annotator_for(campaign=campaign, user=logged_in(request.user))
        return Response(next_sheet(request, annotator, beside=data["beside"]))


def next_sheet(
    request: Request | HttpRequest, annotator: Annotator, *, beside: Collection[UUID] = ()
) -> dict[str, object]:
    """Return the next sheet as data; if there is none, the reason."""
    try:
        sheet = claim_next(annotator=annotator, beside=beside)
    except NotClaimable as refusal:
        page: dict[str, object] = {}
        page |= {name: refusal.data[name] for name in ("url", "completion") if name in refusal.data}
        return {"sheet": None, "message": refusal.message, "code": refusal.code, **page}
    return {"sheet": None if sheet is None else described(request, annotator, sheet)}


def described(
    request: Request | HttpRequest, annotator: Annotator, sheet: Sheet
) -> dict[str, object]:
    """Return the sheet as data, or with `?fragment=1` as the page's HTML."""
    view = sheet_view(annotator=annotator, sheet=sheet)
    address = page_of(annotator, sheet)
    if request.GET.get("fragment"):
        context = {"sheet": view, "annotator": annotator, "address": address}
        plain = request._request if isinstance(request, Request) else request
        content: dict[str, object] = {
            "html": render_to_string("annotation/_sheet.html", context, plain)
        }
    else:
        content = as_data(view)
    return {"key": sheet.key, "url": address, "annotator": annotator.key, **content}


def page_of(annotator: Annotator, sheet: Sheet) -> str:
    """Return the address of the sheet's page."""
    return reverse("rate-sheet", args=[annotator.campaign.slug, sheet.key])


def as_data(view: SheetView) -> dict[str, object]:
    """Return the sheet as JSON data."""
    return {
        "state": shown_state(view.state),
        "phrase": view.phrase,
        "before": view.before,
        "after": view.after,
        "remark": {"flagged": view.remark.flagged, "text": view.remark.text},
        "scales": [
            {
                "key": scale.key,
                "name": scale.name,
                "question": scale.question,
                "minimum": scale.minimum,
                "maximum": scale.maximum,
                "step": scale.step,
                "required": scale.required,
                "points": [
                    {"value": point.value, "label": point.label, "anchor": point.anchor}
                    for point in scale.points.all()
                ],
            }
            for scale in view.scales
        ],
        "substitutions": [
            {
                "key": one.key,
                "before": one.before,
                "text": one.text,
                "after": one.after,
                "remark": {"flagged": one.remark.flagged, "text": one.remark.text},
                "answers": [
                    {
                        "scale": question.scale.key,
                        "value": question.answer.value,
                        "reason": question.answer.reason,
                        "comment": question.answer.comment,
                        "version": question.answer.version,
                    }
                    for question in one.questions
                ],
            }
            for one in view.substitutions
        ],
    }


urlpatterns = [
    path("campaigns/<slug:slug>/claim", ClaimRoute.as_view(), name="api-claim"),
    path("sheets/<uuid:sheet>/state", SheetStateRoute.as_view(), name="api-sheet-state"),
    path("sheets/<uuid:sheet>/remarks", RemarkRoute.as_view(), name="api-remark"),
    path(
        "sheets/<uuid:sheet>/judgments/<uuid:substitution>/<uuid:scale>",
        JudgmentRoute.as_view(),
        name="api-judgment",
    ),
]
