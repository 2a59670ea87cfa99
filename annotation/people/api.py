"""Annotators, exclusions and invitations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import get_in, logged_in
from annotation.accounts.tokens import confirmed_or_refused
from annotation.http.routes import CampaignRoute
from annotation.importing.api import FileRoute, ImportReportOut
from annotation.mail.emails import letters_of
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
    WorkGroup,
    WorkList,
    WorkRule,
)
from annotation.models.people import TARGETS
from annotation.people.annotators import annotators_with_consent, exclusions_of
from annotation.people.exclusions import exclusion_add, exclusion_lift
from annotation.people.lists import list_drop, list_hand_on, lists_import, lists_set
from annotation.people.membership import invitation_create, invitation_revoke, join_link
from annotation.people.quotas import group_join, work_group_set, work_group_with_people, work_groups
from annotation.sheets.progress import with_progress
from annotation.sheets.sql import list_order, work_lists

# Serializers of annotators, exclusions and invitations. Domain rules are in the services.


class AnnotatorOut(serializers.ModelSerializer[Annotator]):
    sheets_done = serializers.IntegerField(read_only=True)
    sheets_submitted = serializers.IntegerField(
        read_only=True, help_text="Also those that were excluded since."
    )
    judgments_counted = serializers.IntegerField(read_only=True)
    judgments_given = serializers.IntegerField(
        read_only=True, help_text="Also those that do not count: excluded since, or too late."
    )
    last_at = serializers.DateTimeField(read_only=True, allow_null=True)
    consent_version = serializers.IntegerField(read_only=True, allow_null=True)
    consented_at = serializers.DateTimeField(read_only=True, allow_null=True)
    withdrawn_at = serializers.DateTimeField(read_only=True, allow_null=True)
    background = serializers.SerializerMethodField(
        help_text="Answers by the short name of their question; null: none, or rather not said."
    )

    class Meta:
        model = Annotator
        fields = [
            "key",
            "code",
            "origin",
            "consent_version",
            "consented_at",
            "withdrawn_at",
            "background",
            "not_blind_since",
            "sheets_done",
            "sheets_submitted",
            "judgments_counted",
            "judgments_given",
            "last_at",
        ]

    def get_background(self, annotator: Annotator) -> dict[str, Any]:
        answers = annotator.background_answers.all()
        return {answer.question.name: answer.value for answer in answers}


class ExclusionOut(serializers.ModelSerializer[Exclusion]):
    target = serializers.SerializerMethodField()
    target_key = serializers.SerializerMethodField()
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Exclusion
        fields = [
            "key",
            "kind",
            "target",
            "target_key",
            "reason",
            "starts_at",
            "ends_at",
            "created_by",
        ]

    def get_target(self, row: Exclusion) -> str:
        return next(name for name in TARGETS if getattr(row, f"{name}_id") is not None)

    def get_target_key(self, row: Exclusion) -> str:
        return str(getattr(row, self.get_target(row)).key)


class ExclusionIn(serializers.Serializer[Any]):
    target = serializers.ChoiceField(list(TARGETS))
    target_key = serializers.UUIDField()
    reason = serializers.CharField(max_length=300)
    free_slots = serializers.BooleanField(
        default=True, help_text="Of an annotator: others judge their sheets again."
    )


class InvitationOut(serializers.ModelSerializer[Invitation]):
    class Meta:
        model = Invitation
        fields = [
            "key",
            "role",
            "note",
            "name_only",
            "max_uses",
            "uses",
            "expires_at",
            "revoked_at",
            "created_at",
        ]
        read_only_fields = ["uses", "expires_at", "revoked_at", "created_at"]


class InvitationIn(serializers.Serializer[Any]):
    role = serializers.ChoiceField(
        [choice for choice in Membership.Role.choices if choice[0] != Membership.Role.OWNER],
        default=Membership.Role.ANNOTATOR,
    )
    days = serializers.IntegerField(default=14, min_value=1, max_value=365)
    max_uses = serializers.IntegerField(default=1, min_value=1, max_value=10_000)
    note = serializers.CharField(max_length=200, default="", allow_blank=True)
    name_only = serializers.BooleanField(
        default=False, help_text="Annotators give a name and no password."
    )


class InvitationLinkOut(InvitationOut):
    link = serializers.URLField(help_text="Shown this once: only its hash is kept.")

    class Meta(InvitationOut.Meta):
        fields = [*InvitationOut.Meta.fields, "link"]


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
        annotators = annotators_with_consent(campaign=self.campaign)
        page = with_progress(self.paginate_queryset(annotators) or [])
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
            actor=logged_in(request.user),
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
        exclusion = exclusion_lift(exclusion=exclusion, actor=logged_in(request.user))
        return Response(ExclusionOut(exclusion).data)


class LetterOut(serializers.ModelSerializer[Letter]):
    """An e-mail. `why` it was not accepted the last time; empty if it was."""

    class Meta:
        model = Letter
        fields = [
            "key",
            "kind",
            "to",
            "subject",
            "status",
            "why",
            "attempts",
            "created_at",
            "closed_at",
        ]


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
            confirmed_or_refused(request)
        invitation, token = invitation_create(
            campaign=self.campaign,
            actor=logged_in(request.user),
            valid_for=timedelta(days=data.pop("days")),
            **data,
        )
        link = join_link(request, token)
        payload = {**InvitationOut(invitation).data, "link": link}
        return Response(payload, status=status.HTTP_201_CREATED)


@extend_schema(tags=["people"])
class OneInvitationRoute(CampaignRoute):
    """One invitation."""

    @extend_schema(responses={200: InvitationOut})
    def delete(self, request: Request, slug: str, key: UUID) -> Response:
        """Revoke the invitation: the link stops working; members who joined by it stay."""
        invitation = get_in(self.campaign, Invitation, key)
        invitation_revoke(invitation=invitation, actor=logged_in(request.user))
        invitation.refresh_from_db()
        return Response(InvitationOut(invitation).data)


# Groups with their quotas and members, and fixed lists.


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
        group = work_group_set(campaign=self.campaign, actor=logged_in(request.user), **data)
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
            actor=logged_in(request.user),
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
        request=ListsFileIn,
        responses={200: ImportReportOut, 201: ImportReportOut, 204: None, 422: ImportReportOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Choose pool or lists, and import a file with the columns annotator (or list) and item (or
        phrase, sentence, start)."""
        order = self.checked(ListsFileIn).get("lists")
        if order is not None:
            lists_set(campaign=self.campaign, lists=order, actor=logged_in(request.user))
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
        items = list_drop(work_list=work_list, actor=logged_in(request.user))
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
            actor=logged_in(request.user),
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
