"""What all pages of a task share."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

import paraanno
from annotation.errors import NotFound
from scoring.shared_tasks.models import SharedTask
from scoring.shared_tasks.selectors.access import TaskStanding, task_get


def task_page(
    request: HttpRequest, template: str, task: SharedTask, standing: TaskStanding, *,
    status: int = 200, **context: Any,
) -> HttpResponse:  # fmt: skip
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
