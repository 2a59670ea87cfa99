"""Annotators, exclusions and invitations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import CampaignRoute
from annotation.api.serializers import (
    AnnotatorSerializer,
    ExclusionCreateSerializer,
    ExclusionSerializer,
    InvitationCreateSerializer,
    InvitationLinkSerializer,
    InvitationSerializer,
)
from annotation.models import Annotator, Exclusion, Item, Phrase, Substitution, System
from annotation.models.exclusion import TARGETS
from annotation.selectors.access import known
from annotation.selectors.background import with_answers
from annotation.selectors.progress import annotators_with_progress
from annotation.services.errors import NotFound
from annotation.services.exclusions import WORDS, exclusion_add, exclusion_lift
from annotation.services.people import invitation_create, invitation_revoke

MODELS: dict[str, Any] = {
    "annotator": Annotator,
    "phrase": Phrase,
    "item": Item,
    "substitution": Substitution,
    "system": System,
}


@extend_schema(tags=["people"])
class Annotators(CampaignRoute):
    """The voices of the campaign with what they have done."""

    serializer_class = AnnotatorSerializer

    @extend_schema(responses=AnnotatorSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        voices = with_answers(annotators_with_progress(campaign=self.campaign))
        page = self.paginate_queryset(voices)
        return self.get_paginated_response(AnnotatorSerializer(page, many=True).data)


@extend_schema(tags=["people"])
class Exclusions(CampaignRoute):
    """What is left out of the statistics, and was."""

    serializer_class = ExclusionSerializer

    @extend_schema(responses=ExclusionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        rows = Exclusion.objects.filter(campaign=self.campaign).select_related(
            *TARGETS, "created_by"
        )
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(ExclusionSerializer(page, many=True).data)

    @extend_schema(request=ExclusionCreateSerializer, responses={201: ExclusionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude; for an annotator `free_slots` opens their places to others."""
        data = self.checked(ExclusionCreateSerializer)
        target = (
            MODELS[data["target"]]
            .objects.filter(campaign=self.campaign, key=data["target_key"])
            .first()
        )
        if target is None:
            raise NotFound(_("There is no such %(what)s.") % {"what": WORDS[data["target"]]})
        exclusion = exclusion_add(
            target=target,
            reason=data["reason"],
            actor=known(request.user),
            free_slots=data["free_slots"],
        )
        return Response(ExclusionSerializer(exclusion).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["people"])
class OneExclusion(CampaignRoute):
    """One exclusion."""

    @extend_schema(responses={200: ExclusionSerializer})
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Lift it; the row stays, with its end."""
        exclusion = Exclusion.objects.filter(campaign=self.campaign, key=key).first()
        if exclusion is None:
            raise NotFound(_("There is no such exclusion."))
        exclusion = exclusion_lift(exclusion=exclusion, actor=known(request.user))
        return Response(ExclusionSerializer(exclusion).data)


@extend_schema(tags=["people"])
class Invitations(CampaignRoute):
    """Invitations, for those who may invite; links are not among what is stored."""

    read_right = "research"
    serializer_class = InvitationSerializer

    @extend_schema(responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.invitations.all())
        return self.get_paginated_response(InvitationSerializer(page, many=True).data)

    @extend_schema(request=InvitationCreateSerializer, responses={201: InvitationLinkSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Invite; the link is told this once."""
        data = self.checked(InvitationCreateSerializer)
        invitation, token = invitation_create(
            campaign=self.campaign,
            actor=known(request.user),
            valid_for=timedelta(days=data.pop("days")),
            **data,
        )
        link = request.build_absolute_uri(reverse("join", args=[token]))
        told = {**InvitationSerializer(invitation).data, "link": link}
        return Response(told, status=status.HTTP_201_CREATED)


@extend_schema(tags=["people"])
class OneInvitation(CampaignRoute):
    """One invitation."""

    @extend_schema(responses=InvitationSerializer)
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Revoke it: the link stops working, who came by it stays."""
        invitation = self.campaign.invitations.filter(key=key).first()
        if invitation is None:
            raise NotFound(_("There is no such invitation."))
        invitation_revoke(invitation=invitation, actor=known(request.user))
        invitation.refresh_from_db()
        return Response(InvitationSerializer(invitation).data)
