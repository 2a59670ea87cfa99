"""Items, systems and judgments: lists with filters."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import CampaignRoute
from annotation.api.paging import Stream
from annotation.api.serializers import (
    ItemFilterSerializer,
    ItemSerializer,
    JudgmentFilterSerializer,
    JudgmentSerializer,
    SystemSerializer,
)
from annotation.models import Campaign, Item, Judgment, Output, Substitution
from annotation.services.errors import NotFound

JUDGMENT_FILTERS = {
    "annotator": "annotator__code",
    "scale": "scale__name",
    "item": "substitution__item__key",
    "substitution": "substitution__key",
    "status": "status",
    "kind": "kind",
    "occasion": "occasion",
    "recorded_from": "recorded_at__gte",
    "recorded_before": "recorded_at__lt",
}


def items_of(campaign: Campaign, **wanted: Any) -> QuerySet[Item]:
    """The campaign's items as the API shows them; a constant number of queries."""
    rows = Item.objects.filter(campaign=campaign)
    if "item" in wanted:
        rows = rows.filter(outside_ids__value=wanted["item"])
    if "phrase" in wanted:
        rows = rows.filter(phrase__key=wanted["phrase"])
    if "text" in wanted:
        rows = rows.filter(sentence__icontains=wanted["text"])
    if "system" in wanted:
        given = Output.objects.filter(system__campaign=campaign, system__label=wanted["system"])
        rows = rows.filter(pk__in=given.exclude(substitution=None).values("item"))
    if "role" in wanted:
        texts = Substitution.objects.filter(campaign=campaign, role=wanted["role"])
        rows = rows.filter(pk__in=texts.values("item"))
    return rows.select_related("phrase").prefetch_related(
        "outside_ids", "references", "substitutions__made_from", "outputs__system",
        "outputs__substitution",
    )  # fmt: skip


@extend_schema(tags=["items"])
class Items(CampaignRoute):
    """Items with their substitutions, outputs and references, in the order of import."""

    serializer_class = ItemSerializer
    filter_serializer = ItemFilterSerializer

    @extend_schema(parameters=[ItemFilterSerializer], responses=ItemSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(items_of(self.campaign, **self.filters()))
        return self.get_paginated_response(ItemSerializer(page, many=True).data)


@extend_schema(tags=["items"])
class OneItem(CampaignRoute):
    """One item."""

    @extend_schema(responses=ItemSerializer)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        item = items_of(self.campaign).filter(key=key).first()
        if item is None:
            raise NotFound(_("There is no such item."))
        return Response(ItemSerializer(item).data)


@extend_schema(tags=["items"])
class Systems(CampaignRoute):
    """What produced the paraphrases."""

    serializer_class = SystemSerializer

    @extend_schema(responses=SystemSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.systems.all())
        return self.get_paginated_response(SystemSerializer(page, many=True).data)


@extend_schema(tags=["judgments"])
class Judgments(CampaignRoute):
    """Judgments of all annotators, in the order of their first save; follow `next`."""

    serializer_class = JudgmentSerializer
    filter_serializer = JudgmentFilterSerializer
    pagination_class = Stream

    def get_queryset(self) -> QuerySet[Judgment]:
        wanted = self.filters()
        system = wanted.pop("system", None)
        rows = Judgment.objects.filter(
            campaign=self.campaign,
            **{JUDGMENT_FILTERS[name]: value for name, value in wanted.items()},
        )
        if system is not None:
            made = Output.objects.filter(system__campaign=self.campaign, system__label=system)
            rows = rows.filter(substitution__in=made.values("substitution"))
        return rows.select_related("annotator", "substitution__item", "scale", "guideline")

    @extend_schema(parameters=[JudgmentFilterSerializer], responses=JudgmentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(JudgmentSerializer(page, many=True).data)
