"""Jobs of all kinds: what waits, runs and ended in the last week."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in
from annotation.http.routes import Route
from paraanno.jobs.row import JobStatus
from scoring.work.jobs import NAMES, JobLine, job_again, job_cancel, job_get, job_lines


class JobOut(serializers.Serializer[Any]):
    """A job: `progress` is the share of it that is done, from 0 to 1, and `seconds_left` what the
    rest takes if it goes on as it did so far; null where they are not known."""

    kind = serializers.ChoiceField(list(NAMES))
    key = serializers.CharField(help_text="With the kind, what names it.")
    name = serializers.CharField()
    status = serializers.ChoiceField(JobStatus.choices)
    campaign = serializers.CharField(source="campaign.slug", allow_null=True, default=None)
    who = serializers.CharField(help_text="The login of who asked for it; empty: nobody.")
    attempts = serializers.IntegerField(source="row.attempts")
    error = serializers.CharField(source="row.error")
    progress = serializers.FloatField(source="share", allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField(source="row.created_at")
    started_at = serializers.DateTimeField(source="row.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)


class JobFilter(serializers.Serializer[Any]):
    """Which jobs."""

    kind = serializers.ChoiceField(list(NAMES), required=False)
    status = serializers.ChoiceField(JobStatus.choices, required=False)
    campaign = serializers.SlugField(required=False)


@extend_schema(tags=["jobs"])
class JobsRoute(Route):
    """What waits and runs, the oldest first, then what ended in the last week: all jobs for
    administrators, for researchers those of their campaigns and their own."""

    serializer_class = JobOut
    filter_serializer = JobFilter

    @extend_schema(parameters=[JobFilter], responses=JobOut(many=True))
    def get(self, request: Request) -> Response:
        wanted = self.filters()
        lines = [
            line
            for line in job_lines(user=logged_in(request.user))
            if wanted.get("kind", line.kind) == line.kind
            and wanted.get("status", line.status) == line.status
            and wanted.get("campaign") in (None, line.campaign and line.campaign.slug)
        ]
        page = self.paginate_queryset(lines)
        return self.get_paginated_response(JobOut(page, many=True).data)


class _ActRoute(Route):
    act: Callable[..., None]

    @extend_schema(request=None, responses=JobOut)
    def post(self, request: Request, kind: str, key: str) -> Response:
        user = logged_in(request.user)
        job: JobLine = job_get(user=user, kind=kind, key=key)
        type(self).act(job=job, actor=user)
        return Response(JobOut(job_get(user=user, kind=kind, key=key)).data)


@extend_schema(tags=["jobs"])
class CancelJobRoute(_ActRoute):
    """Cancel a job that waits or is at work; 409 if it is over. A resource that is being read is
    removed."""

    act = staticmethod(job_cancel)


@extend_schema(tags=["jobs"])
class JobAgainRoute(_ActRoute):
    """Do a job again that failed or was cancelled; 409 if that cannot be."""

    act = staticmethod(job_again)
