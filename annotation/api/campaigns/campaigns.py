"""Campaigns, scales and progress."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute, Route
from annotation.api.serializers import (
    CampaignChangeIn,
    CampaignDetailOut,
    CampaignIn,
    CampaignOut,
    OwnProgressOut,
    ProgressOut,
    ScaleIn,
    ScaleOut,
    ThresholdIn,
)
from annotation.models import Campaign, Scale
from annotation.selectors.access import creator, get_in, known
from annotation.selectors.campaigns.campaigns import campaigns_with_role
from annotation.selectors.campaigns.progress import campaign_progress, own_progress
from annotation.selectors.people.annotators import annotator_of
from annotation.services.campaigns import campaigns as services
from annotation.services.campaigns.scale_input import guideline_for, scale_of, scales_of
from annotation.services.campaigns.template_check import template_read
from annotation.services.campaigns.templates import template_ok


@extend_schema(tags=["campaigns"])
class CampaignsRoute(Route):
    """The campaigns that the user takes part in, with their role."""

    of_campaigns = True
    serializer_class = CampaignOut

    def get_queryset(self) -> QuerySet[Campaign]:
        return campaigns_with_role(user=known(self.request.user))

    @extend_schema(responses=CampaignOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(CampaignOut(page, many=True).data)

    @extend_schema(request=CampaignIn, responses={201: CampaignDetailOut})
    def post(self, request: Request) -> Response:
        """Create a campaign; the caller, who needs the right to, becomes its owner."""
        actor = creator(user=request.user)
        given = self.checked(CampaignIn)
        if "scales" in given:
            given["scales"] = scales_of(given["scales"])
            given.setdefault("guideline", guideline_for(given["scales"]))
        if "template_text" in given:
            data = given.pop("template_text").encode()
            given["template"] = template_ok(template_read(data=data, name="template"))
        campaign = services.campaign_create(actor=actor, **given)
        return Response(CampaignDetailOut(campaign).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["campaigns"])
class OneCampaignRoute(CampaignRoute):
    """A campaign's settings."""

    serializer_class = CampaignDetailOut

    def get(self, request: Request, slug: str) -> Response:
        return Response(CampaignDetailOut(self.campaign).data)

    @extend_schema(request=CampaignChangeIn)
    def patch(self, request: Request, slug: str) -> Response:
        form = CampaignChangeIn(self.campaign, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        campaign = services.campaign_update(
            campaign=self.campaign, actor=known(request.user), changes=form.validated_data
        )
        return Response(CampaignDetailOut(campaign).data)


class _StatusRoute(CampaignRoute):
    act: Any = None
    read_right = "research"

    @extend_schema(request=None, responses=CampaignDetailOut, tags=["campaigns"])
    def post(self, request: Request, slug: str) -> Response:
        campaign = type(self).act(campaign=self.campaign, actor=known(request.user))
        return Response(CampaignDetailOut(campaign).data)


class OpenCampaignRoute(_StatusRoute):
    """Create the sheets and start handing them out."""

    act = staticmethod(services.campaign_open)


class PauseCampaignRoute(_StatusRoute):
    """Stop handing out sheets."""

    act = staticmethod(services.campaign_pause)


class CloseCampaignRoute(_StatusRoute):
    """End the collection."""

    act = staticmethod(services.campaign_close)


@extend_schema(tags=["campaigns"])
class ScalesRoute(CampaignRoute):
    """The campaign's scales with their points."""

    pagination_class = None

    @extend_schema(responses=ScaleOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        scales = self.campaign.scales.prefetch_related("points")
        return Response(ScaleOut(scales, many=True).data)

    @extend_schema(request=ScaleIn, responses={201: ScaleOut})
    def post(self, request: Request, slug: str) -> Response:
        """Add a scale of your own to a draft."""
        scale = services.scale_append(
            campaign=self.campaign,
            template=scale_of(self.checked(ScaleIn)),
            actor=known(request.user),
        )
        return Response(ScaleOut(scale).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["campaigns"])
class ThresholdRoute(CampaignRoute):
    """The value from which a judgment passes."""

    @extend_schema(request=ThresholdIn, responses=ScaleOut)
    def put(self, request: Request, slug: str, scale: UUID) -> Response:
        found = services.threshold_set(
            scale=get_in(self.campaign, Scale, scale),
            actor=known(request.user),
            **self.checked(ThresholdIn),
        )
        return Response(ScaleOut(found).data)


@extend_schema(tags=["campaigns"])
class ProgressRoute(CampaignRoute):
    """Slots and sheets of the entire campaign."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ProgressOut(campaign_progress(campaign=self.campaign)).data)


@extend_schema(tags=["sheets"])
class OwnProgressRoute(CampaignRoute):
    """What the caller has done and has left."""

    read_right = "annotate"

    @extend_schema(responses=OwnProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        annotator = annotator_of(campaign=self.campaign, user=known(request.user))
        progress = own_progress(campaign=self.campaign, annotator=annotator)
        return Response(OwnProgressOut(progress).data)
