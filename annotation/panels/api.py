"""Panels of a crowd platform: making them, who takes part, and what they are paid for."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import get_in, logged_in
from annotation.http.routes import CampaignRoute
from annotation.models import Panel, PartOutcome
from annotation.panels.participation import BY_HAND, ended_by_hand
from annotation.panels.queries import Payment, address, lines, panels_of, parts_in, payments_file
from annotation.panels.services import panel_close, panel_create, panel_update

MONEY: dict[str, Any] = {
    "max_digits": 8,
    "decimal_places": 2,
    "required": False,
    "allow_null": True,
}


class PanelIn(serializers.Serializer[Any]):
    """A panel. In `return_url`, `{code}` and `{id}` are replaced, URL-quoted."""

    name = serializers.CharField(max_length=100)
    parameter = serializers.CharField(max_length=40, required=False, trim_whitespace=False)
    session_parameter = serializers.CharField(
        max_length=40, required=False, allow_blank=True, trim_whitespace=False
    )
    sheets_per_person = serializers.IntegerField(min_value=1)
    codes = serializers.DictField(
        child=serializers.CharField(max_length=100),
        required=False,
        help_text="Any of: " + ", ".join(PartOutcome.values),
    )
    return_url = serializers.CharField(max_length=500, required=False, allow_blank=True)
    max_participants = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    id_pattern = serializers.CharField(
        max_length=200,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="A regular expression for the whole id, without repeated groups.",
    )
    minutes = serializers.IntegerField(min_value=1, required=False, allow_null=True)
    event_secret = serializers.CharField(max_length=200, required=False, allow_blank=True)
    pay = serializers.DecimalField(**MONEY)
    pay_floor = serializers.DecimalField(help_text="Per hour.", **MONEY)
    bonus = serializers.DecimalField(**MONEY)
    currency = serializers.CharField(max_length=3, required=False, allow_blank=True)
    contact = serializers.CharField(max_length=200, required=False, allow_blank=True)


class PanelChangeIn(PanelIn):
    """What changes of a panel, and whether it lets anybody new in."""

    name = serializers.CharField(max_length=100, required=False)
    sheets_per_person = serializers.IntegerField(min_value=1, required=False)
    closed = serializers.BooleanField(required=False)


class PanelOut(serializers.Serializer[Any]):
    """A panel with its link (without a query) and its counts."""

    key = serializers.UUIDField()
    link = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField()
    name = serializers.CharField()
    parameter = serializers.CharField()
    session_parameter = serializers.CharField()
    sheets_per_person = serializers.IntegerField()
    codes = serializers.DictField(child=serializers.CharField())
    return_url = serializers.CharField()
    max_participants = serializers.IntegerField(allow_null=True)
    id_pattern = serializers.CharField()
    minutes = serializers.IntegerField(allow_null=True)
    event_secret = serializers.CharField()
    pay = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    pay_floor = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    bonus = serializers.DecimalField(max_digits=8, decimal_places=2, allow_null=True)
    currency = serializers.CharField()
    contact = serializers.CharField()
    closed_at = serializers.DateTimeField(allow_null=True)
    erased_at = serializers.DateTimeField(allow_null=True)
    entered = serializers.IntegerField()
    complete = serializers.IntegerField()

    def get_link(self, panel: Panel) -> str:
        """The address for people, without a query."""
        return address(self.context["request"], panel, "panel-enter")

    def get_events(self, panel: Panel) -> str:
        """Where the platform sends its events."""
        return address(self.context["request"], panel, "panel-events")


class PartOut(serializers.Serializer[Any]):
    """A participant by their code; the platform's ids are only in the payments."""

    key = serializers.UUIDField(source="part.key")
    annotator = serializers.CharField(source="part.annotator.code")
    outcome = serializers.ChoiceField(choices=["in_progress", *PartOutcome.values])
    sheets = serializers.IntegerField()
    quota = serializers.IntegerField(source="part.quota")
    active_seconds = serializers.IntegerField(source="seconds")
    checks_failed = serializers.IntegerField()
    excluded = serializers.BooleanField()
    entered_at = serializers.DateTimeField(source="part.entered_at")
    ended_at = serializers.DateTimeField(source="part.ended_at", allow_null=True)

    def to_representation(self, instance: Payment) -> dict[str, Any]:
        data = super().to_representation(instance)
        return {**data, "outcome": instance.outcome or "in_progress"}


