"""Pages of shared tasks: what teams do, what organisers do, and what everybody sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import paraanno
from annotation.access import logged_in
from annotation.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound
from annotation.http.campaign_page import Page
from annotation.http.markdown import as_html
from annotation.http.pages import check_room
from paraanno.http.errors import full_address
from scoring.shared_tasks.access import (
    TaskStanding,
    campaigns_organised,
    has_newer_judgments,
    left_today,
    member_team,
    submission_get,
    submissions_of,
    task_for_strangers,
    task_get,
    tasks_for,
    team_get,
    team_of_token,
    teams_of,
    track_get,
)
from scoring.shared_tasks.boards import final_board_again, round_open
from scoring.shared_tasks.forms import AttachForm, SubmissionForm, TaskForm, TaskSettingsForm
from scoring.shared_tasks.freeze import task_freeze
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.submissions import (
    SubmissionRefused,
    file_bytes,
    file_get,
    primary_choose,
    starter_script,
    submission_withdraw,
    submit,
    task_close,
    task_publish,
    visible_files,
)
from scoring.shared_tasks.tasks import (
    CHANGES,
    file_attach,
    method_set,
    task_change,
    task_create,
    team_add,
    team_join,
    team_link,
)

# What all pages of a task share.


def task_page(
    request: HttpRequest,
    template: str,
    task: SharedTask,
    standing: TaskStanding,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a page below the tabs of a task."""
    here = str(request.resolver_match.url_name) if request.resolver_match else ""
    base = {"task": task, "standing": standing, "here": here}
    return render(request, template, {**base, **context}, status=status)


def page_tag(request: HttpRequest, user: int | None, *parts: str) -> str | None:
    """The ETag of a page made of these parts; None for a browser whose forms have no token yet.

    The page has a token for its forms in it, so that one that is kept is of this login alone.
    """
    token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    if not token:
        return None
    who = (user, token, paraanno.__version__, *parts)
    return f'"{sha256(repr(who).encode()).hexdigest()[:32]}"'


def private(answer: HttpResponse, tag: str | None) -> HttpResponse:
    """The answer with its tag, for one browser alone, which asks each time whether it is new."""
    if tag:
        answer["ETag"] = tag
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


def seen_or_login(
    request: HttpRequest, slug: str
) -> tuple[SharedTask, TaskStanding] | HttpResponse:
    """The task, which needs no login once it is published; else the way to the login."""
    try:
        return task_get(user=request.user, slug=slug)
    except NotFound:
        if request.user.is_authenticated:
            raise
        return redirect_to_login(request.get_full_path())


def frozen_or_login(
    request: HttpRequest, slug: str
) -> tuple[SharedTask, TaskStanding] | HttpResponse:
    """The task, of which strangers see what it is once it is frozen; else the way to the login, as
    for every page: whether there is a draft is not told."""
    if request.user.is_authenticated:
        return task_get(user=request.user, slug=slug)
    try:
        return task_for_strangers(slug=slug), TaskStanding(False, None)
    except NotFound:
        return redirect_to_login(request.get_full_path())


# A team's own page: submit, choose what counts, describe the method.


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
            track=tracks[data["track"]],
            team=team,
            stream=data["file"],
            file_name=data["file"].name,
            name=data["name"],
            note=data["note"],
            actor=logged_in(request.user),
        )
    except SubmissionRefused as refusal:
        return _page(request, task, standing, form, refusal)
    except (Conflict, Invalid) as refusal:
        form.add_error(None, refusal.message)
        return _page(request, task, standing, form)
    messages.success(request, _("%(name)s was accepted and is being scored.") % {"name": made.name})
    return redirect("task-submissions", slug)


def _page(
    request: HttpRequest,
    task: SharedTask,
    standing: TaskStanding,
    form: forms.Form,
    refusal: SubmissionRefused | None = None,
) -> HttpResponse:
    team = standing.team
    return task_page(
        request,
        "tasks/submissions.html",
        task,
        standing,
        status=422 if form.errors or refusal else 200,
        form=form,
        rows=submissions_of(team=team) if team else [],
        left=left_today(task=task, team=team) if team else {},
        problems=refusal.problems if refusal else (),
    )


def _own(request: HttpRequest, slug: str, key: UUID) -> Submission:
    """A submission of the user's own team; NotFound for any other."""
    task, standing = task_get(user=request.user, slug=slug)
    return submission_get(task=task, team=member_team(standing), key=key)


