"""Campaigns, scales and progress."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import CampaignRoute, Route
from annotation.api.serializers import (
    CampaignChangeSerializer,
    CampaignCreateSerializer,
    CampaignDetailSerializer,
    CampaignSerializer,
    OwnProgressSerializer,
    ProgressSerializer,
    ScaleSerializer,
    ThresholdSerializer,
)
from annotation.models import Campaign, Membership
from annotation.selectors.access import campaigns_for, known
from annotation.selectors.progress import campaign_progress, own_progress
from annotation.selectors.voices import voice_of
from annotation.services import campaigns as services
from annotation.services.errors import NotFound


@extend_schema(tags=["campaigns"])
class Campaigns(Route):
    """The campaigns that the user takes part in, with their role."""

    serializer_class = CampaignSerializer

    def get_queryset(self) -> QuerySet[Campaign]:
        user = known(self.request.user)
        role = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")[:1]
        return campaigns_for(user=user).annotate(role=Subquery(role))

    @extend_schema(responses=CampaignSerializer(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(CampaignSerializer(page, many=True).data)

    @extend_schema(request=CampaignCreateSerializer, responses={201: CampaignDetailSerializer})
    def post(self, request: Request) -> Response:
        """Make a campaign; the caller owns it."""
        campaign = services.campaign_create(
            actor=known(request.user), **self.checked(CampaignCreateSerializer)
        )
        return Response(CampaignDetailSerializer(campaign).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["campaigns"])
class OneCampaign(CampaignRoute):
    """A campaign's settings."""

    serializer_class = CampaignDetailSerializer

    def get(self, request: Request, slug: str) -> Response:
        return Response(CampaignDetailSerializer(self.campaign).data)

    @extend_schema(request=CampaignChangeSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        form = CampaignChangeSerializer(self.campaign, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        campaign = services.campaign_update(
            campaign=self.campaign, actor=known(request.user), changes=form.validated_data
        )
        return Response(CampaignDetailSerializer(campaign).data)


class _Act(CampaignRoute):
    act: Any = None
    read_right = "research"

    @extend_schema(request=None, responses=CampaignDetailSerializer, tags=["campaigns"])
    def post(self, request: Request, slug: str) -> Response:
        campaign = type(self).act(campaign=self.campaign, actor=known(request.user))
        return Response(CampaignDetailSerializer(campaign).data)


class OpenCampaign(_Act):
    """Make the sheets and hand them out."""

    act = staticmethod(services.campaign_open)


class PauseCampaign(_Act):
    """Hand out no more sheets."""

    act = staticmethod(services.campaign_pause)


class CloseCampaign(_Act):
    """End the collection."""

    act = staticmethod(services.campaign_close)


@extend_schema(tags=["campaigns"])
class Scales(CampaignRoute):
    """The campaign's questions with their points."""

    pagination_class = None

    @extend_schema(responses=ScaleSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        scales = self.campaign.scales.prefetch_related("points")
        return Response(ScaleSerializer(scales, many=True).data)


@extend_schema(tags=["campaigns"])
class Threshold(CampaignRoute):
    """From which value a judgment passes."""

    @extend_schema(request=ThresholdSerializer, responses=ScaleSerializer)
    def put(self, request: Request, slug: str, scale: UUID) -> Response:
        found = self.campaign.scales.filter(key=scale).first()
        if found is None:
            raise NotFound(_("There is no such scale."))
        found = services.threshold_set(
            scale=found, actor=known(request.user), **self.checked(ThresholdSerializer)
        )
        return Response(ScaleSerializer(found).data)


@extend_schema(tags=["campaigns"])
class Progress(CampaignRoute):
    """Slots and sheets of the whole campaign."""

    @extend_schema(responses=ProgressSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ProgressSerializer(campaign_progress(campaign=self.campaign)).data)


@extend_schema(tags=["sheets"])
class OwnProgress(CampaignRoute):
    """What the caller has done and has left."""

    read_right = "annotate"

    @extend_schema(responses=OwnProgressSerializer)
    def get(self, request: Request, slug: str) -> Response:
        annotator = voice_of(campaign=self.campaign, user=known(request.user))
        progress = own_progress(campaign=self.campaign, annotator=annotator)
        return Response(OwnProgressSerializer(progress).data)