class EndedIn(serializers.Serializer[Any]):
    """Whose part has ended on the platform, by the platform's ids."""

    outcome = serializers.ChoiceField(choices=[one.value for one in BY_HAND])
    ids = serializers.ListField(child=serializers.CharField(max_length=128), max_length=10_000)


class EndedOut(serializers.Serializer[Any]):
    """How many parts ended, how many had ended before, and the ids that nobody has."""

    ended = serializers.IntegerField()
    before = serializers.IntegerField()
    unknown = serializers.ListField(child=serializers.CharField())


class PanelBase(CampaignRoute):
    """A route about panels, for researchers."""

    read_right = "research"

    def panel(self, key: UUID) -> Panel:
        """Return the panel of the address."""
        return get_in(self.campaign, Panel, key)

    def panel_data(self, request: Request, panel: Panel) -> dict[str, Any]:
        """Return the panel as data."""
        row = panels_of(campaign_id=self.campaign.pk).get(pk=panel.pk)
        return dict(PanelOut(row, context={"request": request}).data)


@extend_schema(tags=["panels"])
class PanelsRoute(PanelBase):
    """The campaign's panels."""

    serializer_class = PanelOut

    @extend_schema(responses=PanelOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(panels_of(campaign_id=self.campaign.pk))
        serializer = PanelOut(page, many=True, context={"request": request})
        return self.get_paginated_response(serializer.data)

    @extend_schema(request=PanelIn, responses={201: PanelOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make a panel; `link` is for the platform, which adds the person's id to it."""
        panel = panel_create(
            campaign=self.campaign, actor=logged_in(request.user), **self.checked(PanelIn)
        )
        return Response(self.panel_data(request, panel), status=status.HTTP_201_CREATED)


@extend_schema(tags=["panels"])
class OnePanelRoute(PanelBase):
    """One panel."""

    @extend_schema(responses={200: PanelOut})
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(self.panel_data(request, self.panel(key)))

    @extend_schema(request=PanelChangeIn, responses={200: PanelOut})
    def patch(self, request: Request, slug: str, key: UUID) -> Response:
        """Change the panel; with `closed`, it lets nobody new in."""
        panel, actor = self.panel(key), logged_in(request.user)
        data = self.checked(PanelChangeIn)
        closed = data.pop("closed", None)
        if data:
            panel = panel_update(panel=panel, actor=actor, **data)
        if closed is not None:
            panel = panel_close(panel=panel, closed=closed, actor=actor)
        return Response(self.panel_data(request, panel))


@extend_schema(tags=["panels"])
class PanelParticipantsRoute(PanelBase):
    """Everybody who entered, by their codes."""

    serializer_class = PartOut

    @extend_schema(responses=PartOut(many=True))
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        panel = self.panel(key)
        page = self.paginate_queryset(parts_in(panel=panel))
        payments = list(lines(panel, list(page or [])))
        return self.get_paginated_response(PartOut(payments, many=True).data)


@extend_schema(tags=["panels"])
class PanelEndedRoute(PanelBase):
    """People who returned their part on the platform, or ran out of time there."""

    @extend_schema(request=EndedIn, responses={200: EndedOut})
    def post(self, request: Request, slug: str, key: UUID) -> Response:
        """Free the open places of these people at once; what they handed in stays."""
        panel = self.panel(key)
        data = self.checked(EndedIn)
        done = ended_by_hand(panel=panel, actor=logged_in(request.user), **data)
        return Response(EndedOut(done).data)


@extend_schema(tags=["panels"])
class PanelPaymentsRoute(PanelBase):
    """The payment list as CSV: everybody who entered, excluded people too."""

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, key: UUID) -> StreamingHttpResponse:
        return payments_file(self.panel(key))

    def perform_content_negotiation(self, request: Any, force: bool = False) -> Any:
        """The answer is CSV whatever is accepted: there is no other form."""
        return super().perform_content_negotiation(request, force=True)


P = "campaigns/<slug:slug>/panels"
urlpatterns = [
    path(P, PanelsRoute.as_view(), name="api-panels"),
    path(f"{P}/<uuid:key>", OnePanelRoute.as_view(), name="api-panel"),
    path(
        f"{P}/<uuid:key>/participants",
        PanelParticipantsRoute.as_view(),
        name="api-panel-participants",
    ),
    path(f"{P}/<uuid:key>/payments", PanelPaymentsRoute.as_view(), name="api-panel-payments"),
    path(f"{P}/<uuid:key>/ended", PanelEndedRoute.as_view(), name="api-panel-ended"),
]
