"""Work: everything that is queued, running, or failed in the last week, as a page and for
programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in
from annotation.errors import NotFound
from annotation.http.routes import Route
from paraanno.backups.make import backup_state
from paraanno.jobs.row import JobStatus
from scoring.exports.services import exports_clear
from scoring.work.jobs import (
    NAMES,
    JobLine,
    check_jobs,
    disk_use,
    job_again,
    job_cancel,
    job_get,
    job_lines,
    kinds_listed,
    storage_by_campaign,
    storage_by_person,
    work_pause,
)
from scoring.work.workers import paused_kinds


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


# The page.


@never_cache
@require_GET
def work(request: HttpRequest) -> HttpResponse:
    """The page; htmx gets the tables alone, every five seconds while something is active."""
    lines = job_lines(user=request.user, done=False)
    paused = paused_kinds()
    kinds = kinds_listed()
    context = {
        "active": [line for line in lines if line.active],
        "failed": [line for line in lines if not line.active],
        "paused": [label for name, label in kinds if name in paused],
    }
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "scoring/_work.html", context)
    if request.user.is_superuser:
        context["kinds"] = [(name, label, name in paused) for name, label in kinds]
        context["storage"] = [
            (_("Campaign"), storage_by_campaign()),
            (_("Person"), storage_by_person()),
        ]
    return render(request, "scoring/work.html", context)


@require_POST
def act(request: HttpRequest, kind: str, key: str, what: str) -> HttpResponse:
    """Cancel a job, or let it be done again."""
    job = job_get(user=request.user, kind=kind, key=key)
    if what == "cancel":
        job_cancel(job=job, actor=request.user)
        messages.success(request, _("%(name)s was cancelled.") % {"name": job.name})
    else:
        job_again(job=job, actor=request.user)
        messages.success(request, _("%(name)s waits for a worker.") % {"name": job.name})
    return redirect("work")


@require_POST
def pause(request: HttpRequest, kind: str) -> HttpResponse:
    """Pause a kind of jobs, or take it up again; for administrators."""
    check_jobs(user=request.user)
    if not request.user.is_superuser or kind not in dict(kinds_listed()):
        raise NotFound(_("There is no such page."))
    work_pause(kind=kind, pause="pause" in request.POST, actor=request.user)
    return redirect("work")


# What takes room on the disks, for administrators.


@never_cache
@require_http_methods(["GET", "POST"])
def disk(request: HttpRequest) -> HttpResponse:
    """Show sizes; a POST removes exported files, which can be made again."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    if request.method == "POST":
        n = exports_clear(actor=request.user)
        message = ngettext(
            "%(n)s exported file was removed.", "%(n)s exported files were removed.", n
        )
        messages.success(request, message % {"n": n})
        return redirect("disk")
    return render(request, "scoring/disk.html", {"disk": disk_use(), "backup": backup_state()})
