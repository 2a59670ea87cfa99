"""What everybody gets after publishing: the zip and certificates."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from scoring.shared_tasks.models import SharedTask
from scoring.shared_tasks.selectors.access import TaskStanding
from scoring.shared_tasks.selectors.certificates import certificate_get, fingerprint
from scoring.shared_tasks.selectors.package import task_zip
from scoring.shared_tasks.views.board import copy_html
from scoring.shared_tasks.views.frame import seen_or_login


@login_not_required
@require_GET
def everything(request: HttpRequest, slug: str) -> HttpResponse:
    """The zip. NotFound before publishing, for the organiser too."""
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    task = found[0]
    if task.state != SharedTask.State.PUBLISHED:
        raise NotFound(_("The zip is available once the task is published."))
    data = task_zip(task=task, board_copy=copy_html(task, TaskStanding(False, None)))
    answer = HttpResponse(data, content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{task.slug}.zip"'
    return answer


@login_not_required
@require_GET
def certificate(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """The certificate of a submission, with whether its fingerprint is right."""
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    task, standing = found
    said = certificate_get(task=task, team=standing.team, key=key)
    return JsonResponse({**said, "verified": fingerprint(said) == said.get("fingerprint")})