@require_POST
def primary(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Make a submission the one that counts."""
    one = _own(request, slug, key)
    primary_choose(submission=one, actor=logged_in(request.user))
    messages.success(request, _("%(name)s counts in its track.") % {"name": one.name})
    return redirect("task-submissions", slug)


@require_POST
def withdraw(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Take a submission off the boards."""
    one = _own(request, slug, key)
    submission_withdraw(submission=one, actor=logged_in(request.user))
    messages.success(request, _("%(name)s was withdrawn.") % {"name": one.name})
    return redirect("task-submissions", slug)


@require_POST
def method(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the team's description of its method."""
    _task, standing = task_get(user=request.user, slug=slug)
    method_set(
        team=member_team(standing),
        text=request.POST.get("method", ""),
        actor=logged_in(request.user),
    )
    messages.success(request, _("The description was saved."))
    return redirect("task-submissions", slug)


# The organiser's page: settings, teams, files, and the states of a task.


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
    page = Page(request)
    form = TaskSettingsForm(page.posted, initial=now)
    if page.saves(
        form, lambda: task_change(task=task, actor=logged_in(request.user), **form.cleaned_data)
    ):
        return page.done(_("Saved."), "task-organise", slug)
    return _organise_page(request, task, standing, form)


def _organise_page(
    request: HttpRequest,
    task: SharedTask,
    standing: TaskStanding,
    form: forms.Form,
    attach: forms.Form | None = None,
) -> HttpResponse:
    names = [track.name for track in task.tracks.all()]
    return task_page(
        request,
        "tasks/organise.html",
        task,
        standing,
        form=form,
        attach=attach or AttachForm(tracks=names),
        teams=teams_of(task=task),
        files=visible_files(task=task),
        newer=has_newer_judgments(task=task),
        board=task.boards.filter(part="final").first(),
        status=422 if form.errors or (attach and attach.errors) else 200,
    )


@require_POST
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Freeze, close, publish, or make the final board again."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    do = ACTS.get(request.POST.get("do", ""))
    if do is None:
        raise Invalid(_("There is no such action."))
    do(task=task, actor=logged_in(request.user))
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
                task=task,
                role=data["role"],
                track=track,
                name=data["file"].name,
                stream=data["file"],
                actor=logged_in(request.user),
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The file was added."))
            return redirect("task-organise", slug)
    now = {name: getattr(task, name) for name in CHANGES}
    return _organise_page(request, task, standing, TaskSettingsForm(initial=now), form)


@require_POST
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a team; its link is shown once."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    made, token = team_add(
        task=task, name=request.POST.get("name", ""), actor=logged_in(request.user)
    )
    _tell_link(request, made.name, token)
    return redirect("task-organise", slug)


@require_POST
def link(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Make a new link of a team."""
    task, _standing = task_get(user=request.user, slug=slug, organise=True)
    row = team_get(task=task, key=key)
    _tell_link(request, row.name, team_link(team=row, actor=logged_in(request.user)))
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
    campaign = round_open(task=task, slug=name, originals=int(text), actor=logged_in(request.user))
    return redirect("campaign", campaign.slug)


# Pages for everybody: the list, a task in plain words, its files.


@require_GET
def tasks(request: HttpRequest) -> HttpResponse:
    """The tasks that the user may see."""
    context = {
        "tasks": tasks_for(user=request.user),
        "organises": campaigns_organised(user=request.user).exists(),
    }
    return render(request, "tasks/tasks.html", context)


@require_http_methods(["GET", "POST"])
def task_new(request: HttpRequest) -> HttpResponse:
    """Make a draft of a campaign of one's own."""
    if not campaigns_organised(user=request.user).exists():
        raise NotAllowed(_("A task is made from a campaign: only owners of one can do that."))
    page, actor = Page(request), logged_in(request.user)
    form = TaskForm(page.posted, user=actor)
    made = page.saved(form, lambda: task_create(actor=actor, **form.cleaned_data))
    if made is not None:
        return page.go("task-organise", made.slug)
    return page.render("tasks/new.html", form=form)


@login_not_required
@require_GET
def task(request: HttpRequest, slug: str) -> HttpResponse:
    """What the task is, its files, and how to take part."""
    access = frozen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    the_task, standing = access
    tracks = list(the_task.tracks.all())
    return task_page(
        request,
        "tasks/task.html",
        the_task,
        standing,
        text=as_html(the_task.text),
        files=visible_files(task=the_task),
        tracks=tracks,
        teams=teams_of(task=the_task).count(),
        on_honour=_on_honour(the_task, tracks),
    )


def _on_honour(task: SharedTask, tracks: Sequence[Track]) -> list[str]:
    """The tracks that may not use the original, though their teams can get it with the files."""
    without = [track.name for track in tracks if not track.reference]
    given = len(without) < len(tracks)
    return without if given and task.kind == SharedTask.Kind.METRICS else []


@require_GET
def file(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """A file for participants."""
    the_task, _standing = task_get(user=request.user, slug=slug)
    task_file = file_get(task=the_task, key=key)
    name = f"{task_file.track.name}-{task_file.name}" if task_file.track else task_file.name
    return _download(file_bytes(task_file), name)


@require_GET
def starter(request: HttpRequest, slug: str) -> HttpResponse:
    """The script that makes a valid submission."""
    task_get(user=request.user, slug=slug)
    return _download(starter_script(), "starter.py")


def _download(data: bytes, name: str) -> HttpResponse:
    answer = HttpResponse(data, content_type="application/octet-stream")
    safe = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)
    answer["Content-Disposition"] = f'attachment; filename="{safe}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


# Joining a team.


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a team: a page that asks, and a POST that joins."""
    team = team_of_token(token=token)
    if request.method == "POST":
        team = team_join(token=token, user=logged_in(request.user))
        messages.success(request, _("You are in the team %(name)s.") % {"name": team.name})
        return redirect("task", slug=team.task.slug)
    return render(request, "tasks/join.html", {"team": team, "task": team.task})
