"""Annotators, exclusions and invitations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.api.people.serializers import (
    AnnotatorOut,
    ExclusionIn,
    ExclusionOut,
    InvitationIn,
    InvitationLinkOut,
    InvitationOut,
)
from annotation.models import (
    Annotator,
    Exclusion,
    Invitation,
    Item,
    Letter,
    Membership,
    Phrase,
    Substitution,
    System,
)
from annotation.selectors.access import get_in, known
from annotation.selectors.campaigns.progress import annotators_with_progress
from annotation.selectors.letters import letters_of
from annotation.selectors.people.background import with_answers
from annotation.selectors.people.exclusions import exclusions_of
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from annotation.services.people.membership import invitation_create, invitation_revoke
from paraanno.answers.site_address import full_address

MODELS: dict[str, Any] = {
    "annotator": Annotator,
    "phrase": Phrase,
    "item": Item,
    "substitution": Substitution,
    "system": System,
}


@extend_schema(tags=["people"])
class AnnotatorsRoute(CampaignRoute):
    """The annotators of the campaign with their progress."""

    serializer_class = AnnotatorOut

    @extend_schema(responses=AnnotatorOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        annotators = with_answers(annotators_with_progress(campaign=self.campaign))
        page = self.paginate_queryset(annotators)
        return self.get_paginated_response(AnnotatorOut(page, many=True).data)


@extend_schema(tags=["people"])
class ExclusionsRoute(CampaignRoute):
    """Exclusions from the statistics, past and present."""

    serializer_class = ExclusionOut

    @extend_schema(responses=ExclusionOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(exclusions_of(campaign=self.campaign))
        return self.get_paginated_response(ExclusionOut(page, many=True).data)

    @extend_schema(request=ExclusionIn, responses={201: ExclusionOut})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude; for an annotator, `free_slots` opens their slots to others."""
        data = self.checked(ExclusionIn)
        exclusion = exclusion_add(
            target=get_in(self.campaign, MODELS[data["target"]], data["target_key"]),
            reason=data["reason"],
            actor=known(request.user),
            free_slots=data["free_slots"],
        )
        return Response(ExclusionOut(exclusion).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["people"])
class OneExclusionRoute(CampaignRoute):
    """One exclusion."""

    @extend_schema(responses={200: ExclusionOut})
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Lift the exclusion; the row stays, with its end."""
        exclusion = get_in(self.campaign, Exclusion, key)
        exclusion = exclusion_lift(exclusion=exclusion, actor=known(request.user))
        return Response(ExclusionOut(exclusion).data)


class LetterOut(serializers.ModelSerializer[Letter]):
    """An e-mail. `why` it was not accepted the last time; empty if it was."""

    class Meta:
        model = Letter
        fields = [
            "key", "kind", "to", "subject", "status", "why", "attempts", "created_at", "closed_at",
        ]  # fmt: skip


@extend_schema(tags=["people"])
class LettersRoute(CampaignRoute):
    """E-mails to people of the campaign, the newest first, and how far they got."""

    read_right = "research"
    serializer_class = LetterOut

    @extend_schema(responses=LetterOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(letters_of(campaign=self.campaign))
        return self.get_paginated_response(LetterOut(page, many=True).data)


@extend_schema(tags=["people"])
class InvitationsRoute(CampaignRoute):
    """Invitations, without their links, which are not stored."""

    read_right = "research"
    serializer_class = InvitationOut

    @extend_schema(responses=InvitationOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.invitations.all())
        return self.get_paginated_response(InvitationOut(page, many=True).data)

    @extend_schema(request=InvitationIn, responses={201: InvitationLinkOut})
    def post(self, request: Request, slug: str) -> Response:
        """Create an invitation; its link is shown only in this response."""
        data = self.checked(InvitationIn)
        if data["role"] != Membership.Role.ANNOTATOR:
            self.confirmed()
        invitation, token = invitation_create(
            campaign=self.campaign,
            actor=known(request.user),
            valid_for=timedelta(days=data.pop("days")),
            **data,
        )
        link = full_address(request, reverse("join", args=[token]))
        told = {**InvitationOut(invitation).data, "link": link}
        return Response(told, status=status.HTTP_201_CREATED)


@extend_schema(tags=["people"])
class OneInvitationRoute(CampaignRoute):
    """One invitation."""

    @extend_schema(responses={200: InvitationOut})
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Revoke the invitation: the link stops working; members who joined by it stay."""
        invitation = get_in(self.campaign, Invitation, key)
        invitation_revoke(invitation=invitation, actor=known(request.user))
        invitation.refresh_from_db()
        return Response(InvitationOut(invitation).data)
