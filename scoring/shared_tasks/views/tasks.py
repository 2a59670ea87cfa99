"""Pages for everybody: the list, a task in plain words, its files."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from annotation.errors import Conflict, Invalid, NotAllowed
from annotation.presenters.markdown import as_html
from annotation.selectors.access import known
from scoring.shared_tasks.forms import TaskForm
from scoring.shared_tasks.selectors.access import campaigns_organised, task_get, tasks_for
from scoring.shared_tasks.selectors.downloads import file_get, starter_script, visible_files
from scoring.shared_tasks.selectors.files import file_bytes
from scoring.shared_tasks.selectors.pages import teams_of
from scoring.shared_tasks.services.create import task_create
from scoring.shared_tasks.views.frame import seen_or_login, task_page


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
    form = TaskForm(request.POST or None, user=known(request.user))
    if request.method == "POST" and form.is_valid():
        try:
            task = task_create(actor=known(request.user), **form.cleaned_data)
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("task-organise", task.slug)
    return render(request, "tasks/new.html", {"form": form}, status=422 if form.errors else 200)


@login_not_required
@require_GET
def task(request: HttpRequest, slug: str) -> HttpResponse:
    """What the task is, its files, and how to take part."""
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    the_task, standing = found
    return task_page(
        request, "tasks/task.html", the_task, standing, text=as_html(the_task.text),
        files=visible_files(task=the_task), tracks=the_task.tracks.all(),
        teams=teams_of(task=the_task).count(),
    )  # fmt: skip


@require_GET
def file(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """A file for participants."""
    the_task, _standing = task_get(user=request.user, slug=slug)
    found = file_get(task=the_task, key=key)
    name = f"{found.track.name}-{found.name}" if found.track else found.name
    return _download(file_bytes(found), name)


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
