"""Filtered lists of items, systems and judgments."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.api.paging import Stream
from annotation.api.serializers import (
    ItemFilterIn,
    ItemOut,
    JudgmentFilterIn,
    JudgmentOut,
    SystemOut,
)
from annotation.models import Judgment
from annotation.selectors.campaigns.items import item_get, items_found, judgments_found


@extend_schema(tags=["items"])
class ItemsRoute(CampaignRoute):
    """Items with their substitutions, outputs and references, in the order of import."""

    serializer_class = ItemOut
    filter_serializer = ItemFilterIn

    @extend_schema(parameters=[ItemFilterIn], responses=ItemOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(items_found(campaign=self.campaign, **self.filters()))
        return self.get_paginated_response(ItemOut(page, many=True).data)


@extend_schema(tags=["items"])
class OneItemRoute(CampaignRoute):
    """One item."""

    @extend_schema(responses=ItemOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(ItemOut(item_get(campaign=self.campaign, key=key)).data)


@extend_schema(tags=["items"])
class SystemsRoute(CampaignRoute):
    """The paraphrasing systems."""

    serializer_class = SystemOut

    @extend_schema(responses=SystemOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.systems.all())
        return self.get_paginated_response(SystemOut(page, many=True).data)


@extend_schema(tags=["judgments"])
class JudgmentsRoute(CampaignRoute):
    """Judgments of all annotators, in the order of their first save; follow `next`."""

    serializer_class = JudgmentOut
    filter_serializer = JudgmentFilterIn
    pagination_class = Stream

    def get_queryset(self) -> QuerySet[Judgment]:
        return judgments_found(campaign=self.campaign, **self.filters())

    @extend_schema(parameters=[JudgmentFilterIn], responses=JudgmentOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.get_queryset())
        return self.get_paginated_response(JudgmentOut(page, many=True).data)
