"""Where participants of a panel may go, and that their session is that of one part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.models import Participant
from annotation.selectors.access import takes_part
from annotation.selectors.people.parts import last_page, part_by_key
from paraanno.sight.counted import refused

SESSION = "panel-part"  # In a session: the key of the part.
# Names of addresses. What is not here is closed to participants, also what is added later.
OPEN = frozenset({
    "panel-enter", "panel-end", "panel-leave", "panel-events",
    "rate", "rate-sheet", "rate-own", "rate-withdraw", "rate-consent", "rate-background",
    "rate-notice", "rate-practice", "rate-practice-try", "rate-worker", "guidelines",
    "api-me", "api-claim", "api-sheet", "api-sheet-state", "api-judgment", "api-remark",
    "api-progress-own",
    "logout", "language", "docs", "doc", "doc-image", "healthz", "readyz", "prometheus",
})  # fmt: skip

# It answers most readers without a look at who they are; whom it looks at, it refuses itself.
CLOSES_ITSELF = frozenset({"task-board"})


def part_in(request: HttpRequest) -> Participant | None:
    """Return the part of the session, if it is one of the participant whom the session logs in."""
    key = request.session.get(SESSION)
    return part_by_key(key=UUID(key), user=request.user) if key else None


class ParticipantMiddleware:
    """Close every address to participants that is not theirs, and those of other campaigns."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, _args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        name, slug = match.url_name if match else "", kwargs.get("slug")
        if name in CLOSES_ITSELF or (name in OPEN and slug is None):
            return None
        if not takes_part(user=request.user):
            return None
        part = part_in(request)
        if part is None:  # No door leads here, so whatever did is shut.
            logout(request)
            return None
        if name in OPEN and slug == part.panel.campaign.slug:
            return None
        if name == "home" and request.method in ("GET", "HEAD"):
            return redirect(last_page(part))
        return _closed(request, part)


def _closed(request: HttpRequest, part: Participant) -> HttpResponseBase:
    refused("not_allowed")
    if request.path.startswith("/api/"):
        said = _("You take part in a study with this login: nothing else is open to it.")
        return JsonResponse({"code": "not_allowed", "detail": said}, status=403)
    return render(request, "annotation/panel_closed.html", {"part": part}, status=403)
