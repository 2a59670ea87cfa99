"""Submissions of the user's own team."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.selectors.access import known
from scoring.shared_tasks.api.routes import TaskRoute
from scoring.shared_tasks.models import Submission
from scoring.shared_tasks.selectors.access import (
    member_team,
    submission_get,
    submissions_of,
    track_get,
)
from scoring.shared_tasks.services.submit import SubmissionRefused, primary_choose, submit


class SubmissionOut(serializers.ModelSerializer[Submission]):
    """A submission and its values on the public part; `final` is null until the task is closed."""

    track = serializers.CharField(source="track.name")
    public = serializers.SerializerMethodField()
    final = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            "key", "track", "name", "note", "number", "form", "size", "sha256", "status", "error",
            "primary", "withdrawn_at", "created_at", "public", "final",
        ]  # fmt: skip

    def get_public(self, one: Submission) -> dict[str, Any] | None:
        found: dict[str, Any] | None = one.public
        return found

    def get_final(self, one: Submission) -> dict[str, Any] | None:
        return one.final if one.track.task.over else None


class SubmissionIn(serializers.Serializer[Any]):
    """A file for a track."""

    track = serializers.SlugField()
    name = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    note = serializers.CharField(max_length=5000, required=False, default="", allow_blank=True)
    file = serializers.FileField(allow_empty_file=True)


@extend_schema(tags=["tasks"])
class SubmissionsRoute(TaskRoute):
    """What the user's team has sent, newest first; 403 for those without a team."""

    serializer_class = SubmissionOut
    parser_classes = [MultiPartParser]

    @extend_schema(responses=SubmissionOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        rows = submissions_of(team=member_team(self.standing)).select_related("track__task")
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(SubmissionOut(page, many=True).data)

    @extend_schema(request={"multipart/form-data": SubmissionIn}, responses={201: SubmissionOut})
    def post(self, request: Request, slug: str) -> Response:
        """Submit a file: 400 with its problems, 409 beyond the limit of the day or at the wrong
        time. Nothing is kept then."""
        team = member_team(self.standing)
        data = self.checked(SubmissionIn)
        check_room(request._request)
        track = track_get(task=self.task, name=data["track"])
        try:
            made = submit(
                track=track, team=team, stream=data["file"], file_name=data["file"].name,
                name=data["name"], note=data["note"], actor=known(request.user),
            )  # fmt: skip
        except SubmissionRefused as refusal:
            lines = [str(problem) for problem in refusal.problems]
            raise Invalid(_("This file was not kept."), problems=lines) from refusal
        return Response(SubmissionOut(made).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["tasks"])
class OneSubmissionRoute(TaskRoute):
    """One submission of the team."""

    @extend_schema(responses=SubmissionOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        one = submission_get(task=self.task, team=member_team(self.standing), key=key)
        return Response(SubmissionOut(one).data)


@extend_schema(tags=["tasks"])
class PrimaryRoute(TaskRoute):
    """Let a submission count for its team in its track, before closing."""

    @extend_schema(request=None, responses=SubmissionOut)
    def post(self, request: Request, slug: str, key: UUID) -> Response:
        team = member_team(self.standing)
        one = submission_get(task=self.task, team=team, key=key)
        primary_choose(submission=one, actor=known(request.user))
        return Response(SubmissionOut(submission_get(task=self.task, team=team, key=key)).data)
