"""The organiser's page: settings, teams, files, and the states of a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Conflict, DomainError, Invalid
from annotation.selectors.access import known
from paraanno.answers.site_address import full_address
from scoring.shared_tasks.forms import AttachForm, TaskSettingsForm
from scoring.shared_tasks.models import SharedTask
from scoring.shared_tasks.selectors.access import TaskStanding, task_get, team_get, track_get
from scoring.shared_tasks.selectors.downloads import visible_files
from scoring.shared_tasks.selectors.pages import has_newer_judgments, teams_of
from scoring.shared_tasks.services.attach import file_attach
from scoring.shared_tasks.services.boards import final_board_again
from scoring.shared_tasks.services.close import task_close, task_publish
from scoring.shared_tasks.services.create import CHANGES, task_change
from scoring.shared_tasks.services.freeze import task_freeze
from scoring.shared_tasks.services.people_board import round_open
from scoring.shared_tasks.services.teams import team_add, team_link
from scoring.shared_tasks.views.frame import task_page

ACTS: dict[str, Callable[..., Any]] = {
    "freeze": task_freeze,
    "close": task_close,
    "publish": task_publish,
    "again": final_board_again,
}


@require_http_methods(["GET", "POST"])
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything of the organiser; a POST changes settings."""
    task, standing = task_get(user=request.user, slug=slug, organise=True)
    now = {name: getattr(task, name) for name in CHANGES}
    form = TaskSettingsForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            task_change(task=task, actor=known(request.user), **form.cleaned_data)
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("task-organise", slug)
    return _page(request, task, standing, form)


def _page(
    request: HttpRequest, task: SharedTask, standing: TaskStanding, form: forms.Form,
    attach: forms.Form | None = None,
) -> HttpResponse:  # fmt: skip
    names = [track.name for track in task.tracks.all()]
    return task_page(
        request, "tasks/organise.html", task, standing, form=form,
        attach=attach or AttachForm(tracks=names), teams=teams_of(task=task),
        files=visible_files(task=task), newer=has_newer_judgments(task=task),
        board=task.boards.filter(part="final").first(),
        status=422 if form.errors or (attach and attach.errors) else 200,
    )  # fmt: skip


@require_POST
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Freeze, close, publish, or make the final board again."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    do = ACTS.get(request.POST.get("do", ""))
    if do is None:
        raise Invalid(_("There is no such action."))
    do(task=task, actor=known(request.user))
    messages.success(request, _("Done."))
    return redirect("task-organise", slug)


@require_POST
def attach(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a file for participants."""
    task, standing = task_get(user=request.user, slug=slug, organise=True)
    names = [track.name for track in task.tracks.all()]
    form = AttachForm(request.POST, request.FILES, tracks=names)
    if form.is_valid():
        data = form.cleaned_data
        track = track_get(task=task, name=data["track"]) if data["track"] else None
        try:
            file_attach(
                task=task, role=data["role"], track=track, name=data["file"].name,
                stream=data["file"], actor=known(request.user),
            )  # fmt: skip
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The file was added."))
            return redirect("task-organise", slug)
    now = {name: getattr(task, name) for name in CHANGES}
    return _page(request, task, standing, TaskSettingsForm(initial=now), form)


@require_POST
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a team; its link is shown once."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    made, token = team_add(task=task, name=request.POST.get("name", ""), actor=known(request.user))
    _tell_link(request, made.name, token)
    return redirect("task-organise", slug)


@require_POST
def link(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Make a new link of a team."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    found = team_get(task=task, key=key)
    _tell_link(request, found.name, team_link(team=found, actor=known(request.user)))
    return redirect("task-organise", slug)


def _tell_link(request: HttpRequest, name: str, token: str) -> None:
    address = full_address(request, reverse("task-join", args=[token]))
    messages.success(
        request,
        _("Whoever opens this link joins the team %(name)s; it is shown once: %(address)s")
        % {"name": name, "address": address},
    )


@require_POST
def judging(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the round in which people judge the submissions of a systems task."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    name, text = request.POST.get("campaign", ""), request.POST.get("originals", "")
    try:
        validate_slug(name)
    except ValidationError as error:
        raise Invalid(error.messages[0]) from error
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise Invalid(_("The number of originals to judge must be a whole number."))
    campaign = round_open(task=task, slug=name, originals=int(text), actor=known(request.user))
    return redirect("campaign", campaign.slug)
