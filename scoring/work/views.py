"""Work: everything that is queued, running, or failed in the last week."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import NotFound
from paraanno.backups.make import backup_state
from scoring.exports.services import exports_clear
from scoring.work.jobs import (
    check_jobs,
    disk_use,
    job_again,
    job_cancel,
    job_get,
    job_lines,
    kinds_listed,
    paused_kinds,
    storage_by_campaign,
    storage_by_person,
    work_pause,
)


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
