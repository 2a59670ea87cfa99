"""Groups with their quotas and members, and fixed lists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.api.campaigns.import_forms import ImportReportOut
from annotation.api.campaigns.imports import FileRoute
from annotation.models import Annotator, WorkGroup, WorkList, WorkRule
from annotation.selectors.access import get_in, known
from annotation.selectors.collecting.lists import list_order, work_lists
from annotation.selectors.people.quotas import work_group_with_people, work_groups
from annotation.services.importing.lists import lists_import
from annotation.services.people.lists import list_drop, list_hand_on, lists_set
from annotation.services.people.quotas import group_join, work_group_set

SHEETS: dict[str, Any] = {
    "min_value": 0,
    "max_value": 1_000_000,
    "required": False,
    "allow_null": True,
    "default": None,
}


class GroupIn(serializers.Serializer[Any]):
    """A group by its name; a known name changes its numbers."""

    name = serializers.CharField(max_length=60)
    sheets_at_least = serializers.IntegerField(help_text="Of one person.", **SHEETS)
    sheets_at_most = serializers.IntegerField(help_text="Of one person.", **SHEETS)
    total_at_least = serializers.IntegerField(help_text="Of the whole group.", **SHEETS)
    total_at_most = serializers.IntegerField(help_text="Of the whole group.", **SHEETS)


class GroupOut(serializers.Serializer[Any]):
    """A group, how many people are in it, and what they have done together."""

    key = serializers.UUIDField()
    name = serializers.CharField()
    sheets_at_least = serializers.IntegerField(allow_null=True)
    sheets_at_most = serializers.IntegerField(allow_null=True)
    total_at_least = serializers.IntegerField(allow_null=True)
    total_at_most = serializers.IntegerField(allow_null=True)
    people = serializers.IntegerField()
    done = serializers.IntegerField()


class GroupMemberIn(serializers.Serializer[Any]):
    group = serializers.UUIDField(allow_null=True, help_text="null: in no group.")


class WorkListOut(serializers.Serializer[Any]):
    """A list; `annotator` is a code, null while it waits for somebody."""

    key = serializers.UUIDField()
    name = serializers.CharField()
    annotator = serializers.CharField(source="annotator.code", allow_null=True, default=None)
    items = serializers.IntegerField()
    done = serializers.IntegerField()
    skipped = serializers.IntegerField()


class ListsOut(serializers.Serializer[Any]):
    lists = serializers.ChoiceField(WorkRule.Lists.choices, help_text="Empty: the pool.")
    rows = WorkListOut(many=True)


class ListsFileIn(serializers.Serializer[Any]):
    """A file of lists. `lists` chooses between the pool (empty), listed and shuffled first."""

    file = serializers.FileField(allow_empty_file=True, required=False)
    lists = serializers.ChoiceField(WorkRule.Lists.choices, required=False, allow_blank=True)
    format = serializers.ChoiceField(["csv", "tsv", "jsonl"], required=False)
    dry_run = serializers.BooleanField(default=False)
    raw = serializers.BooleanField(default=False)


class HandOnIn(serializers.Serializer[Any]):
    to = serializers.UUIDField(allow_null=True, help_text="An annotator; null: who comes next.")


class HandedOnOut(serializers.Serializer[Any]):
    items = serializers.IntegerField()


@extend_schema(tags=["people"])
class GroupsRoute(CampaignRoute):
    """The groups of annotators and their quotas."""

    read_right = "research"
    serializer_class = GroupOut

    @extend_schema(responses=GroupOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(work_groups(campaign=self.campaign))
        return self.get_paginated_response(GroupOut(page, many=True).data)

    @extend_schema(request=GroupIn, responses={200: GroupOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make a group, or set the numbers of the one with this name."""
        data = self.checked(GroupIn)
        group = work_group_set(campaign=self.campaign, actor=known(request.user), **data)
        return Response(GroupOut(work_group_with_people(group=group)).data)


@extend_schema(tags=["people"])
class GroupMemberRoute(CampaignRoute):
    """The group of one annotator."""

    @extend_schema(request=GroupMemberIn, responses={204: None})
    def put(self, request: Request, slug: str, key: UUID) -> Response:
        """Put the annotator into a group, or into none."""
        annotator = get_in(self.campaign, Annotator, key)
        group = self.checked(GroupMemberIn)["group"]
        group_join(
            annotator=annotator,
            group=get_in(self.campaign, WorkGroup, group) if group else None,
            actor=known(request.user),
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


@extend_schema(tags=["people"])
class ListsRoute(FileRoute):
    """Fixed lists: who judges what."""

    serializer_class = ListsOut

    @extend_schema(responses=ListsOut)
    def get(self, request: Request, slug: str) -> Response:
        rows = work_lists(campaign_id=self.campaign.pk)
        order = list_order(campaign_id=self.campaign.pk)
        return Response(ListsOut({"lists": order, "rows": rows}).data)

    @extend_schema(
        request=ListsFileIn, responses={200: ImportReportOut, 201: ImportReportOut, 204: None,
                                        422: ImportReportOut}
    )  # fmt: skip
    def post(self, request: Request, slug: str) -> Response:
        """Choose pool or lists, and import a file with the columns annotator (or list) and item (or
        phrase, sentence, start)."""
        order = self.checked(ListsFileIn).get("lists")
        if order is not None:
            lists_set(campaign=self.campaign, lists=order, actor=known(request.user))
        if "file" not in request.data:
            return Response(status=status.HTTP_204_NO_CONTENT)
        data = self.taken(ListsFileIn)
        data.pop("lists", None)
        report = lists_import(**data)
        code = 422 if not report.ok else 200 if report.dry_run else 201
        return Response(ImportReportOut(report).data, status=code)


@extend_schema(tags=["people"])
class OneListRoute(CampaignRoute):
    """One list."""

    @extend_schema(responses={200: HandedOnOut})
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Take everything off the list that is not done."""
        work_list = get_in(self.campaign, WorkList, key, "annotator", "campaign")
        items = list_drop(work_list=work_list, actor=known(request.user))
        return Response({"items": items})


@extend_schema(tags=["people"])
class ListHandOnRoute(CampaignRoute):
    """A list that somebody else goes on with."""

    @extend_schema(request=HandOnIn, responses={200: HandedOnOut})
    def post(self, request: Request, slug: str, key: UUID) -> Response:
        """Hand on what is not done."""
        work_list = get_in(self.campaign, WorkList, key, "annotator", "campaign")
        to = self.checked(HandOnIn)["to"]
        items = list_hand_on(
            work_list=work_list,
            to=get_in(self.campaign, Annotator, to) if to else None,
            actor=known(request.user),
        )
        return Response({"items": items})


C = "campaigns/<slug:slug>"
urlpatterns = [
    path(f"{C}/groups", GroupsRoute.as_view(), name="api-groups"),
    path(f"{C}/annotators/<uuid:key>/group", GroupMemberRoute.as_view(), name="api-group-member"),
    path(f"{C}/lists", ListsRoute.as_view(), name="api-lists"),
    path(f"{C}/lists/<uuid:key>", OneListRoute.as_view(), name="api-list"),
    path(f"{C}/lists/<uuid:key>/hand-on", ListHandOnRoute.as_view(), name="api-list-hand-on"),
]
