"""The documentation, read by everybody: no page of it is about a campaign."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from annotation.errors import NotFound
from annotation.presenters.docs import PICTURES, doc_get, doc_titles, picture_files


@login_not_required
@require_safe
def doc_list(request: HttpRequest) -> HttpResponse:
    """All pages by title."""
    titles = doc_titles()
    return render(
        request, "docs.html",
        {"titles": [one for one in titles if "/" not in one[0]],
         "metrics": [one for one in titles if "/" in one[0]]},
    )  # fmt: skip


@login_not_required
@require_safe
def doc(request: HttpRequest, name: str) -> HttpResponse:
    """One page: docs/NAME.md."""
    found = doc_get(name.removesuffix(".md").rstrip("/"))
    if found is None:
        raise NotFound(_("There is no such page of the documentation."))
    return render(request, "doc.html", {"doc": found})


@login_not_required
@require_safe
@cache_control(max_age=3600, public=True)
def doc_image(request: HttpRequest, name: str) -> FileResponse:
    """One picture: docs/images/NAME."""
    path = picture_files().get(f"images/{name}")
    if path is None:
        raise NotFound(_("There is no such picture."))
    return FileResponse(path.open("rb"), content_type=PICTURES[path.suffix])
