"""Builds on the page of resources: asking for one, watching it, cancelling it; and the plain file
of what was built."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.errors import Invalid, NotFound
from annotation.selectors.scope import place_read
from paraanno.translated import translated
from scoring.models import Build
from scoring.selectors.builds import BuildRow, build_get, build_row, builds_for
from scoring.selectors.resources import plain_file, resource_get
from scoring.services.builds.start import build_cancel, build_start

INPUT, OPTION = "input-", "option-"


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Ask for a build: `recipe`, `name`, and fields for its inputs and options."""
    builds_for(user=request.user, add=True)
    sent = request.POST
    try:
        place = place_read(user=request.user, value=sent.get("scope", ""))
        build, new = build_start(
            recipe=sent.get("recipe", ""), inputs=_fields(request, INPUT),
            options=_fields(request, OPTION), name=sent.get("name", "").strip()[:200],
            place=place, actor=request.user,
        )  # fmt: skip
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        said = _("%(name)s is being made; it appears in the list once it is ready.")
        if not new and build.status == Build.Status.DONE:
            said = _("The same was made before, as %(name)s.")
        messages.success(request, said % {"name": build.name})
    return redirect("resources")


def _fields(request: HttpRequest, beginning: str) -> dict[str, str]:
    return {
        name.removeprefix(beginning): value
        for name, value in request.POST.items()
        if name.startswith(beginning) and isinstance(value, str) and (value or beginning == OPTION)
    }


@require_GET
def build(request: HttpRequest, key: str) -> HttpResponse:
    """One row of the list as a fragment, polled while it is active. When it is over, the page is
    loaded anew, because what it made is in another list."""
    row = build_row(build=build_get(user=request.user, key=key), user=request.user)
    answer = render(request, "scoring/_build.html", {"shown": shown(row)})
    if not row.active:
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Cancel a build that is active."""
    found = build_get(user=request.user, key=key, cancel=True)
    build_cancel(build=found, actor=request.user)
    messages.success(request, _("%(name)s was cancelled.") % {"name": found.name})
    return redirect("resources")


@require_GET
def download(request: HttpRequest, key: str) -> FileResponse:
    """The plain file of a resource that was built: what an importer of its kind takes."""
    resource = resource_get(user=request.user, key=key)
    path = plain_file(resource=resource)
    if path is None:
        raise NotFound(_("There is no file to download: this resource was not built here."))
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=f"{resource.kind}{path.suffix}",
        content_type="text/plain; charset=utf-8",
    )  # fmt: skip


def shown(row: BuildRow) -> dict[str, object]:
    """A row with its texts."""
    return {"row": row, "problems": translated(row.build.said).splitlines()}
