"""A team's own page: submit, choose what counts, describe the method."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Conflict, Invalid
from annotation.forms.uploads import check_room
from annotation.selectors.access import known
from scoring.shared_tasks.forms import SubmissionForm
from scoring.shared_tasks.models import SharedTask, Submission
from scoring.shared_tasks.selectors.access import (
    TaskStanding,
    member_team,
    submission_get,
    submissions_of,
    task_get,
)
from scoring.shared_tasks.selectors.pages import left_today
from scoring.shared_tasks.services.submit import (
    SubmissionRefused,
    primary_choose,
    submission_withdraw,
    submit,
)
from scoring.shared_tasks.services.teams import method_set
from scoring.shared_tasks.views.frame import task_page


@require_http_methods(["GET", "POST"])
def submissions(request: HttpRequest, slug: str) -> HttpResponse:
    """The team's submissions; a POST adds one."""
    task, standing = task_get(user=request.user, slug=slug)
    tracks = {track.name: track for track in task.tracks.all()}
    names = list(tracks)
    if request.method == "GET":
        return _page(request, task, standing, SubmissionForm(tracks=names))
    team = member_team(standing)
    form = SubmissionForm(request.POST, request.FILES, tracks=names)
    check_room(request)
    if not form.is_valid():
        return _page(request, task, standing, form)
    data = form.cleaned_data
    try:
        made = submit(
            track=tracks[data["track"]], team=team, stream=data["file"],
            file_name=data["file"].name, name=data["name"], note=data["note"],
            actor=known(request.user),
        )  # fmt: skip
    except SubmissionRefused as refusal:
        return _page(request, task, standing, form, refusal)
    except (Conflict, Invalid) as refusal:
        form.add_error(None, refusal.message)
        return _page(request, task, standing, form)
    messages.success(request, _("%(name)s was accepted and is being scored.") % {"name": made.name})
    return redirect("task-submissions", slug)


def _page(
    request: HttpRequest, task: SharedTask, standing: TaskStanding, form: forms.Form,
    refusal: SubmissionRefused | None = None,
) -> HttpResponse:  # fmt: skip
    team = standing.team
    return task_page(
        request, "tasks/submissions.html", task, standing,
        status=422 if form.errors or refusal else 200, form=form,
        rows=submissions_of(team=team) if team else [],
        left=left_today(task=task, team=team) if team else {},
        problems=refusal.problems if refusal else (),
    )  # fmt: skip


def _own(request: HttpRequest, slug: str, key: UUID) -> Submission:
    """A submission of the user's own team; NotFound for any other."""
    task, standing = task_get(user=request.user, slug=slug)
    return submission_get(task=task, team=member_team(standing), key=key)


@require_POST
def primary(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Make a submission the one that counts."""
    one = _own(request, slug, key)
    primary_choose(submission=one, actor=known(request.user))
    messages.success(request, _("%(name)s counts in its track.") % {"name": one.name})
    return redirect("task-submissions", slug)


@require_POST
def withdraw(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Take a submission off the boards."""
    one = _own(request, slug, key)
    submission_withdraw(submission=one, actor=known(request.user))
    messages.success(request, _("%(name)s was withdrawn.") % {"name": one.name})
    return redirect("task-submissions", slug)


@require_POST
def method(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the team's description of its method."""
    _task, standing = task_get(user=request.user, slug=slug)
    method_set(
        team=member_team(standing), text=request.POST.get("method", ""), actor=known(request.user)
    )
    messages.success(request, _("The description was saved."))
    return redirect("task-submissions", slug)
