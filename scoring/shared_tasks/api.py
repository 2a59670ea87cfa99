"""Tasks, their files and boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in
from annotation.errors import Invalid, NotAllowed
from annotation.http.pages import check_room
from annotation.http.routes import Route
from scoring.shared_tasks.access import (
    TaskStanding,
    board_json,
    board_stamp,
    cached,
    campaigns_organised,
    hidden_names,
    member_team,
    submission_get,
    submissions_of,
    task_get,
    tasks_for,
    teams_of,
    track_get,
)
from scoring.shared_tasks.freeze import task_freeze
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, Team
from scoring.shared_tasks.submissions import (
    SubmissionRefused,
    file_bytes,
    file_get,
    primary_choose,
    submit,
    task_close,
    task_publish,
    visible_files,
)
from scoring.shared_tasks.tasks import task_create, team_add


class TaskOut(serializers.ModelSerializer[SharedTask]):
    """A task as everybody sees it; `fingerprint` is empty until it is closed."""

    tracks: Any = serializers.SlugRelatedField("name", many=True, read_only=True)
    fingerprint = serializers.SerializerMethodField()

    class Meta:
        model = SharedTask
        fields = [
            "slug",
            "title",
            "kind",
            "state",
            "gold",
            "public_share",
            "per_day",
            "licence",
            "tracks",
            "opens_at",
            "closes_at",
            "closed_at",
            "published_at",
            "fingerprint",
        ]

    def get_fingerprint(self, task: SharedTask) -> str:
        return task.fingerprint if task.over else ""


class TaskIn(serializers.Serializer[Any]):
    """A draft of a campaign; a track is a name, or name:measure."""

    slug = serializers.CharField(max_length=40)
    campaign = serializers.SlugField()
    train = serializers.SlugField(default="", allow_blank=True)
    tracks = serializers.ListField(child=serializers.CharField(max_length=80), min_length=1)
    scales = serializers.ListField(child=serializers.CharField(max_length=40), default=list)
    title = serializers.CharField(max_length=200, default="")
    gold = serializers.ChoiceField(SharedTask.Gold.choices, default=SharedTask.Gold.SUM.value)
    public_share = serializers.FloatField(min_value=0, max_value=0.99, default=0.3)
    per_day = serializers.IntegerField(min_value=1, max_value=1000, default=5)
    text = serializers.CharField(max_length=20_000, default="", allow_blank=True)
    licence = serializers.CharField(max_length=200, default="", allow_blank=True)


class TeamIn(serializers.Serializer[Any]):
    """The name of a team."""

    name = serializers.CharField(max_length=60)


class TeamOut(serializers.ModelSerializer[Team]):
    """A team; `token` of its link is shown once, when it was made."""

    token = serializers.SerializerMethodField()

    class Meta:
        model = Team
        fields = ["key", "name", "created_at", "token"]

    def get_token(self, team: Team) -> str:
        return str(self.context.get("token", ""))


class TaskFileOut(serializers.ModelSerializer[TaskFile]):
    """A file for participants; `track` is null for one of all tracks."""

    track = serializers.CharField(source="track.name", default=None, allow_null=True)

    class Meta:
        model = TaskFile
        fields = ["key", "name", "role", "track", "size", "sha256"]


@extend_schema(tags=["tasks"])
class TasksRoute(Route):
    """Shared tasks, newest first."""

    serializer_class = TaskOut

    @extend_schema(responses=TaskOut(many=True))
    def get(self, request: Request) -> Response:
        rows = tasks_for(user=request.user).prefetch_related("tracks")
        return self.get_paginated_response(TaskOut(self.paginate_queryset(rows), many=True).data)

    @extend_schema(request=TaskIn, responses={201: TaskOut})
    def post(self, request: Request) -> Response:
        """Make a draft; for owners of the campaign."""
        own = campaigns_organised(user=request.user)
        if not own.exists():
            raise NotAllowed(_("A task is made from a campaign: only owners of one can do that."))
        data = self.checked(TaskIn)
        campaign = own.filter(slug=data.pop("campaign")).first()
        if campaign is None:
            raise NotAllowed(_("Only the owners of its campaign can organise a task."))
        name = data.pop("train")
        train = own.filter(slug=name).first() if name else None
        if name and train is None:
            raise NotAllowed(_("You own no campaign %(name)s to train on.") % {"name": name})
        task = task_create(campaign=campaign, train=train, actor=logged_in(request.user), **data)
        return Response(TaskOut(task).data, status=status.HTTP_201_CREATED)


class TaskRoute(Route):
    """A route of one task: 404 for a draft of others."""

    organise = False
    task: SharedTask
    standing: TaskStanding

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.task, self.standing = task_get(
            user=request.user, slug=kwargs["slug"], organise=self.organise
        )


@extend_schema(tags=["tasks"])
class OneTaskRoute(TaskRoute):
    """One task."""

    @extend_schema(responses=TaskOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(TaskOut(self.task).data)


class _TaskActRoute(TaskRoute):
    organise = True
    act: Callable[..., Any]

    @extend_schema(request=None, responses=TaskOut, tags=["tasks"])
    def post(self, request: Request, slug: str) -> Response:
        return Response(TaskOut(type(self).act(task=self.task, actor=logged_in(request.user))).data)


class FreezeTaskRoute(_TaskActRoute):
    """Freeze and open a draft."""

    act = staticmethod(task_freeze)


class CloseTaskRoute(_TaskActRoute):
    """Close an open task; a worker makes the final board."""

    act = staticmethod(task_close)


class PublishTaskRoute(_TaskActRoute):
    """Publish a closed task."""

    act = staticmethod(task_publish)


@extend_schema(tags=["tasks"])
class TeamsRoute(TaskRoute):
    """Teams; for the organiser."""

    organise = True
    pagination_class = None

    @extend_schema(responses=TeamOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(TeamOut(teams_of(task=self.task), many=True).data)

    @extend_schema(request=TeamIn, responses={201: TeamOut})
    def post(self, request: Request, slug: str) -> Response:
        """Add a team; whoever opens /tasks/join/TOKEN/ joins it."""
        name = self.checked(TeamIn)["name"]
        team, token = team_add(task=self.task, name=name, actor=logged_in(request.user))
        data = TeamOut(team, context={"token": token}).data
        return Response(data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["tasks"])
class LeaderboardRoute(TaskRoute):
    """The board: of the public part while the task is open, without p-values, then the final."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """304 for whoever names the ETag of an earlier answer while nothing has changed."""
        task, standing = self.task, self.standing
        stamp = board_stamp(task=task, standing=standing)
        tag = f'"{stamp[:32]}"'
        unchanged = get_conditional_response(request._request, etag=tag)
        if unchanged is not None:
            return unchanged
        hidden = hidden_names(task=task, own=standing.team, names=standing.organises)
        data = cached(stamp, ("json",), lambda: board_json(task=task, hidden=hidden))
        return Response(data, headers={"ETag": tag, "Cache-Control": "private, no-cache"})


@extend_schema(tags=["tasks"])
class TaskFilesRoute(TaskRoute):
    """The files for participants."""

    pagination_class = None

    @extend_schema(responses=TaskFileOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(TaskFileOut(visible_files(task=self.task), many=True).data)


@extend_schema(tags=["tasks"])
class OneTaskFileRoute(TaskRoute):
    """The content of a file."""

    @extend_schema(responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, key: UUID) -> HttpResponse:
        file = file_get(task=self.task, key=key)
        return HttpResponse(file_bytes(file), content_type="application/octet-stream")


# Submissions of the user's own team.


class SubmissionOut(serializers.ModelSerializer[Submission]):
    """A submission and its values on the public part; `final` is null until the task is closed."""

    track = serializers.CharField(source="track.name")
    public = serializers.SerializerMethodField()
    final = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields = [
            "key",
            "track",
            "name",
            "note",
            "number",
            "form",
            "size",
            "sha256",
            "status",
            "error",
            "primary",
            "withdrawn_at",
            "created_at",
            "public",
            "final",
        ]

    def get_public(self, one: Submission) -> dict[str, Any] | None:
        values: dict[str, Any] | None = one.public
        return values

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
                track=track,
                team=team,
                stream=data["file"],
                file_name=data["file"].name,
                name=data["name"],
                note=data["note"],
                actor=logged_in(request.user),
            )
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
        primary_choose(submission=one, actor=logged_in(request.user))
        return Response(SubmissionOut(submission_get(task=self.task, team=team, key=key)).data)
